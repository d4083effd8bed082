package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestObservedIsTheSame: a wallet that is observed comes to the same end, and its end is
// told.
func TestObservedIsTheSame(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*rig, *walletfi.Unsigned)
		want   error
		state  wallet.State
	}{
		"the signer does not answer": {func(_ *rig, u *walletfi.Unsigned) { u.Transactions = u.Transactions[:1] }, walletfi.ErrNotSent, wallet.StateNotSent},
		"the door refuses": {func(r *rig, _ *walletfi.Unsigned) {
			r.submit = func(int, walletfi.Signed) error { return walletfi.ErrNotSent }
		}, walletfi.ErrNotSent, wallet.StateNotSent},
		"it fails": {func(r *rig, _ *walletfi.Unsigned) {
			r.status = func(int, string) (walletfi.SignatureStatus, error) {
				s := found
				s.Err, s.Commitment = "Custom", walletfi.CommitmentFinalized
				return s, nil
			}
		}, wallet.ErrFailed, wallet.StateFailed},
		"it expires":    {func(r *rig, u *walletfi.Unsigned) { u.LastValidBlockHeight = 1 }, wallet.ErrExpired, wallet.StateExpired},
		"nobody knows":  {func(r *rig, _ *walletfi.Unsigned) { r.landsAt(time.Hour) }, walletfi.ErrOutcomeUnknown, wallet.StateUnknown},
		"it is carried": {func(*rig, *walletfi.Unsigned) {}, nil, wallet.StateConfirmed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				told := recorded.New(t)
				r := newRigWith(t, func(cfg *wallet.Config) {
					cfg.Observer, cfg.Journal = told, nil
					if name == "the signer does not answer" {
						cfg.Signer = brokenSigner{cfg.Signer.PublicKey()}
					}
				})
				u := r.pay(t, 2)
				c.change(r, &u)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err := r.wallet.Execute(ctx, u, wallet.ExecuteOptions{})
				ends := recorded.Ends[observe.Execution, observe.ExecutionEnd](told)
				require.Len(t, ends, 1)
				require.Equal(t, string(c.state), ends[0].End.State)
				require.False(t, ends[0].End.Earlier)
				if c.want == nil {
					require.NoError(t, err)
					return
				}
				answersTo(t, err, c.want)
				if name == "the signer does not answer" {
					require.ErrorContains(t, err, "the HSM is away")
				}
			})
		})
	}
}

// TestObservedBundle: its sends say that they are one.
func TestObservedBundle(t *testing.T) {
	for n, want := range map[int]bool{1: false, 2: true} {
		synctest.Test(t, func(t *testing.T) {
			told := recorded.New(t)
			r := watchedRig(t, told)
			r.status = func(int, string) (walletfi.SignatureStatus, error) { return found, nil }
			var sent [][]walletfi.Signed
			_, err := r.wallet.ExecuteBundle(soon(t), r.pay(t, n), bundle{&sent, nil}, wallet.ExecuteOptions{Key: "a"})
			require.NoError(t, err)
			for _, s := range recorded.Ends[observe.Submit, observe.SubmitEnd](told) {
				require.Equal(t, want, s.Op.Bundle)
			}
			require.NotEmpty(t, sent)
		})
	}
}

// TestObservedSponsor: the signature that the submitter returned is the transaction's.
func TestObservedSponsor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sponsor, err := signing.GenerateLocalKey()
		require.NoError(t, err)
		r := newRigWith(t, func(c *wallet.Config) {
			c.Guard = signing.NewGuard(signing.Policy{Sponsors: []signing.PublicKey{sponsor.PublicKey()}})
			c.Observer = recorded.New(t)
		})
		told := ""
		r.finds(&told)
		r.names = func(tx walletfi.Signed) string {
			sent, err := signing.Decode(tx.Transaction)
			require.NoError(t, err)
			s, err := sponsor.Sign(t.Context(), sent.Message())
			require.NoError(t, err)
			told = s.String()
			return told
		}
		result, err := r.wallet.Execute(soon(t), sponsored(t, r, [32]byte(sponsor.PublicKey())), wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.Equal(t, []string{told}, result.Signatures())
	})
}

