package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestBooksOfTheSandbox: through lost connections, unreadable and crossed books, a book
// that may be traded on is the one that the service has; that of a market that closes is
// empty.
func TestBooksOfTheSandbox(t *testing.T) {
	box := flows.Start(t, sandbox.Config{ManualClock: true, NoLimits: true})
	client := flows.PredictMeta(t, box)
	books, err := client.Books(t.Context(), predictmeta.BooksRequest{
		Tickers: []string{streamTicker}, Updates: predictmeta.UpdatesReplace,
		Stream: predictmeta.StreamRequest{MinBackoff: time.Millisecond, MaxBackoff: time.Millisecond},
	})
	require.NoError(t, err)
	defer books.Close()
	feed := box.PredictMeta().Feed()
	isCurrent := func() {
		t.Helper()
		want, err := client.GetOrderBook(t.Context(), streamTicker, predictmeta.OrderBookRequest{})
		require.NoError(t, err)
		sides := func(b *predictmeta.OrderBook) string { return fmt.Sprint(b.Bids(), b.Asks(), b.Timestamp()) }
		require.Eventually(t, func() bool {
			got, _ := books.Get(streamTicker)
			return got.Stale == nil && sides(want.OrderBook()) == sides(got.OrderBook)
		}, 10*time.Second, time.Millisecond)
	}
	tick := func() {
		t.Helper()
		box.Advance(time.Second)
		isCurrent()
	}
	isCurrent()
	for range 20 {
		tick()
		feed.Drop()
		isCurrent()
		tick()
		feed.Push(fmt.Sprintf(`{"type":"orderbook_update","ticker":%q,"bids":[{"price":"1.2","quantity":1}],"asks":[]}`, streamTicker))
		isCurrent()
		feed.Push(fmt.Sprintf(`{"type":"orderbook_update","ticker":%q,"bids":[{"price":0.9,"quantity":1}],"asks":[{"price":0.8,"quantity":1}]}`, streamTicker))
		tick()
	}
	market, err := client.GetMarket(t.Context(), streamTicker)
	require.NoError(t, err)
	event, err := client.GetEvent(t.Context(), market.EventTicker, predictmeta.EventRequest{})
	require.NoError(t, err)
	box.Advance(event.CloseTime.Sub(box.Now()) - time.Second)
	tick()
	tick()
	got, _ := books.Get(streamTicker)
	require.Empty(t, got.Bids())
	require.Empty(t, got.Asks())
	require.Empty(t, box.Violations())
}
