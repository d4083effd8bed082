package predictmeta_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

const (
	priceText = `{"type":"price_update","ticker":"MK-1","yes_price":0.52,"no_price":0.48,"timestamp":"2026-01-02T03:04:05Z"}`
	bookText  = `{"type":"orderbook_update","ticker":"MK-1","bids":[{"price":0.5,"quantity":3}],"asks":[{"price":0.53,"quantity":4}],"timestamp":"2026-01-02T03:04:05Z"}`
	tradeText = `{"type":"trade","ticker":"MK-1","price":0.52,"quantity":5,"side":"buy","timestamp":"2026-01-02T03:04:05Z"}`
)

func tradeOf(ticker string, quantity int) string {
	return fmt.Sprintf(`{"type":"trade","ticker":%q,"price":0.5,"quantity":%d,"side":"buy","timestamp":1767225600}`, ticker, quantity)
}

func TestStreamEvents(t *testing.T) {
	for _, keepRaw := range []bool{false, true} {
		t.Run(fmt.Sprintf("keepRaw=%t", keepRaw), func(t *testing.T) {
			f := &feed{Script: func(ws *websocket.Conn, _ int) {
				for _, text := range []string{priceText, bookText, tradeText, `{"type":"subscribed","ok":true}`, `nonsense`} {
					wstest.Say(ws, text)
				}
				listen(ws, nil)
			}}
			s := streamOf(t, f, predictmeta.StreamRequest{KeepRaw: keepRaw})
			raw := func(text string) walletfi.Document {
				if !keepRaw {
					return nil
				}
				return walletfi.Document(text)
			}
			at := instant(t, "2026-01-02T03:04:05Z")
			connected(t, s)
			require.Equal(t, &predictmeta.PriceUpdate{
				Ticker: "MK-1", YesPrice: wiretest.Decimal(t, "0.52"), NoPrice: wiretest.Decimal(t, "0.48"), Timestamp: at, Raw: raw(priceText),
			}, next[*predictmeta.PriceUpdate](t, s))
			book := next[*predictmeta.BookUpdate](t, s)
			require.Equal(t, &predictmeta.BookUpdate{
				Ticker: "MK-1", Bids: []predictmeta.Level{{Price: wiretest.Decimal(t, "0.5"), Quantity: 3}},
				Asks: []predictmeta.Level{{Price: wiretest.Decimal(t, "0.53"), Quantity: 4}}, Timestamp: at, Raw: raw(bookText),
			}, book)
			mid, ok := book.OrderBook().Mid()
			require.True(t, ok)
			require.Equal(t, "0.515", mid.String())
			require.Equal(t, at.Time, book.OrderBook().Timestamp())
			require.Equal(t, &predictmeta.TradeUpdate{
				Ticker: "MK-1", Price: wiretest.Decimal(t, "0.52"), Quantity: 5, Side: predictmeta.SideBuy, Timestamp: at, Raw: raw(tradeText),
			}, next[*predictmeta.TradeUpdate](t, s))
			require.Equal(t, &predictmeta.UnknownMessage{Type: "subscribed", Raw: walletfi.Document(`{"type":"subscribed","ok":true}`)}, next[*predictmeta.UnknownMessage](t, s))
			bad := next[*predictmeta.UnknownMessage](t, s)
			require.ErrorIs(t, bad.Err, walletfi.ErrDecode)
			require.Equal(t, "nonsense", bad.Raw.String())
		})
	}
}

