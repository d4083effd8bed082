package predictmeta_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// madeUp is a deployment with words of its own; those of the two prices are
// exchanged.
var madeUp = wiretest.Words{
	Headers:  map[string]string{"x-api-key": "x-acme-key"},
	Segments: map[string]string{"ws": "acme-feed"},
	Keys: map[string]string{
		"ticker": "acmeTicker", "yes_price": "no_price", "no_price": "yes_price", "bids": "buyers", "action": "do", "timestamp": "at",
	},
	Values: map[string]map[string]string{
		"type": {"price_update": "acme_price", "orderbook_update": "acme_book"}, "side": {"buy": "BID"},
		"action": {"subscribe": "watch"}, "channel": {"market": "acme_market"},
	},
}

// acme plays the feed in live words, and keeps what it was asked.
type acme struct {
	upgrader websocket.Upgrader
	says     []string

	mu      sync.Mutex
	heard   []string
	request *http.Request
}

func (a *acme) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/acme-feed" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	ws, err := a.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	_, asked, err := ws.ReadMessage()
	if err != nil {
		return
	}
	a.mu.Lock()
	a.request, a.heard = r, append(a.heard, string(asked))
	a.mu.Unlock()
	for _, text := range a.says {
		wstest.Say(ws, text)
	}
	_, _, _ = ws.ReadMessage() // until the client goes
}

// TestDeploymentOfFeed: handshake and subscription go out in live words; what
// is read by hand and what is not comes back in the documentation's.
func TestDeploymentOfFeed(t *testing.T) {
	const (
		price   = `{"type":"acme_price","acmeTicker":"T1","no_price":"0.61","yes_price":"0.39","at":1767225600}`
		lenient = `{"type":"acme_price","acmeTicker":"T1","no_price":0.5,"yes_price":0.25,"new":{},"at":"2026-01-01T00:00:00Z"}`
		book    = `{"type":"acme_book","acmeTicker":"T1","buyers":[{"price":"0.6","quantity":5}],"asks":[],"at":1767225600}`
		trade   = `{"type":"trade","acmeTicker":"T1","price":"0.60","quantity":7,"side":"BID","at":1767225600}`
		neutral = `{"type":"price_update","ticker":"T2","yes_price":0.5,"no_price":0.5,"at":1767225600}`
		unknown = `{"type":"acme_news","acmeTicker":"T1"}`
	)
	service := &acme{says: []string{price, lenient, book, trade, neutral, unknown}}
	server := httptest.NewServer(service)
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	s := started(t, predictmeta.Config{
		BaseURL: "http://" + host, WebSocketURL: "ws://" + host, APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Deployment: madeUp.Of("predictmeta")},
	}, predictmeta.StreamRequest{Subscriptions: []predictmeta.Subscription{{Channel: predictmeta.ChannelMarket, Ticker: "market"}}, KeepRaw: true})

	at := walletfi.Time{Time: time.Unix(1_767_225_600, 0).UTC()}
	connected(t, s)
	first := next[*predictmeta.PriceUpdate](t, s)
	require.Equal(t, "0.61", first.YesPrice.String(), "under the word that is the other's in the documentation")
	require.Equal(t, "0.39", first.NoPrice.String())
	require.Equal(t, "T1", first.Ticker)
	require.True(t, at.Equal(first.Timestamp.Time))
	require.Equal(t, price, first.Raw.String(), "as it came")

	second := next[*predictmeta.PriceUpdate](t, s)
	require.Equal(t, "0.5", second.YesPrice.String())
	require.Equal(t, "0.25", second.NoPrice.String())
	require.True(t, at.Equal(second.Timestamp.Time))

	third := next[*predictmeta.BookUpdate](t, s)
	require.Len(t, third.Bids, 1)
	require.Equal(t, "0.6", third.Bids[0].Price.String())
	require.Equal(t, book, third.Raw.String())

	fourth := next[*predictmeta.TradeUpdate](t, s)
	require.Equal(t, predictmeta.SideBuy, fourth.Side)
	require.Equal(t, uint64(7), fourth.Quantity)
	require.Equal(t, "T2", next[*predictmeta.PriceUpdate](t, s).Ticker, "what comes in the documented words is read all the same")

	last := next[*predictmeta.UnknownMessage](t, s)
	require.Equal(t, "acme_news", last.Type)
	require.Equal(t, unknown, last.Raw.String(), "as it came")

	service.mu.Lock()
	defer service.mu.Unlock()
	require.Equal(t, []string{`{"do":"watch","channel":"acme_market","acmeTicker":"market"}`}, service.heard)
	require.Equal(t, "k-123456", service.request.Header.Get("x-acme-key"))
	require.Empty(t, service.request.Header.Get("x-api-key"))
}

// TestDeploymentOfPages: an iterator reads the whole list from a deployment that pages
// in any form.
func TestDeploymentOfPages(t *testing.T) {
	const records, size = 7, 3
	for _, form := range []deployment.PagingForm{deployment.PagingOffset, deployment.PagingPage, deployment.PagingCursor} {
		t.Run(string(form), func(t *testing.T) {
			next := ""
			if form == deployment.PagingCursor {
				next = "next"
			}
			server := wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
				at, _ := strconv.Atoi(r.URL.Query().Get("at"))
				if form == deployment.PagingPage {
					at = max(0, at-1) * size
				}
				end := min(records, at+size)
				next := "null"
				if end < records {
					next = strconv.Itoa(end)
				}
				var list []string
				for i := at; i < end; i++ {
					list = append(list, called(wholeMarket, "T"+strconv.Itoa(i)))
				}
				io.WriteString(w, `{"next":`+next+`,"result":{"items":[`+strings.Join(list, ",")+`]}}`)
			})
			c := clientOf(t, predictmeta.Config{BaseURL: server.URL, Options: walletfi.Options{Deployment: wiretest.Deployed("predictmeta", deployment.Service{
				Operations: map[string]deployment.Operation{"GET /api/v1/markets": {
					Words:  deployment.Words{Keys: map[string]string{"markets": "items"}},
					Answer: []deployment.Step{{Unwrap: "result"}},
					Paging: &deployment.Paging{Form: form, Param: "at", Size: size, Next: next, List: "markets"},
				}},
			})}})
			for range 2 {
				var got []string
				for m, err := range c.AllMarkets(t.Context(), predictmeta.MarketsRequest{}) {
					require.NoError(t, err)
					got = append(got, m.Ticker)
				}
				require.Equal(t, []string{"T0", "T1", "T2", "T3", "T4", "T5", "T6"}, got)
			}
		})
	}
}
