package wallet_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

func TestOnlyWhatWasApprovedIsSigned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		shown, other := r.pay(t, 1), r.pay(t, 1)
		other.Transactions[0] = r.transfer(t, 1, 77) // the same on another blockhash
		_, report, err := signing.NewGuard(signing.Policy{}).CheckSet(t.Context(), shown)
		require.NoError(t, err)

		result, err := r.wallet.Execute(soon(t), other, wallet.ExecuteOptions{Key: "a", Approved: report.Digest()})
		var refusal *signing.GuardError
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, signing.RuleApproval, refusal.Rule)
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		require.Equal(t, refusal, result.Report.Refusal)
		require.Zero(t, r.submissions())

		result, err = r.wallet.Execute(soon(t), shown, wallet.ExecuteOptions{Key: "a", Approved: report.Digest()})
		require.NoError(t, err)
		require.True(t, result.Confirmed())
		require.Equal(t, 1, r.submissions())
	})
}

func TestOneWalletSignsForManyOwners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var owner signing.Signer
		r := newRigWith(t, func(cfg *wallet.Config) { owner, cfg.Signer = cfg.Signer, nil })
		u := r.pay(t, 1)

		_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a"})
		var missing *walletfi.ValidationError
		require.ErrorAs(t, err, &missing)
		require.Equal(t, "signer", missing.Field)
		require.ErrorIs(t, err, walletfi.ErrNotSent)

		stranger, err := signing.GenerateLocalKey()
		require.NoError(t, err)
		_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a", Signer: stranger})
		require.ErrorIs(t, err, walletfi.ErrNotSent, "the intent has another owner")
		require.Zero(t, r.submissions())

		result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a", Signer: owner})
		require.NoError(t, err)
		require.True(t, result.Confirmed())
	})
}