// TestUnsettledIsCountedWhenItMayHaveChanged: by Settle too; and not if the journal does
// not answer.
func TestUnsettledIsCountedWhenItMayHaveChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory, _ := leftInDoubt(t)
		told := recorded.New(t)
		j := &hooked{Journal: memory}
		r := newRigWith(t, func(c *wallet.Config) {
			c.Observer, c.Journal = told, j
			c.Confirmer.(*chain).landsLate(time.Hour)
		})
		synctest.Wait()
		before := len(recorded.Events[observe.Unsettled](told))
		require.Equal(t, 1, before, "when it began")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := r.wallet.Settle(ctx)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		counts := recorded.Events[observe.Unsettled](told)
		require.Len(t, counts, 2)
		require.Equal(t, 1, counts[1].Keys)
		require.NoError(t, r.wallet.Close())

		silent := recorded.New(t)
		away := &hooked{Journal: memory, list: func(wallet.Query) error { return errors.New("away") }}
		newRigWith(t, func(c *wallet.Config) { c.Observer, c.Journal = silent, away })
		<-time.After(time.Minute)
		require.Empty(t, recorded.Events[observe.Unsettled](silent))

		none := recorded.New(t)
		idle := newRigWith(t, func(c *wallet.Config) { c.Observer, c.Journal = none, nil })
		outcomes, err := idle.wallet.Settle(soon(t))
		require.NoError(t, err)
		require.Empty(t, outcomes)
		require.Empty(t, recorded.Events[observe.Unsettled](none), "the journal is not read while all is well")
	})
}

// TestCloseWaits for what is under way in the background.
func TestCloseWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := false
		j := &hooked{Journal: wallet.NewMemoryJournal(), list: func(wallet.Query) error {
			<-time.After(time.Second)
			over = true
			return nil
		}}
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = j })
		synctest.Wait()
		require.NoError(t, r.wallet.Close())
		require.True(t, over)
	})
}

// TestAlsoNeedsNames: which services it is for.
func TestAlsoNeedsNames(t *testing.T) {
	c := newChain(t, 1001)
	cfg := wallet.Config{Guard: signing.NewGuard(signing.Policy{}), Submitter: c, Confirmer: c, Also: []walletfi.Submitter{c}}
	_, err := wallet.New(cfg)
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "alsoFor", invalid.Field)
	cfg.AlsoFor = []string{"test"}
	_, err = wallet.New(cfg)
	require.NoError(t, err)
}

// TestSameBytesElsewhere: another key's transaction that is the same, byte for byte, is in
// the way unless it is certain that it was never executed; and nothing is sent if the
// journal does not say.
func TestSameBytesElsewhere(t *testing.T) {
	for state, refused := range map[wallet.KeyState]bool{
		wallet.KeyConfirmed: true, wallet.KeyInDoubt: true, wallet.KeySigned: true, wallet.KeyReleased: false, wallet.KeyExpired: false, "away": true,
	} {
		t.Run(string(state), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				away := errors.New("away")
				probe := newRig(t)
				result, err := probe.wallet.Execute(soon(t), probe.pay(t, 2), wallet.ExecuteOptions{})
				require.NoError(t, err)
				own := result.Signatures()
				memory := wallet.NewMemoryJournal()
				j := &hooked{Journal: memory, list: func(q wallet.Query) error {
					if state == "away" && len(q.Signatures) > 0 {
						return away
					}
					return nil
				}}
				// The first step of the other key is a payment of its own.
				other := wallet.Entry{Schema: 1, Key: "key:other", Version: 1, State: state, Holder: "another", Steps: []wallet.EntryStep{
					{State: wallet.KeyConfirmed, Own: "another", Signature: "another"}, {State: state, Own: own[1], Signature: own[1]},
				}}
				if state != "away" {
					require.NoError(t, memory.Store(t.Context(), 0, other))
					require.NoError(t, memory.Renew(t.Context(), "another", time.Hour))
				}
				r := newRigWith(t, func(c *wallet.Config) { c.Journal = j })
				_, err = r.wallet.Execute(soon(t), r.pay(t, 2), wallet.ExecuteOptions{Key: "a"})
				if !refused {
					require.NoError(t, err)
					return
				}
				answersTo(t, err, walletfi.ErrNotSent)
				require.Zero(t, r.submissions())
				if state == "away" {
					require.ErrorIs(t, err, away)
					require.ErrorContains(t, err, "nothing was sent, because the journal does not answer")
				} else {
					require.ErrorContains(t, err, `is that of key "other" too`)
				}
			})
		})
	}
}
