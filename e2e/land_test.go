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

// sign has the guard check and sign what a builder answered, under the intent
// that the builder derived: no honest transaction may be refused.
func sign(t *testing.T, s *sandbox.Sandbox, u walletfi.Unsigned) []walletfi.Signed {
	t.Helper()
	require.NotEmpty(t, u.Transactions)
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	txs, report, err := signing.NewGuard(signing.Policy{Pins: pins(s)}).SignSet(t.Context(), u, key)
	require.NoError(t, err, "%s", report)
	signed := make([]walletfi.Signed, len(txs))
	for i, tx := range txs {
		signed[i] = tx.Signed()
	}
	return signed
}

// pins are the sandbox's program ids.
func pins(s *sandbox.Sandbox) map[string][]signing.PublicKey {
	all := map[string][]signing.PublicKey{}
	for _, service := range sandbox.Services() {
		all[string(service)] = []signing.PublicKey{signing.MustPublicKey(s.ProgramID(service))}
	}
	return all
}
