package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/wallet"
)

// outcome is a key's outcome by w, its steps as states.
func outcome(t *testing.T, w *wallet.Wallet, key string) (whole wallet.State, steps []wallet.State, settled bool) {
	t.Helper()
	o, err := w.Outcome(t.Context(), key)
	require.NoError(t, err)
	for _, s := range o.Steps {
		steps = append(steps, s.State)
	}
	return o.State, steps, o.Settled()
}

// TestOutcomeWhileASetRuns: until the last transaction is confirmed the set runs, for this
// wallet and for one in another process, at each record and at each send. It is settled
// when nothing changes any more.
func TestOutcomeWhileASetRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const run, ok = wallet.StateRunning, wallet.StateConfirmed
		memory, told := wallet.NewMemoryJournal(), []string{}
		var both []*wallet.Wallet
		running := func(when string, want ...wallet.State) {
			told = append(told, when)
			for _, w := range both {
				whole, steps, settled := outcome(t, w, "a")
				require.Equal(t, run, whole, when)
				require.Equal(t, want, steps, when)
				require.False(t, settled, when)
			}
		}
		seconds := false
		j := &hooked{Journal: memory, store: func(_ uint64, next wallet.Entry) error {
			switch {
			case next.State == wallet.KeySigned && !seconds: // still claimed, or its second step still signed
				running("claimed")
			case next.State == wallet.KeySent && !seconds:
				running("signed", run, run)
			case next.State == wallet.KeySent:
				running("second signed", ok, run)
			}
			seconds = seconds || next.State == wallet.KeySent
			return nil
		}}
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = j })
		other := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
		both = []*wallet.Wallet{r.wallet, other.wallet}
		r.submit = func(n int, _ walletfi.Signed) error {
			running("sent", [][]wallet.State{{run, run}, {ok, run}}[n]...)
			return nil
		}
		_, err := r.wallet.Execute(soon(t), r.pay(t, 2), wallet.ExecuteOptions{Key: "a", Progress: func(confirmed, _ int) {
			if confirmed == 1 {
				running("between", ok, run)
			}
		}})
		require.NoError(t, err)
		require.Equal(t, []string{"claimed", "signed", "sent", "between", "second signed", "sent"}, told)
		for _, w := range both {
			whole, steps, settled := outcome(t, w, "a")
			require.Equal(t, ok, whole)
			require.Equal(t, []wallet.State{ok, ok}, steps)
			require.True(t, settled)
		}
	})
}

// TestOutcomeOfWhatADeadProcessLeft: nothing of it has left, but until another takes the
// key over, the process could go on. Then it is not sent, for good.
func TestOutcomeOfWhatADeadProcessLeft(t *testing.T) {
	for state, steps := range map[wallet.KeyState]int{wallet.KeyClaimed: 0, wallet.KeySigned: 2} {
		synctest.Test(t, func(t *testing.T) {
			memory := wallet.NewMemoryJournal()
			r := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
			synctest.Wait() // it has looked for what others left
			e := wallet.Entry{
				Schema: wallet.Schema, Key: "key:a", Version: 7, State: state, Holder: "dead", Since: time.Now(),
				Asked: r.pay(t, 1).Intent,
			}
			for range steps {
				e.Steps = append(e.Steps, wallet.EntryStep{State: state, Own: "own"})
			}
			require.NoError(t, memory.Renew(t.Context(), "dead", time.Minute))
			require.NoError(t, memory.Store(t.Context(), 0, e))
			whole, _, settled := outcome(t, r.wallet, "a")
			require.Equal(t, wallet.StateRunning, whole, "it is not dead yet")
			require.False(t, settled)
			require.NoError(t, memory.Renew(t.Context(), "dead", 0))
			whole, each, settled := outcome(t, r.wallet, "a")
			require.Equal(t, wallet.StateUnknown, whole)
			for _, s := range each {
				require.Equal(t, wallet.StateUnknown, s)
			}
			require.False(t, settled)
			_, err := r.wallet.Settle(soon(t))
			require.NoError(t, err)
			whole, each, settled = outcome(t, r.wallet, "a")
			require.Equal(t, wallet.StateNotSent, whole)
			require.Len(t, each, steps)
			for _, s := range each {
				require.Equal(t, wallet.StateNotSent, s)
			}
			require.True(t, settled)
		})
	}
}

