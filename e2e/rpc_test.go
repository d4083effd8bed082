package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

// submitRaw sends a signed transaction to the sandbox's node by hand.
func submitRaw(t *testing.T, s *sandbox.Sandbox, tx walletfi.Base64Transaction) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "sendTransaction",
		"params": []any{tx, map[string]string{"encoding": "base64"}},
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
