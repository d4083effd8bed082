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

// watchedRig is a rig whose wallet is observed.
func watchedRig(t *testing.T, o observe.Observer) *rig {
	return newRigWith(t, func(cfg *wallet.Config) { cfg.Observer = o })
}

// TestObserver follows two transactions from the claim to the confirmation, the first
// of which is sent again.
func TestObserver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := recorded.New(t)
		r := newRigWith(t, func(cfg *wallet.Config) { cfg.Observer, cfg.Journal = told, nil })
		asked := time.Now()
		r.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
			if time.Since(asked) < 4*time.Second {
				return walletfi.SignatureStatus{}, nil
			}
			return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 7}, nil
		}
		u := r.pay(t, 2)
		result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "order 1"})
		require.NoError(t, err)

		owner := r.owner.String()
		whole := observe.Execution{Service: "test", Owner: owner, Transactions: 2}
		require.Equal(t, []recorded.Ended[observe.Execution, observe.ExecutionEnd]{{Op: whole, End: observe.ExecutionEnd{State: "confirmed"}}},
			recorded.Ends[observe.Execution, observe.ExecutionEnd](told))
		guard := observe.Guard{Service: "test", Owner: owner, Transactions: 2}
		require.Equal(t, []recorded.Ended[observe.Guard, observe.GuardEnd]{{Op: guard, Parent: whole}},
			recorded.Ends[observe.Guard, observe.GuardEnd](told))
		sign := recorded.Ended[observe.Sign, observe.SignEnd]{Op: observe.Sign{Service: "test", Owner: owner}, Parent: guard}
		require.Equal(t, []recorded.Ended[observe.Sign, observe.SignEnd]{sign, sign}, recorded.Ends[observe.Sign, observe.SignEnd](told))

		sends := recorded.Ends[observe.Submit, observe.SubmitEnd](told)
		require.Greater(t, len(sends), 3, "at 0 s, at 1.6 s and at 3.2 s, and the second transaction")
		for i, s := range sends {
			want := observe.Submit{Service: "test", Owner: owner, Signature: result.Steps[0].Signature, Door: "*wallet_test.chain", Number: i + 1}
			if i == len(sends)-1 {
				want.Signature, want.Number = result.Steps[1].Signature, 1
			}
			require.Equal(t, recorded.Ended[observe.Submit, observe.SubmitEnd]{Op: want, Parent: whole}, s)
		}
		confirmed := recorded.Ends[observe.Confirm, observe.ConfirmEnd](told)
		require.Len(t, confirmed, 2)
		for i, c := range confirmed {
			require.Equal(t, observe.Confirm{Service: "test", Owner: owner, Signature: result.Steps[i].Signature}, c.Op)
			require.Equal(t, whole, c.Parent)
			require.Equal(t, "confirmed", c.End.State)
			require.GreaterOrEqual(t, c.End.SinceSigned, 4*time.Second)
		}
		require.Empty(t, told.Open())
		require.Empty(t, recorded.Events[observe.Unsettled](told), "the journal is not read while all is well")

		_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "order 1"})
		require.NoError(t, err)
		again := recorded.Ends[observe.Execution, observe.ExecutionEnd](told)
		require.Equal(t, observe.ExecutionEnd{State: "confirmed", Earlier: true}, again[1].End)
		require.Len(t, recorded.Ends[observe.Guard, observe.GuardEnd](told), 1)
	})
}

// TestObserverOfRefusal: the rule that refused is told, and nothing else happens.
func TestObserverOfRefusal(t *testing.T) {
	told := recorded.New(t)
	r := watchedRig(t, told)
	u := r.pay(t, 1)
	u.Intent.Spend = nil
	_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
	require.ErrorIs(t, err, walletfi.ErrNotSent)
	refusal, ok := errors.AsType[*signing.GuardError](err)
	require.True(t, ok)
	guards := recorded.Ends[observe.Guard, observe.GuardEnd](told)
	require.Len(t, guards, 1)
	require.Equal(t, string(refusal.Rule), guards[0].End.Rule)
	require.ErrorIs(t, guards[0].End.Err, signing.ErrRefused)
	require.Equal(t, "not_sent", recorded.Ends[observe.Execution, observe.ExecutionEnd](told)[0].End.State)
	require.Empty(t, recorded.Ends[observe.Sign, observe.SignEnd](told))
	require.Empty(t, recorded.Ends[observe.Submit, observe.SubmitEnd](told))
	require.Empty(t, told.Open())
}

// TestObserverOfUnsettled: what is in doubt is counted until it is settled.
func TestObserverOfUnsettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := recorded.New(t)
		r := watchedRig(t, told)
		dark := true
		r.status = func(int, string) (walletfi.SignatureStatus, error) {
			if dark {
				return walletfi.SignatureStatus{}, errors.New("no answer")
			}
			return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 7}, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, err := r.wallet.Execute(ctx, r.pay(t, 1), wallet.ExecuteOptions{Key: "order 1"})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		confirms := recorded.Ends[observe.Confirm, observe.ConfirmEnd](told)
		require.Len(t, confirms, 1)
		require.Equal(t, "unknown", confirms[0].End.State)

		r.mu.Lock()
		dark = false
		r.mu.Unlock()
		_, err = r.wallet.Settle(soon(t))
		require.NoError(t, err)
		counts := recorded.Events[observe.Unsettled](told)
		require.NotEmpty(t, counts)
		require.Equal(t, 0, counts[len(counts)-1].Keys)
		require.Contains(t, counts, observe.Unsettled{Wallet: counts[0].Wallet, Keys: 1})
		require.NotEmpty(t, counts[0].Wallet)
		synctest.Wait() // what was sent again meanwhile is answered
		require.Empty(t, told.Open())
	})
}
