package docs_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

const (
	usdcMint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	solMint  = "So11111111111111111111111111111111111111112"
	yesMint  = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
)

func dflowLike(t *testing.T, o walletfi.Options) walletfi.Options {
	t.Helper()
	file, err := deployment.Load("dflow-like.json")
	require.NoError(t, err)
	o.Deployment, o.Retry = file, walletfi.RetryPolicy{MaxRetries: new(0)}
	return o
}

// liveMarket is a market as the vendor answers it, which settles in a currency.
func liveMarket(ticker, settles string) string {
	return `{"ticker":"` + ticker + `","eventTicker":"KXSEN","title":"Who wins?","status":"active","volume":7,"openInterest":20,` +
		`"accounts":{"` + settles + `":{"marketLedger":"` + solMint + `","yesMint":"` + yesMint + `","noMint":"` + usdcMint + `","isInitialized":true}},` +
		`"yesBid":"0.45","yesAsk":"0.47","noBid":"0.53","noAsk":"0.55"}`
}

// TestDFlowLikeMarkets: markets and trades in the vendor's words and shapes, page after
// page. What the vendor does not say is no answer unless it is let through.
func TestDFlowLikeMarkets(t *testing.T) {
	server := wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path + "?" + r.URL.RawQuery {
		case "/api/v1/market/KXSEN-A?":
			io.WriteString(w, liveMarket("KXSEN-A", usdcMint))
		case "/api/v1/markets?eventTicker=KXSEN&limit=2":
			io.WriteString(w, `{"cursor":2,"markets":[`+liveMarket("A", usdcMint)+`,`+liveMarket("B", yesMint)+`]}`)
		case "/api/v1/markets?cursor=2&eventTicker=KXSEN&limit=2":
			io.WriteString(w, `{"cursor":null,"markets":[`+liveMarket("C", usdcMint)+`]}`)
		case "/api/v1/orderbook/A?":
			io.WriteString(w, `{"sequence":5,"yes_bids":{"0.45":1000,"0.44":500},"no_bids":{"0.53":1500}}`)
		case "/api/v1/trades?ticker=A":
			io.WriteString(w, `{"cursor":"","trades":[{"tradeId":"t1","ticker":"A","price":47,"count":100,"yesPrice":47,"noPrice":53,`+
				`"yesPriceDollars":"0.47","noPriceDollars":"0.53","takerSide":"no","createdTime":1702744800}]}`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	connect := func(lenient ...string) *predictmeta.Client {
		o := dflowLike(t, walletfi.Options{Lenient: lenient})
		return wiretest.Client(t, predictmeta.New, predictmeta.Config{BaseURL: server.URL, APIKey: wiretest.Key(), Options: o})
	}
	_, err := connect().GetMarket(t.Context(), "KXSEN-A")
	require.ErrorIs(t, err, walletfi.ErrDecode)
	require.ErrorContains(t, err, "last_price")
	c := connect("Market.last_price")
	market, err := c.GetMarket(t.Context(), "KXSEN-A")
	require.NoError(t, err)
	require.Equal(t, []string{"KXSEN", yesMint, usdcMint, solMint, "0.45", "0.53"},
		[]string{market.EventTicker, market.YesMint, market.NoMint, market.LedgerMint, market.YesPrice.String(), market.NoPrice.String()})
	require.Equal(t, uint64(20), *market.OpenInterest)

	mints := map[string]string{}
	for m, err := range c.AllMarkets(t.Context(), predictmeta.MarketsRequest{EventTicker: "KXSEN", Limit: new(2)}) {
		if m.Ticker == "" {
			require.NoError(t, err)
		}
		mints[m.Ticker] = m.YesMint
	}
	require.Equal(t, map[string]string{"A": yesMint, "B": "", "C": yesMint}, mints)

	_, err = c.GetOrderBook(t.Context(), "A", predictmeta.OrderBookRequest{})
	require.ErrorIs(t, err, walletfi.ErrDecode)
	book, err := connect("BookSnapshot.ticker", "BookSnapshot.timestamp").GetOrderBook(t.Context(), "A", predictmeta.OrderBookRequest{})
	require.NoError(t, err)
	require.Equal(t, "[{0.45 1000} {0.44 500}] [{0.47 1500}]", fmt.Sprint(book.Bids, book.Asks))

	trades, err := c.ListTrades(t.Context(), predictmeta.TradesRequest{Ticker: "A"})
	require.NoError(t, err)
	trade := trades.Items[0]
	require.Equal(t, "t1 0.47 100 sell yes 2023-12-16T16:40:00Z",
		fmt.Sprint(trade.ID, " ", trade.Price, " ", trade.Quantity, " ", trade.Side, " ", trade.Outcome, " ", trade.Timestamp.Format("2006-01-02T15:04:05Z")))
}

// TestDFlowLikeFeed: the feed has other messages both ways, each type with its own words,
// and a book whose levels are members.
func TestDFlowLikeFeed(t *testing.T) {
	says := []string{
		`{"channel":"prices","type":"ticker","market_ticker":"A","yes_bid":"0.45","yes_ask":"0.47","no_bid":"0.53","no_ask":"0.55"}`,
		`{"channel":"orderbook","type":"orderbook","market_ticker":"A","yes_bids":{"0.45":1000,"0.44":500},"no_bids":{"0.53":1500,"0.5":7}}`,
		`{"channel":"trades","type":"trade","market_ticker":"A","trade_id":"t1","price":47,"count":100,"yes_price":47,"no_price":53,` +
			`"yes_price_dollars":"0.47","no_price_dollars":"0.53","taker_side":"yes","created_time":1702744800123}`,
		`{"channel":"orderbook","type":"orderbook","market_ticker":"A","yes_bids":{"0.45":1000}}`,
		`{"channel":"orderbook","type":"orderbook","market_ticker":"A","yes_bids":{"0.45":1,"0.45":2},"no_bids":{}}`,
		`{"channel":"orderbook","type":"orderbook","market_ticker":"A","yes_bids":{},"no_bids":{"1.5":1}}`,
	}
	heard := make(chan string, 4)
	server := wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/ws" || r.Header.Get("X-Api-Key") == "" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		ws, err := new(websocket.Upgrader).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		for first := true; ; first = false {
			_, message, err := ws.ReadMessage()
			if err != nil {
				return
			}
			heard <- string(message)
			for i := 0; first && i < len(says); i++ {
				_ = ws.WriteMessage(websocket.TextMessage, []byte(says[i]))
			}
		}
	})
	c := wiretest.Client(t, predictmeta.New, predictmeta.Config{
		BaseURL: server.URL, WebSocketURL: strings.Replace(server.URL, "http", "ws", 1) + "/api/v1", APIKey: wiretest.Key(),
		Options: dflowLike(t, walletfi.Options{Lenient: []string{"PriceUpdate.timestamp", "BookUpdate.timestamp"}}),
	})
	s, err := c.Stream(t.Context(), predictmeta.StreamRequest{
		Subscriptions: []predictmeta.Subscription{{Channel: predictmeta.ChannelMarket, Ticker: "A"}}, KeepRaw: true,
	})
	require.NoError(t, err)
	defer s.Close()
	require.IsType(t, &predictmeta.Connected{}, event(t, s))
	require.Equal(t, `{"channel":"prices","type":"subscribe","tickers":["A"]}`, <-heard)

	price := event(t, s).(*predictmeta.PriceUpdate)
	require.Equal(t, "A 0.45 0.53", price.Ticker+" "+price.YesPrice.String()+" "+price.NoPrice.String())
	require.True(t, price.Timestamp.IsZero(), "the vendor says none")
	update := event(t, s).(*predictmeta.BookUpdate)
	require.Equal(t, says[1], update.Raw.String(), "as it came")
	require.Equal(t, "A", update.Ticker)
	require.Equal(t, "[{0.45 1000} {0.44 500}] [{0.47 1500} {0.5 7}]", fmt.Sprint(update.Bids, update.Asks))
	spread, _ := update.OrderBook().Spread()
	require.Equal(t, "0.02", spread.String())
	trade := event(t, s).(*predictmeta.TradeUpdate)
	require.Equal(t, "A 0.47 100 buy 1702744800123",
		fmt.Sprint(trade.Ticker, " ", trade.Price, " ", trade.Quantity, " ", trade.Side, " ", trade.Timestamp.UnixMilli()))
	for _, lies := range says[3:] {
		unknown := event(t, s).(*predictmeta.UnknownMessage)
		require.Error(t, unknown.Err, "a side is missing, a level is there twice, a price is none")
		require.Equal(t, lies, unknown.Raw.String())
	}
	require.NoError(t, s.Unsubscribe(predictmeta.ChannelMarket, "A"))
	require.Equal(t, `{"channel":"prices","type":"unsubscribe","tickers":["A"]}`, <-heard)
}

