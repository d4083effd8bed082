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

// TestFailureOnAForkIsNotFinal: what failed where one node saw it may succeed
// where the cluster goes.
func TestFailureOnAForkIsNotFinal(t *testing.T) {
	for _, commitment := range []walletfi.Commitment{walletfi.CommitmentProcessed, walletfi.CommitmentConfirmed, ""} {
		for _, stays := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				r.status = func(asked int, _ string) (walletfi.SignatureStatus, error) {
					if asked < 3 || stays {
						return walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: commitment}, nil
					}
					return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed}, nil
				}
				_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
				if stays {
					answersTo(t, err, walletfi.ErrOutcomeUnknown)
					require.NotErrorIs(t, err, walletfi.ErrRejected, "it never becomes final")
					return
				}
				require.NoError(t, err)
				require.Equal(t, 3, r.asked)
			})
		}
	}
}

func TestAlwaysEnds(t *testing.T) {
	away := errors.New("the node is away")
	for name, c := range map[string]struct {
		status walletfi.SignatureStatus
		err    error
	}{
		"no answer":                {err: away},
		"found, never confirmed":   {status: walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentProcessed}},
		"a commitment of no known": {status: walletfi.SignatureStatus{Found: true, Commitment: "optimistic"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				r.height = lastValid - 5
				r.status = func(int, string) (walletfi.SignatureStatus, error) { return c.status, c.err }
				begun := time.Now()
				result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
				require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
				require.Equal(t, []wallet.State{wallet.StateUnknown}, states(result))
				require.InDelta(t, 90, time.Since(begun).Seconds(), 4, "ConfirmTimeout")
				require.Len(t, r.open(t), 1)
				if c.err != nil {
					require.ErrorIs(t, err, away)
				}
			})
		})
	}
}

func TestFinalizedIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { c.Commitment = walletfi.CommitmentFinalized })
		commitments := []walletfi.Commitment{walletfi.CommitmentProcessed, walletfi.CommitmentConfirmed, walletfi.CommitmentFinalized}
		r.status = func(asked int, _ string) (walletfi.SignatureStatus, error) {
			return walletfi.SignatureStatus{Found: true, Commitment: commitments[min(asked-1, 2)]}, nil
		}
		result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.Equal(t, walletfi.CommitmentFinalized, result.Steps[0].Status.Commitment)
		require.Equal(t, 3, r.asked)
	})
}

func TestSameIntentAgainAfterSuccess(t *testing.T) {
	r := newRig(t)
	for salt := range byte(2) {
		u := r.pay(t, 1)
		u.Transactions[0] = r.transfer(t, 1, 70+salt)
		_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		require.NoError(t, err)
	}
	require.Equal(t, 2, r.submissions())
}

func TestExpiredSetIsNotSigned(t *testing.T) {
	r := newRig(t)
	r.height = lastValid
	result, err := r.wallet.Execute(soon(t), r.pay(t, 2), wallet.ExecuteOptions{})
	require.Error(t, err)
	require.NotNil(t, result.Report.Refusal)
	require.Empty(t, result.Steps)
	require.Zero(t, r.submissions())
}

func TestEmptySetIsRefused(t *testing.T) {
	r := newRig(t)
	u := r.pay(t, 1)
	u.Transactions = nil
	_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "transactions", invalid.Field)
}

const (
	lifetime = 150 // blocks for which a blockhash is good
	proven   = 300 // blocks after which it is proven that it has ended, at the latest
)

func TestExpiredIntentMayBeSignedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r.status = func(int, string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, nil }
		u := r.pay(t, 1)
		_, err := r.wallet.Execute(ctx, u, wallet.ExecuteOptions{})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		require.ErrorContains(t, err, "may still land")
		require.Equal(t, 1, r.submissions())

		pause.For(t.Context(), proven*slotTime)
		r.mu.Lock() // the tracker still asks
		r.status = nil
		r.sent = nil
		r.mu.Unlock()
		u.LastValidBlockHeight += proven
		_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		require.NoError(t, err, "it is not there, and cannot land any more")
		require.Equal(t, 1, r.submissions())
	})
}

func TestBundleLeavesAllOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, unproven)
		r.status = func(int, string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, nil }
		u := r.pay(t, 2)
		result, err := r.wallet.ExecuteBundle(soon(t), u, bundle{new([][]walletfi.Signed), errLost}, wallet.ExecuteOptions{})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Equal(t, []wallet.State{wallet.StateUnknown, wallet.StateUnknown}, states(result))
		var open []string
		for _, left := range r.open(t) {
			open = append(open, left.Signature)
		}
		require.ElementsMatch(t, result.Signatures(), open)
	})
}

// TestLedgerThatJumps: a test moves its ledger's clock ahead. What is signed then
// is held against the height of then, and nothing is proven with it.
func TestLedgerThatJumps(t *testing.T) {
	r := newRig(t)
	_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
	require.NoError(t, err)
	r.height += 400_000
	u := r.pay(t, 1)
	u.LastValidBlockHeight, u.Transactions[0] = r.height+100, r.transfer(t, 1, 77)
	_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
	require.NoError(t, err)
}

// TestOutcomeByKey: what a program that was restarted asks of each of its payments.
func TestOutcomeByKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		_, err := r.wallet.Outcome(t.Context(), "order 1")
		require.ErrorIs(t, err, walletfi.ErrNotFound)
		_, err = r.wallet.Outcome(t.Context(), "")
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest)

		unsigned := r.pay(t, 1)
		result, err := r.wallet.Execute(soon(t), unsigned, wallet.ExecuteOptions{Key: "order 1"})
		require.NoError(t, err)
		got, err := r.wallet.Outcome(t.Context(), "order 1")
		require.NoError(t, err)
		require.Equal(t, "order 1", got.Key)
		require.True(t, got.Settled())
		require.Len(t, got.Steps, 1)
		require.Equal(t, wallet.StateConfirmed, got.Steps[0].State)
		require.Equal(t, result.Signatures()[0], got.Steps[0].Signature)
		require.Equal(t, unsigned.Intent.Owner, got.Intent.Owner)
	})
}
