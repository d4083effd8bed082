package burnclose_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/burnclose"
)

// TestPreviewsSurviveJSON: a preview can be stored and read again.
func TestPreviewsSurviveJSON(t *testing.T) {
	const answer = `{"reclaimedLamports":"2039280","operationType":"burn","accounts":[{"mint":"M1"}],"count":1,"fees":{"x":1}}`
	again := func(from, to any) {
		t.Helper()
		require.NoError(t, json.Unmarshal([]byte(answer), from))
		text, err := json.Marshal(from)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, to))
		require.Equal(t, from, to)
	}
	again(new(burnclose.Preview), new(burnclose.Preview))
	again(new(burnclose.CloseAllPreview), new(burnclose.CloseAllPreview))
	again(new(burnclose.CloseAllSummary), new(burnclose.CloseAllSummary))
}