func TestStreamHandshake(t *testing.T) {
	for name, row := range map[string]struct {
		change func(*predictmeta.Config)
		path   string
		header map[string]string
	}{
		"with a key": {
			func(c *predictmeta.Config) { c.APIKey = walletfi.NewSecret("k-123456") },
			"/ws", map[string]string{"X-Api-Key": "k-123456", "User-Agent": "walletfi-go/0.1"},
		},
		"without one": {func(*predictmeta.Config) {}, "/ws", map[string]string{"X-Api-Key": ""}},
		"below a path": {
			func(c *predictmeta.Config) { c.WebSocketURL += "/feeds/v1/"; c.UserAgent = "bot/1" },
			"/feeds/v1/ws", map[string]string{"User-Agent": "bot/1 walletfi-go/0.1"},
		},
		"in live words": {func(c *predictmeta.Config) {
			c.APIKey = walletfi.NewSecret("k-123456")
			c.Deployment = wiretest.Words{Headers: map[string]string{"x-api-key": "x-live-key"}, Segments: map[string]string{"ws": "socket"}}.Of("predictmeta")
		}, "/socket", map[string]string{"X-Api-Key": "", "X-Live-Key": "k-123456"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &feed{Script: func(ws *websocket.Conn, _ int) { wstest.Say(ws, priceText); listen(ws, nil) }}
			host := f.Loopback(t)
			cfg := predictmeta.Config{BaseURL: "http://" + host, WebSocketURL: "ws://" + host}
			row.change(&cfg)
			s := started(t, cfg, predictmeta.StreamRequest{})
			connected(t, s)
			next[*predictmeta.PriceUpdate](t, s)
			request := f.Handshakes()[0]
			require.Equal(t, row.path, request.URL.Path)
			for name, value := range row.header {
				require.Equal(t, value, request.Header.Get(name), name)
			}
		})
	}
}

func TestStreamDeployment(t *testing.T) {
	heard := make(chan string, 1)
	const live = `{"kind":"PX","market":"MK-1","yes":0.5,"no_price":0.5,"timestamp":1767225600}`
	f := &feed{Script: func(ws *websocket.Conn, _ int) {
		_, message, err := ws.ReadMessage()
		if err != nil {
			return
		}
		heard <- string(message)
		wstest.Say(ws, live)
		listen(ws, nil)
	}}
	host := f.Loopback(t)
	s := started(t, predictmeta.Config{
		BaseURL: "http://" + host, WebSocketURL: "ws://" + host,
		Options: walletfi.Options{Deployment: wiretest.Words{
			Keys:   map[string]string{"type": "kind", "ticker": "market", "yes_price": "yes", "action": "do"},
			Values: map[string]map[string]string{"type": {"price_update": "PX"}, "channel": {"market": "prices"}, "action": {"subscribe": "add"}},
		}.Of("predictmeta")},
	}, predictmeta.StreamRequest{KeepRaw: true, Subscriptions: []predictmeta.Subscription{{Channel: predictmeta.ChannelMarket, Ticker: "market"}}})
	require.Equal(t, `{"do":"add","channel":"prices","market":"market"}`, <-heard)
	connected(t, s)
	half := wiretest.Decimal(t, "0.5")
	require.Equal(t, &predictmeta.PriceUpdate{
		Ticker: "MK-1", YesPrice: half, NoPrice: half, Timestamp: walletfi.Time{Time: time.Unix(1767225600, 0).UTC()}, Raw: walletfi.Document(live),
	}, next[*predictmeta.PriceUpdate](t, s))
}

