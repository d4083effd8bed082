package atwork_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// counter counts who works.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) Work(_ string, more int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += more
}

func (c *counter) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// TestWorker: one who works counts once, does not while at least one of its waits goes
// on, and never after its end.
func TestWorker(t *testing.T) {
	c := &counter{}
	ctx, w := atwork.Begin(t.Context(), c, "one")
	require.Equal(t, 1, c.count())
	inner, end := atwork.Enter(ctx, c, "the same one")
	require.True(t, atwork.Same(ctx, inner))
	require.Equal(t, 1, c.count())
	end()

	a, b, over := atwork.For(ctx), atwork.For(ctx), atwork.For(ctx)
	over.End()
	over.Begin()
	require.Equal(t, 1, c.count(), "it was over before it began")
	for range 2 {
		a.Begin()
		b.Begin()
	}
	require.Zero(t, c.count())
	other, end := atwork.Enter(ctx, c, "another, since one waits")
	require.False(t, atwork.Same(ctx, other))
	require.Equal(t, 1, c.count())
	end()
	a.End()
	a.End()
	require.Zero(t, c.count(), "b goes on")
	b.End()
	require.Equal(t, 1, c.count())

	a = atwork.For(ctx)
	back := atwork.Alone(ctx)
	a.Begin()
	require.Equal(t, 1, c.count(), "a request that is under way while another one waits")
	back()
	require.Zero(t, c.count())
	a.End()
	require.Equal(t, 1, c.count())

	late := atwork.For(ctx)
	late.Begin()
	w.End()
	late.End()
	w.End()
	require.Zero(t, c.count())
}

// TestNobody: a clock that counts nobody costs nothing, and has no worker.
func TestNobody(t *testing.T) {
	for _, clock := range []any{nil, "no clock"} {
		ctx, w := atwork.Begin(t.Context(), clock, "nobody")
		require.Equal(t, t.Context(), ctx)
		w.End()
		require.Nil(t, atwork.For(ctx))
		atwork.For(ctx).Begin()
		atwork.For(ctx).End()
		atwork.Alone(ctx)()
	}
	ctx, w := atwork.Begin(t.Context(), &counter{}, "one")
	defer w.End()
	require.True(t, atwork.Same(t.Context(), atwork.Keep(ctx, t.Context())))
	require.True(t, atwork.Same(ctx, atwork.Keep(t.Context(), ctx)))
}

// TestWakersHandOver: who is woken is at work before the one who wakes it goes on.
func TestWakersHandOver(t *testing.T) {
	for name, pair := range map[string]func() (wait func(context.Context), wake func()){
		"bell": func() (func(context.Context), func()) {
			b := new(atwork.Bell)
			return func(ctx context.Context) { require.True(t, b.Wait(ctx, nil)) }, b.Ring
		},
		"gate": func() (func(context.Context), func()) {
			g := atwork.NewGate()
			return func(ctx context.Context) { require.NoError(t, g.Wait(ctx)) }, g.Open
		},
	} {
		for _, early := range []bool{false, true} {
			wiretest.InBubble(t, name, func(t *testing.T) {
				c := &counter{}
				wait, wake := pair()
				if early {
					wake()
				}
				ctx, w := atwork.Begin(t.Context(), c, "one")
				begin := make(chan struct{})
				go func() {
					wait(ctx)
					<-begin
					w.End()
				}()
				synctest.Wait()
				if !early {
					require.Zero(t, c.count())
					wake()
				}
				require.Equal(t, 1, c.count())
				close(begin)
				synctest.Wait()
				require.Zero(t, c.count())
			})
		}
	}
}

// TestLockIsHandedOver: to who has waited longest, who is at work before the holder goes
// on; who gives up loses the place, or passes the lock on.
func TestLockIsHandedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, l := &counter{}, &atwork.Lock{}
		require.NoError(t, l.Lock(t.Context()))
		var got []string
		queue := func(name string) (cancel func()) {
			ended, cancel := context.WithCancel(t.Context())
			ctx, w := atwork.Begin(ended, c, name)
			go func() {
				defer w.End()
				if l.Lock(ctx) == nil {
					got = append(got, name)
				}
			}()
			synctest.Wait()
			return cancel
		}
		queue("a")
		leave := queue("b")
		queue("c")
		require.Zero(t, c.count())
		leave()
		synctest.Wait()
		l.Unlock()
		require.Equal(t, 1, c.count())
		synctest.Wait()
		l.Unlock()
		synctest.Wait()
		l.Unlock()
		require.NoError(t, l.Lock(t.Context()))
		require.Equal(t, []string{"a", "c"}, got)
		require.Zero(t, c.count())
	})
}

// TestRingEndsNoLaterWait: however many ring at once, who waits in the end is not at work.
func TestRingEndsNoLaterWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, b := &counter{}, &atwork.Bell{}
		ended, cancel := context.WithCancel(t.Context())
		defer cancel()
		ctx, w := atwork.Begin(ended, c, "one")
		go func() {
			defer w.End()
			for b.Wait(ctx, ended.Done()) {
			}
		}()
		for range 2000 {
			var all sync.WaitGroup
			for range 4 {
				all.Go(b.Ring)
			}
			all.Wait()
			synctest.Wait()
			require.Zero(t, c.count())
		}
	})
}

// TestInterrupted: a wait that its context ends is over, and what was open stays so.
func TestInterrupted(t *testing.T) {
	c := &counter{}
	ctx, w := atwork.Begin(t.Context(), c, "one")
	defer w.End()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	require.False(t, new(atwork.Bell).Wait(ended, ended.Done()))
	g := atwork.NewGate()
	require.ErrorIs(t, g.Wait(ended), context.Canceled)
	g.Open()
	require.NoError(t, g.Wait(ended))
	require.Equal(t, 1, c.count())
}