// slowJournal does something between reading an entry and returning it.
type slowJournal struct {
	wallet.Journal
	read func(e wallet.Entry)
}

func (j *slowJournal) Load(ctx context.Context, key string) (wallet.Entry, error) {
	e, err := j.Journal.Load(ctx, key)
	if j.read != nil {
		j.read(e)
	}
	return e, err
}

// TestOutcomeWhileItBegins: the execution is claimed after Outcome was called, or ends
// before Outcome returns. What was read of it ran at that time.
func TestOutcomeWhileItBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := wallet.NewMemoryJournal()
		asks, hold := &slowJournal{Journal: memory}, make(chan struct{})
		r := newRigWith(t, func(c *wallet.Config) {
			c.Journal, c.Submitter = asks, gate{chain: c.Submitter.(*chain), opened: hold}
		})
		u, done := r.pay(t, 1), make(chan error, 1)
		begins := func() {
			go func() { _, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a"}); done <- err }()
			synctest.Wait()
		}
		reads := 0
		asks.read = func(e wallet.Entry) {
			if reads++; reads == 2 { // the first is that of the Execute
				require.Equal(t, wallet.KeySent, e.State)
				close(hold)
				require.NoError(t, <-done)
			}
		}
		begins()
		whole, _, settled := outcome(t, r.wallet, "a")
		require.Equal(t, wallet.StateRunning, whole, "it ended while Outcome read")
		require.False(t, settled)
		whole, _, settled = outcome(t, r.wallet, "a")
		require.Equal(t, wallet.StateConfirmed, whole)
		require.True(t, settled)
	})
	synctest.Test(t, func(t *testing.T) {
		memory, hold, done := wallet.NewMemoryJournal(), make(chan struct{}), make(chan error, 1)
		j := &hooked{Journal: memory}
		r := newRigWith(t, func(c *wallet.Config) {
			c.Journal, c.Submitter = j, gate{chain: c.Submitter.(*chain), opened: hold}
		})
		u := r.pay(t, 1)
		j.load = func(string) error {
			j.load = nil
			go func() { _, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a"}); done <- err }()
			synctest.Wait()
			return nil
		}
		whole, _, settled := outcome(t, r.wallet, "a")
		require.Equal(t, wallet.StateRunning, whole, "it began before Outcome read")
		require.False(t, settled)
		close(hold)
		require.NoError(t, <-done)
	})
}

// TestSettleOfWhatAnotherTook: the take-over failed, so that what was left may yet be sent.
func TestSettleOfWhatAnotherTook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := wallet.NewMemoryJournal()
		e := wallet.Entry{
			Schema: wallet.Schema, Key: "key:a", Version: 7, State: wallet.KeySigned, Holder: "dead",
			Steps: []wallet.EntryStep{{State: wallet.KeySigned, Own: "own"}},
		}
		require.NoError(t, memory.Store(t.Context(), 0, e))
		j := &hooked{Journal: memory, store: func(uint64, wallet.Entry) error { return wallet.ErrFenced }}
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = j })
		outcomes, err := r.wallet.Settle(soon(t))
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Len(t, outcomes, 1)
		require.Equal(t, wallet.StateUnknown, outcomes[0].State)
		require.False(t, outcomes[0].Settled())
	})
}

