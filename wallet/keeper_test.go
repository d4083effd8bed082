package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestDeadProcessIsTakenUp: what a process that died left is asked for within its lease
// and a third of ours, and settled.
func TestDeadProcessIsTakenUp(t *testing.T) {
	for _, lease := range []time.Duration{15 * time.Second, 30 * time.Second, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			memory := wallet.NewMemoryJournal()
			first := dies(t, memory, "a", func(r *rig) walletfi.Unsigned { return r.pay(t, 1) }, nil)
			e := first.entry(t, "key:a")
			e.Holder, e.Version = "the dead", e.Version+1
			require.NoError(t, memory.Store(t.Context(), e.Version-1, e))
			require.NoError(t, memory.Renew(t.Context(), "the dead", lease))
			died := time.Now()
			r := newRigWith(t, func(c *wallet.Config) {
				c.Journal, c.Lease = memory, lease
				c.Confirmer.(*chain).landsLate(0)
			})
			for r.entry(t, "key:a").State != wallet.KeyConfirmed {
				require.Less(t, time.Since(died), time.Hour)
				pause.For(t.Context(), 100*time.Millisecond)
			}
			require.GreaterOrEqual(t, time.Since(died), lease, "it may have been alive")
			require.LessOrEqual(t, time.Since(died), lease+lease/3+time.Second)
		})
	}
}

// TestUnknownIsAskedForLessOften: a key that stays unknown is looked at again and again,
// after pauses that grow up to three quarters of a minute.
func TestUnknownIsAskedForLessOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory, _ := leftInDoubt(t)
		begun := time.Now()
		var last time.Time
		var looks []time.Duration
		newRigWith(t, func(c *wallet.Config) {
			ledger := c.Confirmer.(*chain)
			ledger.status = func(int, string) (walletfi.SignatureStatus, error) {
				if time.Since(last) > 5*time.Second { // within a look, each four seconds at least
					looks = append(looks, time.Since(begun))
				}
				last = time.Now()
				return notFound, nil
			}
			unproven(c)
			c.Journal = memory
		})
		pause.For(t.Context(), 2*time.Hour)
		synctest.Wait()
		require.Zero(t, looks[0].Round(time.Second))
		require.InDelta(t, 100, looks[1].Seconds(), 10, "the first lasts as long as ConfirmTimeout")
		for i := 1; i < len(looks)-1; i++ {
			pause := max(looks[i].Seconds()/20, 10)
			require.InDelta(t, 25+pause, (looks[i+1] - looks[i]).Seconds(), 11, "look %d, and the pause after it", i)
		}
		require.Greater(t, len(looks), 40)
		require.Less(t, len(looks), 80)
	})
}

// TestAskingDoesNotKeepItFromLanding: who executes a key again and again, because its
// outcome is unknown, does not keep the wallet from sending the same bytes again.
func TestAskingDoesNotKeepItFromLanding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := wallet.NewMemoryJournal()
		dies(t, memory, "a", func(r *rig) walletfi.Unsigned { return r.pay(t, 1) }, nil)
		r := newRigWith(t, func(c *wallet.Config) {
			c.Journal = memory
			c.Confirmer.(*chain).landsLate(24 * time.Hour)
		})
		for range 57 {
			_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			pause.For(t.Context(), 700*time.Millisecond) // not when the wallet looks
		}
		require.GreaterOrEqual(t, r.submissions(), 3)
	})
}

// TestProofThatBecomesPossibleLater: a node that can show nothing for half an hour, or
// has a gap that is filled then, settles the key when it can. Until then the journal's
// reader is told what is missing.
func TestProofThatBecomesPossibleLater(t *testing.T) {
	const unknown = "it is not known when its blockhash ends: node 1 has not shown it valid, nor its block: "
	const twice = "node 1 has not shown twice that a store with the whole window does not have it: "
	for missing, spoil := range map[string]func(question string) bool{
		unknown + "away": func(string) bool { return true },
		twice + "away":   func(question string) bool { return question == "absence of 1" },
	} {
		synctest.Test(t, func(t *testing.T) {
			memory := wallet.NewMemoryJournal()
			first := dies(t, memory, "a", func(r *rig) walletfi.Unsigned { return r.pay(t, 1) }, nil)
			begun := time.Now()
			r := newRigWith(t, func(c *wallet.Config) {
				c.Journal = memory
				ledger := c.Confirmer.(*chain)
				ledger.begun, ledger.born = first.begun, first.born
				ledger.landsLate(24 * time.Hour)
				ledger.Hear = func(_ context.Context, question string) error {
					if time.Since(begun) < 30*time.Minute && spoil(question) {
						return errors.New("away")
					}
					return nil
				}
			})
			pause.For(t.Context(), 29*time.Minute)
			require.Equal(t, missing, r.open(t)[0].Missing)
			for r.entry(t, "key:a").State != wallet.KeyExpired {
				require.Less(t, time.Since(begun), 2*time.Hour, "%s\n%+v", missing, r.open(t))
				pause.For(t.Context(), time.Second)
			}
			require.GreaterOrEqual(t, time.Since(begun), 30*time.Minute, missing)
			require.LessOrEqual(t, time.Since(begun), 37*time.Minute, missing)
			require.Empty(t, r.open(t))
		})
	}
}

// TestHeadIsNotOlderThanWhatIsKnown: a node that is far behind does not have signed what
// has ended by a finalized block that the wallet or its journal knows.
func TestHeadIsNotOlderThanWhatIsKnown(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			memory := wallet.NewMemoryJournal()
			r := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
			r.mu.Lock()
			r.height += 400
			r.mu.Unlock()
			u := r.pay(t, 1)
			u.LastValidBlockHeight = 1500
			_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a"})
			require.NoError(t, err)
			synctest.Wait()
			known := r.entry(t, "ledger").Ledger
			require.Equal(t, "genesis", known.Genesis)
			require.Equal(t, wallet.Head{Slot: 2401 - wallet.Finality, Height: 1401 - wallet.Finality}, known.Final)
			if restart {
				require.NoError(t, r.wallet.Close())
				r = newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
				r.mu.Lock()
				r.height += 400
				r.mu.Unlock()
			}
			pause.For(t.Context(), 2*time.Second) // what was told is not fresh any more
			r.Lag = 300
			u = r.pay(t, 1)
			u.Transactions[0] = r.transfer(t, 1, 9)
			u.LastValidBlockHeight = known.Final.Height
			_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "b"})
			answersTo(t, err, wallet.ErrExpired)
			u.LastValidBlockHeight++
			_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "b"})
			require.NoError(t, err)
		})
	}
}
