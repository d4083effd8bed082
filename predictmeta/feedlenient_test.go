package predictmeta_test

import (
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// TestLenientFeed: a member that a vendor sends otherwise is let through if it is named, and
// the observer is notified once. Else the message is unknown, and none of its prices is read.
func TestLenientFeed(t *testing.T) {
	const (
		price = `{"type":"price_update","ticker":"A","yes_price":0.5,"timestamp":1767225600}`
		trade = `{"type":"trade","ticker":"A","price":0.5,"quantity":1,"timestamp":1767225600}`
	)
	for text, member := range map[string]string{
		price: "PriceUpdate.no_price", trade: "TradeUpdate.side",
		`{"type":"price_update","ticker":"A","yes_price":"NaN","no_price":0.5,"timestamp":1767225600}`:               "PriceUpdate.yes_price",
		`{"type":"price_update","ticker":"A","yes_price":52,"no_price":0.5,"timestamp":1767225600}`:                  "PriceUpdate.yes_price",
		`{"type":"price_update","ticker":"A","yes_price":0.5,"yes_price":0.6,"no_price":0.5,"timestamp":1767225600}`: "PriceUpdate.yes_price",
		`{"type":"price_update","ticker":"A","yes_price":0.5,"no_price":0.5}`:                                        "PriceUpdate.timestamp",
		`{"type":"orderbook_update","ticker":"A","bids":[],"asks":[]}`:                                               "BookUpdate.timestamp",
		`{"type":"orderbook_update","ticker":"A","bids":[{"price":0.5}],"asks":[],"timestamp":1767225600}`:           "Level.quantity",
		`{"type":"trade","ticker":"A","price":0.5,"side":"buy","timestamp":1767225600}`:                              "TradeUpdate.quantity",
		`{"type":"trade","ticker":"A","price":0.5,"quantity":"many","side":"buy","timestamp":1767225600}`:            "TradeUpdate.quantity",
		`{"type":"trade","ticker":"A","price":null,"quantity":1,"side":"buy","timestamp":1767225600}`:                "TradeUpdate.price",
	} {
		for _, isLenient := range []bool{true, false} {
			f := &feed{Script: func(ws *websocket.Conn, _ int) {
				wstest.Say(ws, text)
				wstest.Say(ws, text)
				listen(ws, nil)
			}}
			inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
				told := recorded.New(t)
				cfg.Observer = told
				if isLenient {
					cfg.Lenient = []string{member}
				}
				s := started(t, cfg, predictmeta.StreamRequest{})
				connected(t, s)
				for range 2 {
					event, err := s.Recv(t.Context())
					require.NoError(t, err)
					_, isUnknown := event.(*predictmeta.UnknownMessage)
					require.Equal(t, !isLenient, isUnknown, text)
				}
				events := recorded.Events[observe.Drift](told)
				if !isLenient {
					require.Empty(t, events)
					return
				}
				require.Len(t, events, 1, text)
				require.Equal(t, observe.Drift{Service: "predictmeta", Op: "Stream", Route: "/ws", Member: member, Fault: events[0].Fault}, events[0])
			})
		}
	}
}
