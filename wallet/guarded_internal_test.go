package wallet

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// TestTakenOverByItsSteps: a journal may hold an entry whose state says less than its
// steps do, because a hand or another program wrote it. What a step says may have left
// is in doubt: nobody pays again for such a key, and only what it lists can force it.
func TestTakenOverByItsSteps(t *testing.T) {
	for _, state := range []KeyState{KeyClaimed, KeySigned} {
		e, j := working(t, KeySent, KeySigned)
		e.entry.State = state
		require.NoError(t, e.takeOver(t.Context()))
		require.Equal(t, KeyInDoubt, e.entry.State, state)
		require.Equal(t, []KeyState{KeyInDoubt, KeyReleased}, []KeyState{e.entry.Steps[0].State, e.entry.Steps[1].State})
		require.Equal(t, KeyInDoubt, j.stored[0].State)

		e, _ = working(t, KeySent)
		e.w.tracker = trackerOn(&statusNode{})
		e.entry.State = state
		err := e.settleEarlier(t.Context(), nil, &Entry{})
		open, ok := errors.AsType[*UnsettledError](err)
		require.True(t, ok, "%v: %v", state, err)
		require.Equal(t, []string{"a"}, open.Signatures)
	}
}

// TestTakenOverBeforeAnySignature: what was only claimed is released, and not taken for
// paid because it has no transaction that is not confirmed.
func TestTakenOverBeforeAnySignature(t *testing.T) {
	e, j := working(t)
	require.NoError(t, e.takeOver(t.Context()))
	require.Equal(t, KeyReleased, e.entry.State)
	require.Equal(t, KeyReleased, j.stored[0].State)
}

// TestNotTakenOver: who cannot take a key over asks nobody about it, and does not pay.
func TestNotTakenOver(t *testing.T) {
	for fails, running := range map[error]bool{ErrFenced: true, errors.New("away"): false} {
		e, j := working(t, KeySent)
		n := &statusNode{}
		e.w.tracker, j.store = trackerOn(n), fails
		err := e.settleEarlier(t.Context(), []string{"a"}, &Entry{})
		open, ok := errors.AsType[*UnsettledError](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, running, open.Running)
		require.ErrorIs(t, open.Cause, fails)
		require.Empty(t, n.batches())
	}
}

// TestForceOnlyWhatIsInDoubt: what a caller may override is in the table. A state that
// this version does not know is nobody's to override.
func TestForceOnlyWhatIsInDoubt(t *testing.T) {
	for what, row := range map[string]struct {
		state  KeyState // of the entry
		force  []string
		forced bool
	}{
		"in doubt":            {KeyInDoubt, []string{"a"}, true},
		"another's signature": {KeyInDoubt, []string{"b"}, false},
		"a state from later":  {"frozen", []string{"a"}, false},
	} {
		e, _ := working(t, row.state)
		e.w.tracker = trackerOn(&statusNode{})
		var fresh Entry
		err := e.settleEarlier(t.Context(), row.force, &fresh)
		if row.forced {
			require.NoError(t, err, what)
			require.Equal(t, []string{"a"}, fresh.Overridden, what)
			continue
		}
		open, ok := errors.AsType[*UnsettledError](err)
		require.True(t, ok, "%s: %v", what, err)
		require.False(t, open.Running, what)
	}
}

// TestSetBackBeforeMoreIsSent: what is added after the clock was set back is as new as
// before, and is not given up on at once.
func TestSetBackBeforeMoreIsSent(t *testing.T) {
	c := &handClock{At: time.Now()}
	tr := trackerOn(nil)
	tr.clock, tr.running, tr.stop = c, true, func() {}
	before, after := parcelOf(1), parcelOf(1)
	tr.add(before)
	tr.mu.Lock()
	tr.setBack(c.At)
	tr.mu.Unlock()
	c.At = c.At.Add(-2 * time.Hour)
	tr.add(after)
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.setBack(c.At)
	for _, p := range []*parcel{before, after} {
		require.Equal(t, c.At, p.flights[0].since)
		require.Equal(t, c.At, p.next)
		require.Equal(t, c.At.Add(tr.pollEvery), p.flights[0].next)
	}
}

// TestSetBackWhileAHeadIsAskedFor: the next questions for a proof come as soon as they would have
// by a clock that was not set back.
func TestSetBackWhileAHeadIsAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &setBack{}
		node := &Honest{T: t, Tip: func() Head { return made(5000) }}
		p := evidence.NewProver([]any{node}, c)
		defer p.Close()
		node.Hear = func(context.Context, string) error {
			c.Off -= time.Minute
			return nil
		}
		tr := trackerOn(nil)
		tr.clock, tr.prover, tr.running, tr.stop, tr.busy = c, p, true, func() {}, []bool{true}
		all := parcelOf(2)
		due, waits := all.flights[0], all.flights[1]
		tr.add(all)
		tr.mu.Lock()
		for _, f := range all.flights {
			tr.missing(f, c.Now())
		}
		tr.prove(t.Context(), c.Now(), []*flight{due})
		tr.mu.Unlock()
		synctest.Wait()
		tr.mu.Lock()
		defer tr.mu.Unlock()
		require.Less(t, c.Off, -time.Second, "it was asked for")
		for _, f := range []*flight{due, waits} {
			require.LessOrEqual(t, f.proveAt.Sub(c.Now()), slowAfter)
			require.Equal(t, c.Now(), f.begun)
		}
	})
}