// TestSettleTellsWhatHoldsWhenItReturns: while Settle waits for one key, another one that
// was never sent is executed. What it says of that key is not how it found it, and is
// unknown if the execution still runs: Outcome alone says running.
func TestSettleTellsWhatHoldsWhenItReturns(t *testing.T) {
	for state, runs := range map[wallet.State]bool{wallet.StateConfirmed: false, wallet.StateUnknown: true} {
		synctest.Test(t, func(t *testing.T) {
			memory := wallet.NewMemoryJournal()
			left := signedAndLeft(t, memory)
			dies(t, memory, "b", func(r *rig) walletfi.Unsigned { return r.another(t, 2) }, nil)
			long, err := memory.Load(t.Context(), "key:b")
			require.NoError(t, err)
			late, hold := time.Now().Add(time.Minute), make(chan struct{})
			r := newRigWith(t, func(c *wallet.Config) {
				c.Confirmer.(*chain).status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
					ofB, settled := signature == long.Steps[0].Signature, time.Now().After(late)
					if ofB && !settled || !ofB && runs && open(hold) {
						return notFound, nil
					}
					return found, nil
				}
				unproven(c)
				c.Journal = memory
				if runs {
					c.Submitter = gate{chain: c.Submitter.(*chain), opened: hold}
				}
			})
			synctest.Wait() // it has taken up what it found at its start
			was, err := memory.Load(t.Context(), "key:a")
			require.NoError(t, err)
			left.Holder, left.Version = "dead", was.Version+1
			require.NoError(t, memory.Store(t.Context(), was.Version, left))
			told := make(chan []wallet.Outcome, 1)
			go func() {
				outcomes, err := r.wallet.Settle(soon(t))
				assert.Equal(t, runs, errors.Is(err, walletfi.ErrOutcomeUnknown), fmt.Sprint(err))
				told <- outcomes
			}()
			pause.For(t.Context(), 10*time.Second)
			whole, _, _ := outcome(t, r.wallet, "a")
			require.Equal(t, wallet.StateNotSent, whole)
			paid := make(chan error, 1)
			go func() {
				_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
				paid <- err
			}()
			outcomes := <-told
			close(hold)
			require.NoError(t, <-paid)
			states := map[string]wallet.State{}
			for _, o := range outcomes {
				states[o.Key] = o.State
				for _, step := range o.Steps {
					require.Equal(t, o.State, step.State)
				}
			}
			require.Equal(t, map[string]wallet.State{"a": state, "b": wallet.StateConfirmed}, states)
		})
	}
}

// open reports whether nobody has closed c.
func open(c chan struct{}) bool {
	select {
	case <-c:
		return false
	default:
		return true
	}
}

// signedAndLeft is the entry of key a, which a process that is gone has signed and not sent.
func signedAndLeft(t *testing.T, memory *wallet.MemoryJournal) wallet.Entry {
	t.Helper()
	away := false
	signedOnly := &hooked{Journal: memory, store: func(_ uint64, next wallet.Entry) error {
		if away = away || next.State == wallet.KeySent; away {
			return errLost
		}
		return nil
	}}
	gone := newRigWith(t, func(c *wallet.Config) { c.Journal = signedOnly })
	_, err := gone.wallet.Execute(soon(t), gone.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
	require.Error(t, err)
	require.NoError(t, gone.wallet.Close())
	left, err := memory.Load(t.Context(), "key:a")
	require.NoError(t, err)
	require.Equal(t, wallet.KeySigned, left.State)
	return left
}

// TestOutcomeNeverTakesBack: one process executes sets of three, another asks all the time.
// What it is told is settled stays as it is.
func TestOutcomeNeverTakesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := wallet.NewMemoryJournal()
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
		other := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
		ctx, cancel := context.WithCancel(t.Context())
		asked, ended := 0, make(chan struct{})
		seen := map[wallet.State]int{}
		go func() {
			defer close(ended)
			var last wallet.Outcome
			for ctx.Err() == nil {
				pause.For(ctx, 50*time.Millisecond)
				o, err := other.wallet.Outcome(t.Context(), "a")
				if errors.Is(err, walletfi.ErrNotFound) {
					continue
				}
				require.NoError(t, err)
				if asked++; last.State != "" && last.Settled() {
					require.Equal(t, last, o)
				}
				seen[o.State]++
				last = o
			}
		}()
		r.landsAt(3 * time.Second)
		_, err := r.wallet.Execute(soon(t), r.pay(t, 3), wallet.ExecuteOptions{Key: "a"})
		require.NoError(t, err)
		pause.For(t.Context(), time.Second)
		cancel()
		<-ended
		require.Greater(t, seen[wallet.StateRunning], 20)
		require.Greater(t, seen[wallet.StateConfirmed], 5)
		require.Len(t, seen, 2)
	})
}
