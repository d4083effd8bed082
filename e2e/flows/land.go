package flows

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// Land signs what a builder answered with the sandbox's wallet and executes it
// on the ledger.
func Land(t *testing.T, s *sandbox.Sandbox, u walletfi.Unsigned) []string {
	t.Helper()
	var signatures []string
	for _, tx := range Sign(t, s, u) {
		signature := Submit(t, s, tx.Transaction)
		require.Equal(t, tx.Signature, signature)
		require.Empty(t, s.Ledger().TransactionStatus(signature).Err)
		signatures = append(signatures, signature)
	}
	return signatures
}

// Sign has the guard check and sign what a builder answered, under the intent
// that the builder derived: no honest transaction may be refused.
func Sign(t *testing.T, s *sandbox.Sandbox, u walletfi.Unsigned) []walletfi.Signed {
	t.Helper()
	require.NotEmpty(t, u.Transactions)
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	txs, report, err := signing.NewGuard(Policy(s)).SignSet(t.Context(), u, key)
	require.NoError(t, err, "%s", report)
	signed := make([]walletfi.Signed, len(txs))
	for i, tx := range txs {
		signed[i] = tx.Signed()
	}
	return signed
}

// Pins are the sandbox's program ids.
func Pins(s *sandbox.Sandbox) map[string][]signing.PublicKey {
	all := map[string][]signing.PublicKey{}
	for _, service := range sandbox.Services() {
		all[string(service)] = []signing.PublicKey{signing.MustPublicKey(s.ProgramID(service))}
	}
	return all
}

// Policy pins the sandbox's programs, and allows every service blind.
func Policy(s *sandbox.Sandbox) signing.Policy {
	pins := Pins(s)
	return signing.Policy{Pins: pins, AllowBlind: slices.Collect(maps.Keys(pins))}
}

// Submit sends a signed transaction to the sandbox's node by hand.
func Submit(t *testing.T, s *sandbox.Sandbox, tx walletfi.Base64Transaction) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "sendTransaction",
		"params": []any{tx, map[string]string{"encoding": "base64", "preflightCommitment": "processed"}},
	})
	require.NoError(t, err)
	resp, err := http.Post(s.URL(sandbox.RPC), "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	var answer struct {
		Result string
		Error  json.RawMessage
	}
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
	require.Empty(t, string(answer.Error))
	return answer.Result
}
