package predictmeta_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// types receives n events and returns their types.
func types(t *testing.T, s *predictmeta.Stream, n int) (all []string) {
	t.Helper()
	for range n {
		event, err := s.Recv(t.Context())
		require.NoError(t, err)
		all = append(all, fmt.Sprintf("%T", event)[len("*predictmeta."):])
	}
	return all
}

var threeChannels = []predictmeta.Subscription{
	{Channel: predictmeta.ChannelMarket, Ticker: "A"}, {Channel: predictmeta.ChannelOrderBook, Ticker: "A"}, {Channel: predictmeta.ChannelTrades, Ticker: "B"},
}

// TestConnected: a bot that stops on Disconnected is told when it may go on,
// whatever happened before.
func TestConnected(t *testing.T) {
	unavailable := func(first, last int) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, _ *http.Request, n int) bool {
			if n >= first && n <= last {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return n >= first && n <= last
		}
	}
	wait := func(seconds time.Duration) { <-time.After(seconds * time.Second) }
	for name, row := range map[string]struct {
		script func(ws *websocket.Conn, n int)
		refuse func(http.ResponseWriter, *http.Request, int) bool
		want   []string
	}{
		"at once, though nothing is sent": {func(ws *websocket.Conn, _ int) { listen(ws, nil) }, nil, []string{"Connected"}},
		"before the first message": {
			func(ws *websocket.Conn, _ int) { wstest.Say(ws, tradeText); listen(ws, nil) }, nil, []string{"Connected", "TradeUpdate"},
		},
		"after a first attempt that failed": {
			func(ws *websocket.Conn, _ int) { listen(ws, nil) }, unavailable(1, 1), []string{"Disconnected", "Connected"},
		},
		"after three that failed": {
			func(ws *websocket.Conn, _ int) { wstest.Say(ws, tradeText); listen(ws, nil) }, unavailable(1, 3),
			[]string{"Disconnected", "RetryFailed", "RetryFailed", "Connected", "TradeUpdate"},
		},
		"after a loss and attempts that fail": {func(ws *websocket.Conn, n int) {
			if n == 1 {
				go listen(ws, nil)
				wait(1)
				return
			}
			listen(ws, nil)
		}, unavailable(2, 3), []string{"Connected", "Disconnected", "RetryFailed", "RetryFailed", "Gap", "Connected"}},
		"not while the subscriptions do not get through": {func(ws *websocket.Conn, n int) {
			if n < 3 {
				_, _, _ = ws.ReadMessage() // one of three
				return
			}
			listen(ws, nil)
		}, nil, []string{"Disconnected", "RetryFailed", "Gap", "Connected"}},
		"with what was missed among the subscriptions": {func(ws *websocket.Conn, n int) {
			if n == 2 {
				wstest.Say(ws, tradeText)
				wait(1)
			}
			go listen(ws, nil)
			if n == 1 {
				wait(1)
				return
			}
			wait(100)
		}, nil, []string{"Connected", "Disconnected", "Gap", "Connected", "TradeUpdate", "Gap"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &feed{Script: row.script, Refuse: row.refuse}
			inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
				s := started(t, cfg, predictmeta.StreamRequest{Subscriptions: threeChannels, MinBackoff: time.Hour, MaxBackoff: time.Hour, PingInterval: 10 * time.Second})
				require.Equal(t, row.want, types(t, s, len(row.want)))
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				event, err := s.Recv(ctx)
				require.Equal(t, context.DeadlineExceeded, err, "%#v", event)
			})
		})
	}
}

// TestConnectedAgainstDrops: through hundreds of lost connections, refusals and
// changes of mind, Connected and Disconnected alternate, and every connection that
// got so far is told.
func TestConnectedAgainstDrops(t *testing.T) {
	const sessions = 300
	f := &feed{}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		var heard atomic.Int32 // subscriptions taken by the last connection
		f.Refuse = func(w http.ResponseWriter, _ *http.Request, n int) bool {
			if n < sessions && (n < 4 || rand.N(4) == 0) {
				w.WriteHeader(http.StatusBadGateway)
				return true
			}
			return false
		}
		f.Script = func(ws *websocket.Conn, n int) {
			if n >= sessions {
				wstest.Say(ws, tradeOf("END", n))
				listen(ws, func(asked) { heard.Add(1) })
				return
			}
			if rand.N(3) == 0 {
				for range rand.N(3) {
					_, _, _ = ws.ReadMessage()
				}
				return
			}
			if rand.N(2) == 0 {
				wstest.Say(ws, tradeText)
			}
			go listen(ws, nil)
			<-time.After(rand.N(time.Second))
		}
		s := started(t, cfg, predictmeta.StreamRequest{Subscriptions: threeChannels, MinBackoff: time.Second, MaxBackoff: time.Second, QueueLen: 8})
		link := new(linkJudge)
		failures := 0
		for i := 0; ; i++ {
			event, err := s.Recv(t.Context())
			require.NoError(t, err)
			link.saw(t, event)
			if _, ok := event.(*predictmeta.RetryFailed); ok {
				failures++
			}
			if trade, ok := event.(*predictmeta.TradeUpdate); ok && trade.Ticker == "END" {
				break
			}
			if i%10 == 9 {
				<-time.After(rand.N(10 * time.Second)) // the consumer falls behind
			}
		}
		require.True(t, link.up)
		require.Equal(t, link.downs+1, link.ups)
		require.Greater(t, link.ups, sessions/10)
		require.NotZero(t, failures)
		synctest.Wait()
		require.EqualValues(t, len(threeChannels), heard.Load())
	})
}

