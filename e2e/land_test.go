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
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	var signatures []string
	for _, encoded := range u.Transactions {
		tx, err := signing.Decode(encoded)
		require.NoError(t, err)
		require.NoError(t, signing.SignUnchecked(t.Context(), tx, key))
		signature := submitRaw(t, s, tx.Base64())
		status := s.Ledger().TransactionStatus(signature)
		require.Empty(t, status.Err)
		signatures = append(signatures, signature)
	}
	return signatures
}
