package wallet

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestFreshHead: one that is recent enough is not asked for again, and a failure is
// told.
func TestFreshHead(t *testing.T) {
	reads, told, failure, calls := 0, Head{Slot: 1000, Height: 900}, error(nil), []context.Context(nil)
	h := &heads{read: func(ctx context.Context) (Head, error) {
		reads, calls = reads+1, append(calls, ctx)
		deadline, ok := ctx.Deadline()
		require.True(t, ok)
		require.WithinDuration(t, time.Now().Add(5*time.Second), deadline, 2*time.Second)
		return told, failure
	}}
	for range 2 {
		head, err := h.fresh(t.Context(), time.Hour)
		require.NoError(t, err)
		require.Equal(t, told, head)
		require.Equal(t, 1, reads)
	}
	_, err := h.fresh(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, 2, reads)
	for _, ctx := range calls {
		require.Error(t, ctx.Err(), "it ends with the question")
	}
	failure = errors.New("away")
	_, err = h.fresh(t.Context(), 0)
	require.Equal(t, failure, err)
	require.NoError(t, h.asking.Lock(t.Context()))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = h.fresh(ended, 0)
	require.ErrorIs(t, err, context.Canceled)
	h.asking.Unlock()
	// A height of 0 is none: it is asked for again.
	empty := &heads{}
	empty.read = func(context.Context) (Head, error) { reads++; return Head{}, nil }
	before := reads
	for range 2 {
		_, err = empty.fresh(t.Context(), time.Hour)
		require.NoError(t, err)
	}
	require.Equal(t, before+2, reads)
}

// heighter tells a height alone.
type heighter struct{ err error }

func (h heighter) BlockHeight(context.Context) (uint64, error) { return 7, h.err }

func TestHeadSource(t *testing.T) {
	head, err := headSource(heighter{})(t.Context())
	require.NoError(t, err)
	require.Equal(t, Head{Slot: 0, Height: 7}, head)
	_, err = headSource(heighter{context.Canceled})(t.Context())
	require.ErrorIs(t, err, context.Canceled)
}

// TestAgeOfAHead: one that is exactly as old as it may be is not asked for again, and
// one from a time that the clock has not reached is of no known age.
func TestAgeOfAHead(t *testing.T) {
	c := &handClock{At: time.Now()}
	for _, row := range []struct {
		ago  time.Duration
		want bool
	}{{0, true}, {time.Second, true}, {time.Second + 1, false}, {-1, false}, {-time.Hour, false}} {
		s := sample{Head{Slot: 1000, Height: 900}, c.At.Add(-row.ago)}
		require.Equal(t, row.want, young(c, s, time.Second), "%v", row.ago)
	}
	require.True(t, young(c, sample{Head{Slot: 1000, Height: 1}, c.At}, 0))
	require.False(t, young(c, sample{Head{Slot: 1000, Height: 0}, c.At}, 0), "a height of 0 is none")
}

// TestOneQuestionForAll: callers that come while the head is asked for share the answer.
func TestOneQuestionForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		h := &heads{read: func(context.Context) (Head, error) {
			reads++
			<-time.After(time.Second)
			return Head{Slot: 1000, Height: 900}, nil
		}}
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				head, err := h.fresh(t.Context(), 0)
				require.NoError(t, err)
				require.Equal(t, Head{Slot: 1000, Height: 900}, head)
			})
		}
		all.Wait()
		require.Equal(t, 1, reads)
	})
}