func TestStreamSubscriptions(t *testing.T) {
	f := &feed{}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		heard := make(chan string, 100)
		cut := make(chan struct{})
		f.Script = func(ws *websocket.Conn, n int) {
			go listen(ws, func(a asked) { heard <- fmt.Sprint(n, " ", a.Action, " ", a.Channel, " ", a.Ticker) })
			<-cut
		}
		s := started(t, cfg, predictmeta.StreamRequest{
			MinBackoff: time.Hour, MaxBackoff: time.Hour,
			Subscriptions: []predictmeta.Subscription{{predictmeta.ChannelTrades, "A"}, {predictmeta.ChannelMarket, "<B>"}, {predictmeta.ChannelTrades, "A"}},
		})
		said := func(want ...string) {
			t.Helper()
			synctest.Wait()
			for _, text := range want {
				require.Equal(t, text, <-heard)
			}
			require.Empty(t, heard)
		}
		said("1 subscribe market <B>", "1 subscribe trades A")
		require.NoError(t, s.Subscribe(predictmeta.ChannelOrderBook, "C", "D", "C"))
		said("1 subscribe orderbook C", "1 subscribe orderbook D")
		require.NoError(t, s.Subscribe(predictmeta.ChannelOrderBook, "C"))
		require.NoError(t, s.Unsubscribe(predictmeta.ChannelOrderBook, "A", "D"))
		said("1 unsubscribe orderbook D")

		connected(t, s)
		cut <- struct{}{}
		next[*predictmeta.Disconnected](t, s)
		require.NoError(t, s.Unsubscribe(predictmeta.ChannelOrderBook, "C"))
		require.NoError(t, s.Subscribe(predictmeta.ChannelMarket, "E"))
		said()
		require.Equal(t, []predictmeta.Subscription{
			{predictmeta.ChannelMarket, "<B>"}, {predictmeta.ChannelMarket, "E"}, {predictmeta.ChannelTrades, "A"},
		}, s.Subscriptions())
		next[*predictmeta.Gap](t, s)
		connected(t, s)
		said("2 subscribe market <B>", "2 subscribe market E", "2 subscribe trades A")
		close(cut)
		require.NoError(t, s.Close())
		require.ErrorIs(t, s.Subscribe(predictmeta.ChannelMarket, "F"), predictmeta.ErrStreamClosed)
	})
}

func TestStreamGap(t *testing.T) {
	f := &feed{}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		f.Script = func(ws *websocket.Conn, n int) {
			wstest.Say(ws, tradeOf("A", n))
			if n > 1 {
				listen(ws, nil)
			}
			go listen(ws, nil)
			goodbye := websocket.FormatCloseMessage(websocket.CloseServiceRestart, "restart")
			_ = ws.WriteControl(websocket.CloseMessage, goodbye, time.Now().Add(time.Second))
			<-time.After(time.Second)
		}
		f.Refuse = func(w http.ResponseWriter, _ *http.Request, n int) bool {
			if n == 2 || n == 3 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return n == 2 || n == 3
		}
		began := time.Now()
		s := started(t, cfg, predictmeta.StreamRequest{MinBackoff: time.Minute})
		connected(t, s)
		require.Equal(t, uint64(1), next[*predictmeta.TradeUpdate](t, s).Quantity)
		first := next[*predictmeta.Disconnected](t, s)
		require.ErrorIs(t, first.Err, walletfi.ErrUnavailable)
		require.ErrorContains(t, first.Err, `predictmeta.Stream: GET /ws: service unavailable: closed by the service with code 1012 "restart"`)
		require.LessOrEqual(t, first.RetryIn, time.Minute)
		<-time.After(time.Hour) // the consumer pauses: of two failed attempts, the last one's stays
		last := next[*predictmeta.RetryFailed](t, s)
		refused := wiretest.As[*walletfi.ResponseError](t, last.Err)
		require.Equal(t, http.StatusServiceUnavailable, refused.StatusCode)
		gap := next[*predictmeta.Gap](t, s)
		require.Contains(t, gap.Reason, "restart", "the first loss is the reason")
		require.Equal(t, began, gap.From)
		require.WithinRange(t, gap.To, last.At, last.At.Add(last.RetryIn))
		connected(t, s)
		require.Equal(t, uint64(4), next[*predictmeta.TradeUpdate](t, s).Quantity)
	})
}

