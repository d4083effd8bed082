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
	request := predictmeta.BooksRequest{
		Tickers: []string{streamTicker}, Updates: predictmeta.UpdatesReplace,
		Stream: predictmeta.StreamRequest{MinBackoff: time.Millisecond, MaxBackoff: time.Millisecond},
	}
	books, err := client.Books(t.Context(), request)
	require.NoError(t, err)
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
		feed.Push(fmt.Sprintf(`{"type":"orderbook_update","ticker":%q,"bids":[{"price":0.9,"quantity":1}],"asks":[{"price":0.8,"quantity":1}],"timestamp":1767225600}`, streamTicker))
		tick()
	}
	require.NoError(t, books.Close()) // so that the days to come are not pushed
	market, err := client.GetMarket(t.Context(), streamTicker)
	require.NoError(t, err)
	event, err := client.GetEvent(t.Context(), market.EventTicker, predictmeta.EventRequest{})
	require.NoError(t, err)
	box.Advance(event.CloseTime.Sub(box.Now()) - 2*time.Second)
	books, err = client.Books(t.Context(), request)
	require.NoError(t, err)
	isCurrent()
	got, _ := books.Get(streamTicker)
	require.NotEmpty(t, got.Bids())
	for range 4 {
		box.Advance(time.Second)
	}
	require.Eventually(t, func() bool {
		got, _ := books.Get(streamTicker)
		return got.Stale == nil && len(got.Bids())+len(got.Asks()) == 0
	}, 10*time.Second, time.Millisecond)
	require.NoError(t, books.Close())
	require.Empty(t, box.Violations())
}
