package onchaindata_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
)

// TestHighBelowLow: such a candle is kept, with the problem in the error.
func TestHighBelowLow(t *testing.T) {
	for row, ok := range map[string]bool{`[1700000060,1,2,0.5,1.5,10]`: true, `[1700000060,1,1,1,1,10]`: true, `[1700000060,1,0.4,0.5,1.5,10]`: false} {
		server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"data":{"id":"c","type":"ohlcv","attributes":{"ohlcv_list":[[1700000000,1,2,0.5,1.5,10],`+row+`]}}}`)
		})
		c := client(t, server.URL, "")
		page, err := c.ListPoolCandles(t.Context(), "n", "a", onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeMinute})
		require.Len(t, page.Items, 2, row)
		if ok {
			require.NoError(t, err, row)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrDecode, row)
		require.ErrorContains(t, err, "High")
	}
}