// A connection whose other end vanished has no error, only silence.
func TestStreamHalfOpen(t *testing.T) {
	f := &feed{}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		vanished, over := make(chan time.Time, 1), make(chan struct{})
		defer close(over)
		f.Script = func(ws *websocket.Conn, n int) {
			if n > 1 {
				listen(ws, nil)
				return
			}
			var gone atomic.Bool
			pong := ws.PingHandler()
			ws.SetPingHandler(func(data string) error {
				if gone.Load() {
					return nil
				}
				return pong(data)
			})
			go listen(ws, nil)
			<-time.After(33 * time.Second)
			gone.Store(true)
			vanished <- time.Now()
			<-over
		}
		s := started(t, cfg, predictmeta.StreamRequest{PingInterval: 10 * time.Second})
		connected(t, s)
		down := next[*predictmeta.Disconnected](t, s)
		require.WithinDuration(t, <-vanished, down.At, 20*time.Second)
		require.ErrorContains(t, down.Err, "no sign of life")
		gap := next[*predictmeta.Gap](t, s)
		require.WithinRange(t, gap.From, down.At.Add(-20*time.Second), down.At)
	})
}

func TestStreamRefusedForGood(t *testing.T) {
	for name, row := range map[string]struct {
		status int
		header string // Retry-After
		kind   error
	}{
		"401":              {401, "", walletfi.ErrUnauthorized},
		"403":              {403, "", walletfi.ErrForbidden},
		"404":              {404, "", walletfi.ErrNotFound},
		"a redirect":       {307, "", walletfi.ErrRedirect},
		"429 for too long": {429, "61", walletfi.ErrRateLimited},
	} {
		t.Run(name, func(t *testing.T) {
			f := &feed{
				Script: func(ws *websocket.Conn, _ int) { wstest.Say(ws, tradeText) },
				Refuse: func(w http.ResponseWriter, _ *http.Request, n int) bool {
					if n > 1 {
						w.Header().Set("Location", "https://elsewhere.test/ws")
						if row.header != "" {
							w.Header().Set("Retry-After", row.header)
						}
						w.WriteHeader(row.status)
						io.WriteString(w, "the key k-123456 may not")
					}
					return n > 1
				},
			}
			host := f.Loopback(t)
			s := started(t, predictmeta.Config{
				BaseURL: "http://" + host, WebSocketURL: "ws://" + host, APIKey: walletfi.NewSecret("k-123456"),
			}, predictmeta.StreamRequest{MinBackoff: time.Millisecond})
			told, err := everything(s)
			require.Equal(t, []string{"*predictmeta.Connected", "*predictmeta.TradeUpdate", "*predictmeta.Disconnected"}, told)
			require.ErrorIs(t, err, row.kind)
			refused := wiretest.As[*walletfi.ResponseError](t, err)
			require.Equal(t, row.status, refused.StatusCode)
			require.Equal(t, "Stream", refused.Op)
			require.Equal(t, row.header != "", time.Until(refused.ResetAt) > 50*time.Second)
			require.Equal(t, "the key [secret] may not", string(refused.Body))
			require.NotContains(t, err.Error(), "k-123456")
			require.ErrorIs(t, wiretest.Error(s.Recv(t.Context())), row.kind, "it stays so")
			require.ErrorIs(t, s.Subscribe(predictmeta.ChannelMarket, "A"), row.kind)
			require.Len(t, f.Handshakes(), 2)
		})
	}
}

// everything returns the types of the events that s yields until it ends, and the
// last element of Events, nil if it has no error.
func everything(s *predictmeta.Stream) (types []string, end error) {
	for event, err := range s.Events() {
		switch {
		case end != nil:
			types = append(types, "an element after the error")
		case err != nil:
			end = err
			if event != nil {
				types = append(types, "an event with the error")
			}
		default:
			types = append(types, fmt.Sprintf("%T", event))
		}
	}
	return types, end
}

