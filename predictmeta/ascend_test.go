package predictmeta_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// TestCandlesticksAscend: candlesticks are oldest first, whatever the service's order.
func TestCandlesticksAscend(t *testing.T) {
	server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		list := ""
		for _, second := range []int{3, 1, 5, 2, 4} {
			list += fmt.Sprintf(`,{"timestamp":"2026-01-01T00:00:0%dZ","open":1,"high":1,"low":1,"close":1,"volume":1}`, second)
		}
		fmt.Fprintf(w, `{"ticker":"T","interval":"1m","candlesticks":[%s]}`, list[1:])
	})
	c := client(t, server.URL)
	for name, get := range map[string]func() (*predictmeta.Candlesticks, error){
		"event": func() (*predictmeta.Candlesticks, error) {
			return c.GetEventCandlesticks(t.Context(), "T", predictmeta.CandlesticksRequest{})
		},
		"market": func() (*predictmeta.Candlesticks, error) {
			return c.GetMarketCandlesticks(t.Context(), "T", predictmeta.CandlesticksRequest{})
		},
		"mint": func() (*predictmeta.Candlesticks, error) {
			return c.GetMarketCandlesticksByMint(t.Context(), "So11111111111111111111111111111111111111112", predictmeta.CandlesticksRequest{})
		},
	} {
		got, err := get()
		require.NoError(t, err, name)
		require.Len(t, got.Candlesticks, 5, name)
		for i, candle := range got.Candlesticks {
			require.Equal(t, i+1, candle.Timestamp.Second(), name)
		}
	}
}
