package places

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// state is how many places are free and how many wait.
func (r *Room) state() [2]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return [2]int{r.free, r.waiting[0].Len() + r.waiting[1].Len()}
}

func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(2).Room("a")
		require.NoError(t, r.Enter(t.Context(), false, 0))
		require.NoError(t, r.Enter(t.Context(), false, 0))
		var order []string
		var group sync.WaitGroup
		for i := range 6 {
			urgent := i >= 4
			group.Go(func() {
				if r.Enter(t.Context(), urgent, time.Minute) == nil {
					order = append(order, fmt.Sprint(i))
				}
			})
			synctest.Wait()
		}
		for range 6 {
			r.Leave()
			synctest.Wait()
		}
		group.Wait()
		require.Equal(t, []string{"4", "5", "0", "1", "2", "3"}, order)
		require.Equal(t, [2]int{0, 0}, r.state())
	})
}

func TestWaitsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(1).Room("a")
		require.NoError(t, r.Enter(t.Context(), false, 0))
		begun := time.Now()
		require.ErrorIs(t, r.Enter(t.Context(), true, time.Second), ErrFull)
		require.Equal(t, time.Second, time.Since(begun))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.ErrorIs(t, r.Enter(ctx, false, 0), context.DeadlineExceeded)
		require.ErrorIs(t, r.Enter(ctx, false, 0), context.DeadlineExceeded, "ended before")
		placed := make(chan bool, 1)
		r.Start(time.Second, func(p bool) { placed <- p })
		require.False(t, <-placed)
		r.Start(time.Second, func(p bool) { placed <- p })
		r.Leave()
		require.True(t, <-placed)
		r.Leave()
		require.Equal(t, [2]int{1, 0}, r.state(), "who gave up has none")
		synctest.Wait()
	})
}

// TestGivenAndCancelledAtOnce: a place that came in the moment of the cancel is not lost.
func TestGivenAndCancelledAtOnce(t *testing.T) {
	r := New(1).Room("a")
	for range 2000 {
		require.NoError(t, r.Enter(t.Context(), false, 0))
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() {
			if r.Enter(ctx, false, time.Hour) == nil {
				r.Leave()
			}
		})
		group.Go(cancel)
		group.Go(r.Leave)
		group.Wait()
		require.Equal(t, [2]int{1, 0}, r.state())
	}
}

// TestNeverMoreThanThereAre, and those who wait by Start have no goroutine.
func TestNeverMoreThanThereAre(t *testing.T) {
	const most, all = 8, 5000
	r := New(most).Room("a")
	var mu sync.Mutex
	inside, highest, ran := 0, 0, 0
	gate, over := make(chan struct{}), make(chan struct{})
	before := runtime.NumGoroutine()
	for range all {
		r.Start(time.Hour, func(placed bool) {
			mu.Lock()
			inside++
			highest = max(highest, inside)
			mu.Unlock()
			<-gate
			runtime.Gosched()
			mu.Lock()
			inside--
			ran++
			last := ran == all
			mu.Unlock()
			r.Leave()
			if last {
				close(over)
			}
		})
	}
	require.LessOrEqual(t, runtime.NumGoroutine()-before, most)
	for full := false; !full; runtime.Gosched() {
		mu.Lock()
		full = inside >= most
		mu.Unlock()
	}
	close(gate)
	<-over
	require.Equal(t, most, highest)
	for r.state() != [2]int{most, 0} {
		runtime.Gosched()
	}
}

// TestRoomsAreForgotten when no client has them.
func TestRoomsAreForgotten(t *testing.T) {
	h := New(1)
	kept := h.Room("kept")
	require.Same(t, kept, h.Room("kept"))
	for i := range 100 {
		require.NoError(t, h.Room(fmt.Sprint(i)).Enter(t.Context(), false, 0))
	}
	known := func() int {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.rooms)
	}
	for range 100 {
		if runtime.GC(); known() == 1 {
			break
		}
		runtime.Gosched()
	}
	require.Equal(t, 1, known())
	require.Same(t, kept, h.Room("kept"))
}