// Close in any state of the connection ends the stream at once.
func TestConnectedAndClose(t *testing.T) {
	for name, events := range map[string]int{"before it is connected": 0, "connected": 1, "disconnected": 2} {
		t.Run(name, func(t *testing.T) {
			f := &feed{}
			inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
				f.Script = func(ws *websocket.Conn, _ int) {
					go listen(ws, nil)
					<-time.After(time.Second)
				}
				s := started(t, cfg, predictmeta.StreamRequest{Subscriptions: threeChannels, MinBackoff: time.Hour})
				require.Equal(t, []string{"Connected", "Disconnected"}[:events], append([]string{}, types(t, s, events)...))
				begun := time.Now()
				require.NoError(t, s.Close())
				require.Less(t, time.Since(begun), time.Second)
				_, err := s.Recv(t.Context())
				require.Equal(t, predictmeta.ErrStreamClosed, err)
			})
		})
	}
}

// TestFeedReportsBadRecords: what cannot be read is an event with the message and
// the reason, in its place, and the stream goes on.
func TestFeedReportsBadRecords(t *testing.T) {
	unreadable := []string{
		`nonsense`, `{"type":"trade"`, ``, `7`, `"trade"`,
		`{"type":"trade"}`, `{"type":"trade","ticker":""}`, `{"type":"trade","ticker":null}`, `{"type":"trade","ticker":{}}`,
		`{"type":"price_update","yes_price":0.5}`,
		`{"type":"orderbook_update","ticker":"A","bids":[{"price":"x","quantity":1}]}`,
		`{"type":"orderbook_update","ticker":"A","bids":[{"price":0.5,"quantity":-1}]}`,
		`{"type":"orderbook_update","ticker":"A","bids":[{"price":0.5,"quantity":1},7]}`,
		`{"type":"orderbook_update","ticker":"A","bids":[{"price":0.5}]}`, `{"type":"orderbook_update","ticker":"A","asks":[{"price":0.5,"quantity":null}]}`,
		`{"type":"orderbook_update","ticker":"A","asks":[{"quantity":5}]}`, `{"type":"orderbook_update","ticker":"A","asks":[{}]}`, `{"type":"orderbook_update","ticker":"A","asks":[[]]}`,
		`{"type":"trade","ticker":"A","price":0.5}`, `{"type":"trade","ticker":"A","quantity":null}`, `{"type":"trade","ticker":"A","quantity":""}`, `{"type":"trade","ticker":"A","quantity":"many"}`,
		`[{"type":"trade","ticker":"A"}]`, `{"type":"trade","ticker":"A","quantity":0,"timestamp":"soon"}`,
		`{"type":"trade","ticker":"A","quantity":0,"price":{}}`, `{"type":"price_update","ticker":"A","yes_price":1.01}`,
		`{"type":"price_update","ticker":"A","yes_price":"NaN"}`, `{"type":"price_update","ticker":"A","timestamp":-1}`, `{"type":"trade","ticker":"P2","quantity":0,"side":{}}`,
	}
	unknown := []string{`null`, `[]`, `{}`, `{"type":7}`, `{"type":"news","ticker":"A"}`}
	for _, keepRaw := range []bool{false, true} {
		for _, policy := range []predictmeta.SlowPolicy{predictmeta.DropOldest, predictmeta.KeepLatest} {
			all := slices.Concat(unreadable, unknown)
			f := &feed{Script: func(ws *websocket.Conn, _ int) {
				for i, text := range all {
					wstest.Say(ws, text)
					wstest.Say(ws, tradeOf(fmt.Sprint("GOOD-", i), i))
				}
				listen(ws, nil)
			}}
			inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
				s := started(t, cfg, predictmeta.StreamRequest{KeepRaw: keepRaw, Slow: policy})
				connected(t, s)
				for i, text := range all {
					bad := next[*predictmeta.UnknownMessage](t, s)
					require.Equal(t, text, bad.Raw.String())
					requireRecordError(t, bad, i < len(unreadable))
					require.EqualValues(t, i, next[*predictmeta.TradeUpdate](t, s).Quantity)
				}
			})
		}
	}
}

func requireRecordError(t *testing.T, bad *predictmeta.UnknownMessage, want bool) {
	t.Helper()
	if !want {
		require.NoError(t, bad.Err, bad.Raw)
		return
	}
	record := wiretest.As[*walletfi.RecordError](t, bad.Err, bad.Raw)
	require.ErrorIs(t, bad.Err, walletfi.ErrDecode, bad.Raw)
	require.Equal(t, bad.Raw, record.Raw)
	require.Zero(t, record.Index)
}
