package wallet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// given notes what doors were given.
type given struct {
	mu  sync.Mutex
	all []string
}

// busyDoor takes what it is given and answers when a test lets it.
func busyDoor(name string, got *given, let chan struct{}) *door {
	return &door{name: name, send: func(ctx context.Context, signed []walletfi.Signed) (string, error) {
		got.mu.Lock()
		got.all = append(got.all, name+" "+signed[0].Signature)
		got.mu.Unlock()
		select {
		case <-let:
		case <-ctx.Done():
		}
		return "", ctx.Err()
	}}
}

// TestTurnsOfDoors: all at first, then one after the other, and none that has not
// answered.
func TestTurnsOfDoors(t *testing.T) {
	a, b, c := &door{name: "a"}, &door{name: "b"}, &door{name: "c"}
	all := []*door{a, b, c}
	for _, row := range []struct {
		sends int
		under []*door
		want  []*door
	}{
		{0, nil, all}, {0, all, all},
		{1, nil, []*door{b}}, {2, nil, []*door{c}}, {3, nil, []*door{a}}, {4, nil, []*door{b}},
		{1, []*door{b}, []*door{c}}, {1, []*door{b, c}, []*door{a}}, {2, []*door{c}, []*door{a}}, {1, all, nil},
	} {
		p := parcelOf(1, all...)
		p.sends = row.sends
		for _, d := range row.under {
			p.under[d] = true
		}
		require.Equal(t, row.want, p.turnOf(), "%v", row)
	}
}

// TestFirstSendsGoFirst: what was never sent, then what was sent least, then what waits
// longest. A door takes 128 at once, and what it has no room for stays due.
func TestFirstSendsGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got given
		let := make(chan struct{})
		d := busyDoor("d", &got, let)
		tr := trackerOn(nil)
		now := time.Now()
		send := func(due ...*parcel) {
			tr.mu.Lock()
			defer tr.mu.Unlock()
			for _, p := range due {
				tr.ready(p)
			}
			tr.send(t.Context(), now)
		}
		due := func(name string, sends int, ago time.Duration) *parcel {
			p := parcelOf(1, d)
			p.signed[0].Signature, p.flights[0].step.Signature = name, name
			p.sends, p.next = sends, now.Add(-ago)
			return p
		}
		d.under = doorWidth - 1
		twice, once, later, first := due("twice", 2, time.Hour), due("once", 1, 2*time.Second), due("later", 0, time.Second), due("first", 0, 2*time.Second)
		send(twice, once, later, first)
		synctest.Wait()
		require.Equal(t, []string{"d first"}, got.all)
		require.Equal(t, doorWidth, d.under)
		require.True(t, first.under[d])
		require.Equal(t, 1, first.sends)
		require.Equal(t, now.Add(tr.resendEvery), first.next)
		for _, p := range []*parcel{twice, once, later} {
			require.LessOrEqual(t, p.next, now, "it is still due")
			require.Empty(t, p.under)
		}
		d.under = doorWidth - 2
		send(twice, once, later)
		synctest.Wait()
		require.ElementsMatch(t, []string{"d first", "d later", "d once"}, got.all)
		require.Equal(t, 2, once.sends)
		d.under = 0
		send(twice)
		send(first)
		require.Equal(t, 2, first.sends)
		require.Equal(t, now.Add(tr.resendEvery), first.next, "it is still under way: its turn has passed")
		close(let)
		tr.calls.Wait()
		require.Empty(t, first.under)
	})
}

// TestResendsAreSpread: after the first time several doors share the interval.
func TestResendsAreSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		close(let)
		var got given
		doors := []*door{busyDoor("a", &got, let), busyDoor("b", &got, let)}
		tr := trackerOn(nil)
		p := parcelOf(1, doors...)
		now := time.Now()
		for n, want := range []time.Duration{tr.resendEvery, tr.resendEvery / 2, tr.resendEvery / 2} {
			tr.mu.Lock()
			tr.ready(p)
			tr.send(t.Context(), now)
			tr.mu.Unlock()
			tr.calls.Wait()
			require.Equal(t, now.Add(want), p.next, "round %d", n)
		}
		require.ElementsMatch(t, []string{"a s0", "b s0", "b s0", "a s0"}, got.all)
		require.Zero(t, doors[0].under+doors[1].under)
	})
}

