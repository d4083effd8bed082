package sandbox_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// answers is the status of a GET from the prediction markets.
func (b *trader) answers(path string) int {
	b.t.Helper()
	response, err := b.client.Get(b.URL(sandbox.PredictMeta) + path)
	require.NoError(b.t, err)
	require.NoError(b.t, response.Body.Close())
	return response.StatusCode
}

// Prediction markets that closed long ago leave nothing behind, except those of
// whose tokens somebody has an account.
func TestLongRunPredictionMarketsAreLetGo(t *testing.T) {
	b := newTrader(t, sandbox.Config{ManualClock: true, NoLimits: true})
	const day = 24 * time.Hour
	var dropped, kept struct {
		YesMint    string `json:"yes_mint"`
		LedgerMint string `json:"ledger_mint"`
	}
	meta := b.URL(sandbox.PredictMeta)
	b.do("GET", meta+"/api/v1/market/BTC-R4-M1", "", &dropped)
	b.do("GET", meta+"/api/v1/market/SOL-R4-M2", "", &kept)
	require.NoError(t, b.Ledger().FundToken(b.WalletAddress(), kept.YesMint, 5))
	routes := func(event, market, mint string) []string {
		return []string{
			"/api/v1/event/" + event, "/api/v1/event/" + event + "/candlesticks?interval=1d", "/api/v1/milestones/" + event,
			"/api/v1/market/" + market, "/api/v1/market/" + market + "/candlesticks?interval=1d", "/api/v1/orderbook/" + market,
			"/api/v1/trades?ticker=" + market, "/api/v1/market/by-mint/" + mint, "/api/v1/trades/by-mint/" + mint,
		}
	}
	b.Advance(60 * day) // the round closed six hours after the start
	for _, path := range routes("BTC-R4", "BTC-R4-M1", dropped.YesMint) {
		assert.Equal(t, http.StatusOK, b.answers(path), "within 60 days of the close: %s", path)
	}
	_, there := b.Ledger().Account(dropped.LedgerMint)
	assert.True(t, there)

	b.Advance(4 * day)
	for _, path := range routes("BTC-R4", "BTC-R4-M1", dropped.YesMint) {
		assert.Equal(t, http.StatusNotFound, b.answers(path), "long after the close: %s", path)
	}
	_, there = b.Ledger().Account(dropped.LedgerMint)
	assert.False(t, there)
	for _, path := range routes("SOL-R4", "SOL-R4-M1", kept.YesMint) {
		assert.Equal(t, http.StatusOK, b.answers(path), "whose tokens the wallet holds: %s", path)
	}

	b.Advance(100 * day)
	before := heap()
	b.Advance(2 * 365 * day)
	after := heap()
	t.Logf("two years: %.2f MiB", float64(after-before)/mib)
	assert.Less(t, after-before, mib)
	var events struct{ Total int }
	b.do("GET", meta+"/api/v1/events?status=active", "", &events)
	assert.Positive(t, events.Total, "new rounds went on")
	assert.Empty(t, b.Violations())
}