func event(t *testing.T, s *predictmeta.Stream) predictmeta.FeedEvent {
	t.Helper()
	e, err := s.Recv(t.Context())
	require.NoError(t, err)
	return e
}

// TestDFlowLikeSwaps: an intent and its submission under words that a quote has for
// something else, and lists without names.
func TestDFlowLikeSwaps(t *testing.T) {
	message := append(bytes.Repeat([]byte{9}, 32), make([]byte, 32+1)...)
	unsigned := base64.StdEncoding.EncodeToString(wiretest.Transaction(0, message...))
	signed := base64.StdEncoding.EncodeToString(wiretest.Transaction(7, message...))
	intent := `{"inputMint":"` + solMint + `","outputMint":"` + usdcMint + `","inAmount":"1000","outAmount":"502","minOutAmount":"500",` +
		`"otherAmountThreshold":"500","slippageBps":50,"feeBudget":1,"priceImpactPct":"0.1","lastValidBlockHeight":9,"openTransaction":"` + unsigned + `"}`
	var sent string
	server := wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/tokens":
			io.WriteString(w, `["`+solMint+`"]`)
		case "/tokens-with-decimals":
			io.WriteString(w, `[["`+solMint+`",9],["`+usdcMint+`",6]]`)
		case "/intent":
			io.WriteString(w, intent)
		case "/submit-intent":
			body, _ := io.ReadAll(r.Body)
			sent = string(body)
			io.WriteString(w, `{"orderAddress":"o1","programId":"p"}`)
		}
	})
	c := wiretest.Client(t, swap.New, swap.Config{BaseURL: server.URL, APIKey: wiretest.Key(), Options: dflowLike(t, walletfi.Options{})})
	mints, err := c.ListTokens(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{solMint}, mints.Items)
	tokens, err := c.ListTokensWithDecimals(t.Context())
	require.NoError(t, err)
	require.Equal(t, []swap.Token{{Mint: solMint, Decimals: 9}, {Mint: usdcMint, Decimals: 6}}, tokens.Items)
	built, err := c.BuildIntent(t.Context(), swap.IntentRequest{
		InputMint: solMint, OutputMint: usdcMint, Amount: 1000, Slippage: walletfi.SlippageBps(50), Owner: wiretest.Address(9),
	})
	require.NoError(t, err)
	require.Equal(t, []walletfi.Amount{500, 502}, []walletfi.Amount{built.GuaranteedOutAmount, built.EstimatedOutAmount})
	require.Equal(t, unsigned, built.Transaction.String())
	order, err := c.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: walletfi.Base64Transaction(signed), Intent: built})
	require.NoError(t, err)
	require.Equal(t, `{"signedOpenTransaction":"`+signed+`","quoteResponse":`+intent+`}`, sent, "the answer goes back as it came")
	require.Equal(t, swap.SubmittedIntent{OrderID: "o1", Status: swap.OrderSubmitted, OpenSignature: wiretest.Signature(7)}, *order)
}