// TestWhatADoorSays: "not sent" counts only if every door says so, and none of them may
// have sent before or may send yet.
func TestWhatADoorSays(t *testing.T) {
	refusal := errors.Join(walletfi.ErrNotSent, errors.New("refused"))
	lost := errors.New("the connection broke")
	for what, row := range map[string]struct {
		first, second error // of the two doors, in turn
		before        func(c *parcel, second *door)
		want          KeyState // "" if it is still followed
		left          bool
		lost          error
		refused       int
		text          string
	}{
		"both refuse":                          {first: refusal, second: refusal, want: KeyReleased, refused: 2, text: "refused"},
		"one refuses, one takes it":            {first: refusal, left: true, refused: 1},
		"one takes it, one refuses":            {second: refusal, left: true, refused: 1},
		"one is lost, one refuses":             {first: lost, second: refusal, left: true, lost: lost, refused: 1},
		"one refuses, one is lost":             {first: refusal, second: lost, left: true, lost: lost, refused: 1},
		"both lost":                            {first: lost, second: lost, left: true, lost: lost},
		"a limit is a matter of time":          {first: refusal, second: errors.Join(refusal, walletfi.ErrRateLimited), refused: 2},
		"a blockhash not known yet too":        {first: refusal, second: errors.Join(refusal, walletfi.ErrBlockhashNotFound), refused: 2},
		"a try that was too short too":         {first: refusal, second: errors.Join(refusal, context.DeadlineExceeded), refused: 2},
		"a refusal that is unknown":            {first: refusal, second: errors.Join(refusal, walletfi.ErrOutcomeUnknown), left: true, lost: walletfi.ErrOutcomeUnknown, refused: 1},
		"it may have left before":              {first: refusal, second: refusal, before: func(c *parcel, _ *door) { c.left = true }, left: true, refused: 2},
		"the second is under way":              {first: refusal, second: refusal, before: func(c *parcel, d *door) { c.under[&door{}] = true }, refused: 2},
		"it had refused and has now taken it":  {second: refusal, before: func(c *parcel, d *door) { c.refused = map[*door]error{c.doors[0]: refusal} }, left: true, refused: 1},
		"it had refused, and now it is lost":   {first: lost, second: refusal, before: func(c *parcel, d *door) { c.refused = map[*door]error{c.doors[0]: refusal} }, left: true, lost: lost, refused: 1},
		"the first to be lost was not the end": {first: lost, left: true, lost: lost},
	} {
		t.Run(what, func(t *testing.T) {
			tr := trackerOn(nil)
			a, b := &door{name: "a"}, &door{name: "b"}
			p := parcelOf(2, a, b)
			if row.before != nil {
				row.before(p, b)
			}
			tr.answered(a, p, "", row.first)
			for _, f := range p.flights {
				require.False(t, f.finished, "one door's word")
				require.True(t, f.hinted, "asked for at once")
				f.hinted = false
			}
			tr.answered(b, p, "", row.second)
			tr.calls.Wait()
			require.Equal(t, row.left, p.left)
			require.Len(t, p.refused, row.refused)
			if row.lost == nil {
				require.NoError(t, p.lost)
			} else {
				require.ErrorIs(t, p.lost, row.lost)
			}
			for _, f := range p.flights {
				require.Equal(t, row.want, f.verdict)
				require.Equal(t, row.want == "", f.hinted)
				if row.want != "" {
					require.ErrorIs(t, f.cause, walletfi.ErrNotSent)
					require.ErrorContains(t, f.cause, row.text)
				}
			}
		})
	}
}

// TestWatchedIsNotAskedForAtOnce: what is taken is pushed. A lost answer is asked for.
func TestWatchedIsNotAskedForAtOnce(t *testing.T) {
	for _, err := range []error{nil, errors.New("lost")} {
		tr := trackerOn(nil)
		tr.watcher = watchers(func(string, func()) func() { return nil })
		p := parcelOf(1, &door{})
		tr.answered(p.doors[0], p, "", err)
		require.Equal(t, err != nil, p.flights[0].hinted, fmt.Sprint(err))
	}
}

// watchers is a Watcher.
type watchers func(signature string, changed func()) (stop func())

func (w watchers) Watch(signature string, changed func()) (stop func()) { return w(signature, changed) }
