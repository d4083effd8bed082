package amm

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFormerNamesAreKept: what an earlier version stored, and the key that it derived, are those
// of the types that had other names then.
func TestFormerNamesAreKept(t *testing.T) {
	asked := BuildRequest{Quote: &Quote{}, Owner: "o"}.intent().Asked
	require.Equal(t, "amm.SwapRequest", asked["request"])
	require.Equal(t, "o", asked["Owner"])

	var read Transaction
	require.NoError(t, json.Unmarshal([]byte(`{"type":"amm.Swap","answer":[{"transaction":"AQ=="}],"raw":"[{\"transaction\":\"AQ==\"}]","intent":{"owner":"o"}}`), &read))
	require.Equal(t, "o", read.Unsigned().Intent.Owner)
	require.Len(t, read.Transactions, 1)
	written, err := json.Marshal(read)
	require.NoError(t, err)
	require.Contains(t, string(written), `"type":"amm.Swap"`)
}