// TestDFlowLikeSandbox: the sandbox speaks as the file says, by its own translation.
func TestDFlowLikeSandbox(t *testing.T) {
	o := dflowLike(t, walletfi.Options{})
	s, err := sandbox.Start(sandbox.Config{Deployment: o.Deployment})
	require.NoError(t, err)
	defer s.Close()
	c := wiretest.Client(t, predictmeta.New, predictmeta.Config{
		BaseURL: s.URL(sandbox.PredictMeta), WebSocketURL: s.PredictMeta().WSURL(),
		APIKey: walletfi.NewSecret(s.APIKey(sandbox.PredictMeta)), Options: o,
	})
	ticker := s.PredictMeta().LiveMarket().Ticker
	market, err := c.GetMarket(t.Context(), ticker)
	require.NoError(t, err)
	require.NotEmpty(t, market.YesMint)
	feed, err := c.Stream(t.Context(), predictmeta.StreamRequest{Subscriptions: []predictmeta.Subscription{
		{Channel: predictmeta.ChannelMarket, Ticker: ticker}, {Channel: predictmeta.ChannelOrderBook, Ticker: ticker},
		{Channel: predictmeta.ChannelTrades, Ticker: ticker},
	}, KeepRaw: true})
	require.NoError(t, err)
	defer feed.Close()
	raw := map[string]string{}
	for len(raw) < 3 {
		s.Advance(time.Second)
		switch e := event(t, feed).(type) {
		case *predictmeta.PriceUpdate:
			raw["prices"] = e.Raw.String()
			require.Positive(t, e.YesPrice.Sign())
		case *predictmeta.BookUpdate:
			raw["book"] = e.Raw.String()
			require.NotEmpty(t, append(e.Bids, e.Asks...))
		case *predictmeta.TradeUpdate:
			raw["trades"] = e.Raw.String()
			require.Equal(t, ticker, e.Ticker)
		case *predictmeta.UnknownMessage:
			require.NoError(t, e.Err, e.Raw) // the sandbox says that it has subscribed
		}
	}
	require.Contains(t, raw["prices"], `"yes_bid":`)
	require.Contains(t, raw["book"], `"no_bids":{`)
	require.Contains(t, raw["trades"], `"taker_side":`)
	require.Empty(t, s.Violations())
}
