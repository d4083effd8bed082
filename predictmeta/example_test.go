package predictmeta_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// exampleService answers as the service does, so that the examples run anywhere.
func exampleService() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/v1/search":
			io.WriteString(w, `{"results": [{"type": "event", "ticker": "RAIN-26", "title": "Rain tomorrow?", "relevance_score": 0.9}]}`)
		case "/api/v1/event/RAIN-26":
			io.WriteString(w, `{"ticker": "RAIN-26", "title": "Rain tomorrow?", "status": "active", "close_time": "2026-12-01T00:00:00Z",
				"markets": [{"ticker": "RAIN-26-Y", "yes_mint": "Y11111111111111111111111111111111", "no_mint": "N11111111111111111111111111111111", "last_price": 0.52, "volume_24h": 1200}]}`)
		case "/api/v1/orderbook/RAIN-26-Y":
			io.WriteString(w, `{"ticker": "RAIN-26-Y", "timestamp": "2026-11-30T00:00:00Z", "spread": 0.03, "mid_price": 0.525,
				"bids": [{"price": 0.5, "quantity": 40}, {"price": 0.51, "quantity": 60}], "asks": [{"price": 0.54, "quantity": 10}]}`)
		case "/api/v1/trades":
			io.WriteString(w, `{"trades": [{"id": "1", "ticker": "RAIN-26-Y", "price": 0.51, "quantity": 7, "side": "buy", "outcome": "yes", "timestamp": "2025-11-30T00:00:00Z"},
				{"id": "2", "ticker": "RAIN-26-Y", "price": 0.52, "quantity": 3, "side": "sell", "outcome": "yes", "timestamp": "2025-11-30T00:00:01Z"}], "total": 2}`)
		case "/ws":
			exampleFeed(w, r)
		}
	}))
}

func exampleFeed(w http.ResponseWriter, r *http.Request) {
	ws, err := new(websocket.Upgrader).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	if _, _, err := ws.ReadMessage(); err != nil { // the subscription
		return
	}
	wstest.Say(ws, `{"type": "price_update", "ticker": "RAIN-26-Y", "yes_price": 0.53, "no_price": 0.47, "timestamp": "2026-01-02T03:04:05Z"}`)
	wstest.Say(ws, `{"type": "orderbook_update", "ticker": "RAIN-26-Y", "bids": [{"price": 0.52, "quantity": 5}], "asks": [{"price": 0.535, "quantity": 9}],
		"timestamp": "2026-01-02T03:04:05Z"}`)
	listen(ws, nil)
}

func exampleClient(server *httptest.Server) *predictmeta.Client {
	client, err := predictmeta.New(predictmeta.Config{
		BaseURL: server.URL, WebSocketURL: "ws" + server.URL[len("http"):],
	})
	if err != nil {
		panic(err)
	}
	return client
}

func Example() {
	server := exampleService()
	defer server.Close()
	client, ctx := exampleClient(server), context.Background()

	found, err := client.Search(ctx, predictmeta.SearchRequest{Query: "rain"})
	if err != nil {
		fmt.Println(err)
		return
	}
	event, err := client.GetEvent(ctx, found.Items[0].Ticker, predictmeta.EventRequest{IncludeMarkets: new(true)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, market := range event.Markets {
		fmt.Println(found.Items[0].Title, market.Ticker, market.LastPrice, *market.Volume24h)
	}
	// Output: Rain tomorrow? RAIN-26-Y 0.52 1200
}

func ExampleOrderBook() {
	server := exampleService()
	defer server.Close()
	snapshot, err := exampleClient(server).GetOrderBook(context.Background(), "RAIN-26-Y", predictmeta.OrderBookRequest{})
	if err != nil {
		fmt.Println(err)
		return
	}
	book := snapshot.OrderBook() // sorted, whatever the service's order
	if bid, ok := book.BestBid(); ok {
		fmt.Println("best bid", bid.Price, "for", bid.Quantity)
	}
	if mid, ok := book.Mid(); ok {
		fmt.Println("mid", mid)
	}
	fmt.Println("to be sold at 0.50 or better:", book.BidDepth(snapshot.Bids[0].Price))
	// Output:
	// best bid 0.51 for 60
	// mid 0.525
	// to be sold at 0.50 or better: 100
}

func ExampleClient_AllTrades() {
	server := exampleService()
	defer server.Close()
	request := predictmeta.TradesRequest{Ticker: "RAIN-26-Y", End: time.Now()} // an end keeps the pages still
	for trade, err := range exampleClient(server).AllTrades(context.Background(), request) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(trade.Side, trade.Quantity, "at", trade.Price)
	}
	// Output:
	// buy 7 at 0.51
	// sell 3 at 0.52
}

func ExampleClient_Stream() {
	server := exampleService()
	defer server.Close()
	stream, err := exampleClient(server).Stream(context.Background(), predictmeta.StreamRequest{
		Subscriptions: []predictmeta.Subscription{{Channel: predictmeta.ChannelMarket, Ticker: "RAIN-26-Y"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stream.Close()
	for event, err := range stream.Events() {
		if err != nil {
			fmt.Println("the service refused:", err)
			return
		}
		switch e := event.(type) {
		case *predictmeta.PriceUpdate:
			fmt.Println(e.Ticker, "yes", e.YesPrice, "no", e.NoPrice)
		case *predictmeta.BookUpdate:
			spread, _ := e.OrderBook().Spread()
			fmt.Println(e.Ticker, "spread", spread)
			return
		case *predictmeta.Connected:
			fmt.Println("connected")
		case *predictmeta.Disconnected: // until the next Connected
			fmt.Println("prices are stale:", e.Err)
		case *predictmeta.Gap, *predictmeta.Dropped:
			fmt.Println("something is missing")
		}
	}
	// Output:
	// connected
	// RAIN-26-Y yes 0.53 no 0.47
	// RAIN-26-Y spread 0.015
}

func ExampleClient_Books() {
	server := exampleService()
	defer server.Close()
	books, err := exampleClient(server).Books(context.Background(), predictmeta.BooksRequest{
		Tickers: []string{"RAIN-26-Y"}, Updates: predictmeta.UpdatesReplace,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer books.Close()
	for book, err := range books.Changes() {
		if err != nil {
			fmt.Println("the service refused:", err)
			return
		}
		if book.Stale != nil {
			continue // cancel what rests on it
		}
		ask, ok := book.BestAsk() // ask.Price, of which there are book.AskDepth(ask.Price)
		fmt.Println(book.Ticker(), "can be bought:", ok && book.AskDepth(ask.Price) > 0)
		return
	}
	// Output: RAIN-26-Y can be bought: true
}
