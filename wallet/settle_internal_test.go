package wallet

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
)

// TestDoorsOfAnEarlierProcess: those that were given the bytes and that this wallet has,
// for five minutes after signing; on a durable nonce for ever.
func TestDoorsOfAnEarlierProcess(t *testing.T) {
	c := &handClock{At: time.Now()}
	a, b := &door{name: "a"}, &door{name: "b"}
	w := &Wallet{clock: c, doors: map[string]*door{"a": a, "b": b}}
	for _, row := range []struct {
		ago   time.Duration
		nonce string
		given []string
		want  []*door
	}{
		{time.Second, "", []string{"b", "relay", "a"}, []*door{b, a}},
		{time.Second, "", nil, nil},
		{5 * time.Minute, "", []string{"a"}, []*door{a}},
		{5*time.Minute + 1, "", []string{"a"}, nil},
		{24 * time.Hour, "account", []string{"a"}, []*door{a}},
	} {
		e := Entry{SignedAt: c.At.Add(-row.ago), Steps: []EntryStep{{}, {Doors: row.given, NonceAccount: row.nonce}}}
		require.Equal(t, row.want, w.recorded(e, 1), "%v", row)
	}
}

// TestStoppedBeforeItBegan: what nobody waits for any more is not followed.
func TestStoppedBeforeItBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, stopped := range []bool{true, false} {
			e, j := working(t, KeyInDoubt)
			n := &statusNode{}
			e.w.tracker = trackerOn(n)
			f := &follower{e: e, done: atwork.NewGate()}
			e.free = func() { f.done.Open() }
			if stopped {
				f.stop(errors.New("enough"))
			}
			f.begin(f.e.entry.open())
			<-time.After(10 * time.Second)
			synctest.Wait()
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			require.Equal(t, stopped, f.done.Wait(ended) == nil, "it is followed until somebody stops it")
			f.stop(errors.New("enough"))
			require.NoError(t, f.done.Wait(t.Context()))
			require.Equal(t, KeyInDoubt, j.stored[len(j.stored)-1].Steps[0].State)
			require.Empty(t, j.stored[len(j.stored)-1].Holder, "another may take it up")
			e.w.tracker.close()
		}
	})
}

// TestTakenUpByAnother: if the journal says so, the follower has nothing to do.
func TestTakenUpByAnother(t *testing.T) {
	e, j := working(t, KeyInDoubt)
	e.w.running = map[string]*follower{}
	listed := e.entry
	listed.Version--
	j.store = ErrFenced
	f := e.w.adopt(t.Context(), listed, 0)
	require.NotNil(t, f)
	require.NoError(t, f.done.Wait(t.Context()))
	require.False(t, e.w.works(listed.Key))
	require.Empty(t, j.stored)
	require.Empty(t, e.w.tracker.parcels)
	require.False(t, e.w.tracker.running)

	// What an Execute works on is not adopted, nor anything by a closed wallet.
	j.store = nil
	free, ok := e.w.occupy(listed.Key, nil)
	require.True(t, ok)
	require.Nil(t, e.w.adopt(t.Context(), e.entry, 0))
	free()

	// Of two that adopt it at once, both get what follows it.
	faster := &follower{done: atwork.NewGate()}
	listed = e.entry
	listed.Holder = "another"
	e.w.journal = meanwhile{j, func() { free, ok = e.w.occupy(listed.Key, faster) }}
	require.Same(t, faster, e.w.adopt(t.Context(), listed, 0))
	require.True(t, ok)
	free()
	e.w.closed = true
	require.True(t, e.w.isClosed())
	require.Nil(t, e.w.adopt(t.Context(), e.entry, 0))
}

// meanwhile is a journal that something happens in the middle of.
type meanwhile struct {
	Journal
	happens func()
}

func (j meanwhile) Alive(context.Context, string) (bool, error) {
	j.happens()
	return false, nil
}

// TestWaitForAFollower: an Execute that has to wait until the background lets go of its
// key does so no longer than its context.
func TestWaitForAFollower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := working(t, KeyInDoubt)
		e.w.running = map[string]*follower{}
		f := &follower{e: e, done: atwork.NewGate()}
		free, ok := e.w.occupy("key:a", f)
		require.True(t, ok)
		require.True(t, e.w.works("key:a"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := e.w.begin(ctx, "key:a")
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, errInterrupted, f.stopped)
		time.AfterFunc(time.Second, func() { free(); f.done.Open() })
		begun := time.Now()
		free, err = e.w.begin(t.Context(), "key:a")
		require.NoError(t, err)
		require.Equal(t, time.Second, time.Since(begun))
		_, err = e.w.begin(t.Context(), "key:a")
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "an Execute does not make way")
		free()
		e.w.closed = true
		_, err = e.w.begin(t.Context(), "key:a")
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		require.ErrorContains(t, err, errClosed.Error())
	})
}

// TestUntold: only a derived key that was confirmed in the background has to be told.
func TestUntold(t *testing.T) {
	for _, row := range []struct{ derived, found, want bool }{{true, true, true}, {true, false, false}, {false, true, false}} {
		synctest.Test(t, func(t *testing.T) {
			e, j := working(t, KeyInDoubt)
			n := &statusNode{}
			n.found.Store(row.found)
			e.w.tracker = trackerOn(n)
			e.w.tracker.timeout = 10 * time.Second
			e.entry.Derived = row.derived
			f := &follower{e: e, done: atwork.NewGate()}
			e.free = func() { f.done.Open() }
			f.begin(f.e.entry.open())
			require.NoError(t, f.done.Wait(t.Context()))
			require.Equal(t, row.want, j.stored[0].Untold)
			for range 2 { // two that settle share it
				require.Len(t, f.outcome(t.Context()).Steps, 1)
			}
			e.w.tracker.close()
		})
	}
}
