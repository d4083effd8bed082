package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// land signs what a builder answered with the sandbox's wallet and executes it
// on the ledger.
func land(t *testing.T, s *sandbox.Sandbox, u walletfi.Unsigned) []string {
	t.Helper()
	var signatures []string
	for _, tx := range sign(t, s, u) {
		signature := submitRaw(t, s, tx.Transaction)
		require.Equal(t, tx.Signature, signature)
		require.Empty(t, s.Ledger().TransactionStatus(signature).Err)
		signatures = append(signatures, signature)
	}
	return signatures
}

// sign signs what a builder answered with the sandbox's wallet.
func sign(t *testing.T, s *sandbox.Sandbox, u walletfi.Unsigned) []walletfi.Signed {
	t.Helper()
	require.NotEmpty(t, u.Transactions)
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	var signed []walletfi.Signed
	for _, encoded := range u.Transactions {
		tx, err := signing.Decode(encoded)
		require.NoError(t, err)
		require.NoError(t, signing.SignUnchecked(t.Context(), tx, key))
		signed = append(signed, tx.Signed())
	}
	return signed
}