func TestStreamEnds(t *testing.T) {
	// run has a stream that delivered the first of two trades.
	run := func(name string, test func(t *testing.T, s *predictmeta.Stream, cancel context.CancelFunc)) {
		t.Run(name, func(t *testing.T) {
			f := &feed{Script: func(ws *websocket.Conn, _ int) { wstest.Say(ws, tradeText); wstest.Say(ws, tradeText); listen(ws, nil) }}
			inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				s, err := clientOf(t, cfg).Stream(ctx, predictmeta.StreamRequest{})
				require.NoError(t, err)
				defer s.Close()
				connected(t, s)
				next[*predictmeta.TradeUpdate](t, s)
				test(t, s, cancel)
			})
		})
	}
	run("by Close", func(t *testing.T, s *predictmeta.Stream, _ context.CancelFunc) {
		synctest.Wait() // the second trade is there
		require.NoError(t, s.Close())
		require.NoError(t, s.Close())
		_, err := s.Recv(t.Context())
		require.Equal(t, predictmeta.ErrStreamClosed, err, "what was not received is forgotten")
		told, err := everything(s)
		require.Empty(t, told)
		require.NoError(t, err, "Close is no error")
	})
	run("by its context", func(t *testing.T, s *predictmeta.Stream, cancel context.CancelFunc) {
		cancel()
		for {
			if _, err := s.Recv(t.Context()); err != nil {
				require.Equal(t, context.Canceled, err)
				break
			}
		}
		told, err := everything(s)
		require.Empty(t, told)
		require.Equal(t, context.Canceled, err)
		require.NoError(t, s.Close())
	})
	run("by its deadline", func(t *testing.T, s *predictmeta.Stream, _ context.CancelFunc) {
		next[*predictmeta.TradeUpdate](t, s)
		_, err := s.Recv(t.Context())
		require.Equal(t, context.DeadlineExceeded, err)
	})
	run("while somebody waits", func(t *testing.T, s *predictmeta.Stream, _ context.CancelFunc) {
		next[*predictmeta.TradeUpdate](t, s)
		var waiting sync.WaitGroup
		for range 3 {
			waiting.Go(func() {
				_, err := s.Recv(t.Context())
				if !errors.Is(err, predictmeta.ErrStreamClosed) {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		require.NoError(t, s.Close())
		waiting.Wait()
	})
	run("not by Recv's context, nor by leaving the loop", func(t *testing.T, s *predictmeta.Stream, _ context.CancelFunc) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := s.Recv(ctx)
		require.Equal(t, context.Canceled, err, "an ended context takes no event")
		taken := 0
		for event, err := range s.Events() {
			require.NoError(t, err)
			require.IsType(t, &predictmeta.TradeUpdate{}, event)
			taken++
			break
		}
		require.Equal(t, 1, taken)
		ctx, cancel = context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		_, err = s.Recv(ctx)
		require.Equal(t, context.DeadlineExceeded, err)
		require.NoError(t, s.Subscribe(predictmeta.ChannelMarket, "A"))
	})
}

func TestStreamRefused(t *testing.T) {
	good := predictmeta.Config{BaseURL: "https://meta.test", WebSocketURL: "wss://feed.test"}
	for name, row := range map[string]struct {
		change func(*predictmeta.Config, *predictmeta.StreamRequest)
		want   []string
	}{
		"no address":    {func(c *predictmeta.Config, _ *predictmeta.StreamRequest) { c.WebSocketURL = "" }, []string{"webSocketURL"}},
		"no URL":        {func(c *predictmeta.Config, _ *predictmeta.StreamRequest) { c.WebSocketURL = "://" }, []string{"webSocketURL"}},
		"plain text":    {func(c *predictmeta.Config, _ *predictmeta.StreamRequest) { c.WebSocketURL = "ws://feed.test" }, []string{"webSocketURL"}},
		"a password":    {func(c *predictmeta.Config, _ *predictmeta.StreamRequest) { c.WebSocketURL = "wss://u:p@feed.test" }, []string{"webSocketURL"}},
		"ping too fast": {func(_ *predictmeta.Config, r *predictmeta.StreamRequest) { r.PingInterval = time.Nanosecond }, []string{"pingInterval"}},
		"no such channel": {func(_ *predictmeta.Config, r *predictmeta.StreamRequest) {
			r.Subscriptions = []predictmeta.Subscription{{"news", " "}}
		}, []string{"channel", "ticker"}},
		"nothing is right": {func(_ *predictmeta.Config, r *predictmeta.StreamRequest) {
			*r = predictmeta.StreamRequest{Slow: "wait", SlowChannels: map[predictmeta.Channel]predictmeta.SlowPolicy{"market": "wait", "news": "drop"}, QueueLen: -1, QueueBytes: -1, RefreshDepth: new(-1), MaxMessageBytes: -1, PingInterval: -1, MinBackoff: -1, MaxBackoff: -1}
		}, []string{"maxBackoff", "maxMessageBytes", "minBackoff", "pingInterval", "queueBytes", "queueLen", "refreshDepth", "slow", `slowChannels["market"]`}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, req := good, predictmeta.StreamRequest{}
			row.change(&cfg, &req)
			s, err := clientOf(t, cfg).Stream(t.Context(), req)
			require.Nil(t, s)
			wiretest.Refused(t, err, row.want...)
		})
	}
	s := streamOf(t, &feed{Script: func(ws *websocket.Conn, _ int) { listen(ws, nil) }}, predictmeta.StreamRequest{})
	wiretest.Refused(t, s.Subscribe(predictmeta.ChannelMarket), "ticker")
	wiretest.Refused(t, s.Subscribe("news", "A"), "channel")
	wiretest.Refused(t, s.Unsubscribe(predictmeta.ChannelMarket, "A", ""), "ticker")
	wiretest.Refused(t, s.Subscribe(predictmeta.ChannelMarket, "\xff"), "ticker")
}

// A message of a few kilobytes that becomes 64 MiB costs the connection, not
// the memory.
func TestStreamBomb(t *testing.T) {
	f := &feed{Upgrader: websocket.Upgrader{EnableCompression: true}}
	f.Script = func(ws *websocket.Conn, n int) {
		if n == 1 {
			wstest.Say(ws, `{"type":"trade","ticker":"`+strings.Repeat("A", 64<<20)+`"}`)
		}
		wstest.Say(ws, tradeText)
		listen(ws, nil)
	}
	s := streamOf(t, f, predictmeta.StreamRequest{Compression: true, MinBackoff: time.Millisecond})
	for { // the bomb is the first message, but a pong may come before it
		event, err := s.Recv(t.Context())
		require.NoError(t, err)
		if lost, ok := event.(*predictmeta.Disconnected); ok {
			require.ErrorContains(t, lost.Err, "a message of more than 1048576 bytes")
			break
		}
		require.IsType(t, &predictmeta.Connected{}, event)
	}
	next[*predictmeta.Gap](t, s)
	connected(t, s)
	require.Equal(t, "MK-1", next[*predictmeta.TradeUpdate](t, s).Ticker)
	require.Contains(t, f.Handshakes()[0].Header.Get("Sec-Websocket-Extensions"), "permessage-deflate")
}

// TestWSURL: the address of the feed is that of the Config, or else of its deployment.
func TestWSURL(t *testing.T) {
	d, err := deployment.Parse("acme", []byte(`{"name":"acme","services":{"predictmeta":{"urls":{
		"baseURL":"https://meta.acme.test","webSocketURL":"wss://feed.acme.test"}}}}`))
	require.NoError(t, err)
	for want, cfg := range map[string]predictmeta.Config{
		"":                     {BaseURL: "https://meta.test"},
		"wss://feed.test":      {BaseURL: "https://meta.test", WebSocketURL: "wss://feed.test", Options: walletfi.Options{Deployment: d}},
		"wss://feed.acme.test": {Options: walletfi.Options{Deployment: d}},
	} {
		require.Equal(t, want, wiretest.Client(t, predictmeta.New, cfg).WSURL())
	}
}
