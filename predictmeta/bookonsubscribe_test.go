package predictmeta_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// nothingMore fails if s yields an event within an hour.
func nothingMore(t *testing.T, s *predictmeta.Stream) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	event, err := s.Recv(ctx)
	require.Equal(t, context.DeadlineExceeded, err, "%#v", event)
}

func book(t *testing.T, s *predictmeta.Stream, ticker string) {
	t.Helper()
	refresh := next[*predictmeta.BookRefresh](t, s)
	require.Equal(t, ticker, refresh.Ticker)
	require.NoError(t, refresh.Err)
	require.Len(t, refresh.Book.Bids, 1)
}

// TestBookOnSubscribe: the book of each subscription comes once, in the beginning
// and for those that are added, and again after a gap.
func TestBookOnSubscribe(t *testing.T) {
	books := &library{}
	f := &feed{Rest: books.ServeHTTP}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		cut := make(chan struct{})
		f.Script = dropper(cut, 1)
		s := started(t, cfg, predictmeta.StreamRequest{
			BookOnSubscribe: true, RefreshDepth: new(5), MinBackoff: time.Minute, MaxBackoff: time.Minute,
			Subscriptions: append(booksOf("A", "B"), predictmeta.Subscription{Channel: predictmeta.ChannelTrades, Ticker: "X"}),
		})
		connected(t, s)
		book(t, s, "A")
		book(t, s, "B")
		begun := time.Now()
		require.NoError(t, s.Subscribe(predictmeta.ChannelOrderBook, "A", "C"))
		book(t, s, "C")
		require.Less(t, time.Since(begun), time.Second, "it waits for no regular ping")
		require.NoError(t, s.Subscribe(predictmeta.ChannelMarket, "D"))
		require.NoError(t, s.Subscribe(predictmeta.ChannelOrderBook, "B"))
		<-time.After(time.Hour)
		require.Equal(t, []string{"/api/v1/orderbook/A?depth=5", "/api/v1/orderbook/B?depth=5", "/api/v1/orderbook/C?depth=5"}, books.seen())

		cut <- struct{}{}
		next[*predictmeta.Disconnected](t, s)
		require.NoError(t, s.Unsubscribe(predictmeta.ChannelOrderBook, "B"))
		require.NoError(t, s.Subscribe(predictmeta.ChannelOrderBook, "E"))
		next[*predictmeta.Gap](t, s)
		connected(t, s)
		for _, ticker := range []string{"A", "C", "E"} {
			book(t, s, ticker)
		}
		nothingMore(t, s)
		require.Len(t, books.seen(), 6)
	})
}

// TestBookIsAskedAfterItsSubscription: a book that was asked for before the service
// has taken the subscription could miss a change that the feed misses too.
func TestBookIsAskedAfterItsSubscription(t *testing.T) {
	for name, row := range map[string]struct {
		says  bool          // a message comes before anything is read
		deaf  bool          // pings are not answered, but messages come
		after time.Duration // the book is asked for, from the handshake on
	}{
		"the service is slow to read":            {false, false, 3 * time.Second},
		"a message comes before it reads":        {true, false, 3 * time.Second},
		"the service answers no ping":            {false, true, 8 * time.Second},
		"no ping, and a message before it reads": {true, true, 8 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			books := &library{}
			f := &feed{Rest: books.ServeHTTP}
			inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
				taken := make(chan time.Time, 1)
				reads := func(ws *websocket.Conn) {
					<-time.After(3 * time.Second)
					listen(ws, func(asked) { taken <- time.Now() })
				}
				f.Script = func(ws *websocket.Conn, _ int) {
					if !row.deaf {
						if row.says {
							wstest.Say(ws, tradeText)
						}
						reads(ws)
						return
					}
					ws.SetPingHandler(func(string) error { return nil })
					go reads(ws)
					if !row.says {
						<-time.After(4 * time.Second)
					}
					for ws.WriteMessage(websocket.TextMessage, []byte(`{"type":"news"}`)) == nil {
						<-time.After(2 * time.Second)
					}
				}
				begun := time.Now()
				s := started(t, cfg, predictmeta.StreamRequest{BookOnSubscribe: true, Subscriptions: booksOf("A"), PingInterval: 8 * time.Second})
				connected(t, s)
				for {
					event, err := s.Recv(t.Context())
					require.NoError(t, err)
					if _, ok := event.(*predictmeta.BookRefresh); ok {
						break
					}
				}
				require.False(t, books.at[0].Before(<-taken))
				require.GreaterOrEqual(t, books.at[0].Sub(begun), row.after)
				require.Less(t, books.at[0].Sub(begun), 3*row.after)
			})
		})
	}
}

// TestBookOfAnEndedSubscription: Unsubscribe gives up the book that is being
// fetched, and the next one goes on.
func TestBookOfAnEndedSubscription(t *testing.T) {
	books := &library{}
	f := &feed{Rest: books.ServeHTTP}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		f.Script = func(ws *websocket.Conn, _ int) { listen(ws, nil) }
		asked, release := make(chan string, 10), make(chan struct{})
		var held atomic.Bool
		books.hold = func(path string) {
			asked <- path
			if !held.Swap(true) {
				<-release
			}
		}
		s := started(t, cfg, predictmeta.StreamRequest{BookOnSubscribe: true, Subscriptions: booksOf("A", "B", "C")})
		connected(t, s)
		require.Equal(t, "/api/v1/orderbook/A", <-asked)
		require.NoError(t, s.Unsubscribe(predictmeta.ChannelOrderBook, "A", "B"))
		book(t, s, "C")
		require.Equal(t, "/api/v1/orderbook/C", <-asked, "A was given up before it was answered")
		require.NoError(t, s.Subscribe(predictmeta.ChannelOrderBook, "A"))
		book(t, s, "A")
		close(release)
		nothingMore(t, s)
		require.Equal(t, []string{"/api/v1/orderbook/A", "/api/v1/orderbook/C", "/api/v1/orderbook/A"}, books.seen())
	})
}

// TestBookThatFails: a book that cannot be fetched, or is not one, is an event with
// the error; the others and the feed go on.
func TestBookThatFails(t *testing.T) {
	books := &library{}
	books.fail = func(w http.ResponseWriter, path string) bool {
		switch path {
		case "/api/v1/orderbook/A":
			w.WriteHeader(http.StatusNotFound)
		case "/api/v1/orderbook/B":
			fmt.Fprint(w, `{"ticker":"another","timestamp":"2026-01-01T00:00:00Z","bids":[],"asks":[]}`)
		case "/api/v1/orderbook/C":
			fmt.Fprint(w, `{}`)
		case "/api/v1/orderbook/D":
			w.Header().Set("Retry-After", "86400")
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			return false
		}
		return true
	}
	f := &feed{Rest: books.ServeHTTP}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		f.Script = func(ws *websocket.Conn, _ int) { listen(ws, func(asked) { wstest.Say(ws, tradeText) }) }
		cfg.APIKey = walletfi.NewSecret("k-123456")
		s := started(t, cfg, predictmeta.StreamRequest{BookOnSubscribe: true, Subscriptions: booksOf("A", "B", "C", "D")})
		connected(t, s)
		kinds := map[string]error{"A": walletfi.ErrNotFound, "B": walletfi.ErrMismatch, "C": walletfi.ErrDecode, "D": walletfi.ErrRateLimited}
		trades := 0
		for len(kinds) > 0 || trades < 4 {
			event, err := s.Recv(t.Context())
			require.NoError(t, err)
			switch e := event.(type) {
			case *predictmeta.TradeUpdate:
				trades++
			case *predictmeta.BookRefresh:
				require.ErrorIs(t, e.Err, kinds[e.Ticker], e.Ticker)
				require.Contains(t, kinds, e.Ticker)
				delete(kinds, e.Ticker)
			default:
				t.Fatalf("%#v", event)
			}
		}
		require.NoError(t, s.Subscribe(predictmeta.ChannelTrades, "T"))
		require.Equal(t, "MK-1", next[*predictmeta.TradeUpdate](t, s).Ticker)
	})
}

// TestBooksUnderTheLimit: however many books are wanted, they come within the limit
// of requests without a key.
func TestBooksUnderTheLimit(t *testing.T) {
	books := &library{}
	f := &feed{Rest: books.ServeHTTP}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		f.Script = func(ws *websocket.Conn, _ int) { listen(ws, nil) }
		s := started(t, cfg, predictmeta.StreamRequest{BookOnSubscribe: true})
		connected(t, s)
		const all = 35
		for i := range all {
			require.NoError(t, s.Subscribe(predictmeta.ChannelOrderBook, fmt.Sprintf("MK-%02d", i)))
		}
		got := map[string]bool{}
		for range all {
			refresh := next[*predictmeta.BookRefresh](t, s)
			require.NoError(t, refresh.Err)
			got[refresh.Ticker] = true
		}
		require.Len(t, got, all)
		synctest.Wait()
		require.Len(t, books.seen(), all)
		for i := 10; i < all; i++ {
			require.GreaterOrEqual(t, books.at[i].Sub(books.at[i-10]), time.Minute)
		}
	})
}

// TestBooksAgainstDrops: whatever connections come and go, after the last one the
// book of each subscription, and no other, was fetched after it.
func TestBooksAgainstDrops(t *testing.T) {
	books := &library{}
	f := &feed{Rest: books.ServeHTTP}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		const drops = 60
		f.Script = func(ws *websocket.Conn, n int) {
			go listen(ws, nil)
			if n <= drops {
				<-time.After(time.Duration(n%7) * 100 * time.Millisecond)
				return
			}
			<-time.After(24 * time.Hour)
		}
		cfg.APIKey = walletfi.NewSecret("k-123456")
		books.hold = func(string) { <-time.After(150 * time.Millisecond) }
		s := started(t, cfg, predictmeta.StreamRequest{BookOnSubscribe: true, MinBackoff: time.Second, MaxBackoff: time.Second, Subscriptions: booksOf("always")})
		go func() {
			for i := range 400 {
				ticker := fmt.Sprint(i % 5)
				if i%3 == 0 {
					_ = s.Unsubscribe(predictmeta.ChannelOrderBook, ticker)
				} else {
					_ = s.Subscribe(predictmeta.ChannelOrderBook, ticker)
				}
				<-time.After(100 * time.Millisecond)
			}
		}()
		link, last := new(linkJudge), map[string]int{}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Hour)
		defer cancel()
		for {
			event, err := s.Recv(ctx)
			if err != nil {
				require.Equal(t, context.DeadlineExceeded, err)
				break
			}
			link.saw(t, event)
			switch e := event.(type) {
			case *predictmeta.Connected:
				clear(last)
			case *predictmeta.BookRefresh:
				require.NoError(t, e.Err)
				last[e.Ticker]++
			}
		}
		wanted := s.Subscriptions()
		require.NotEmpty(t, wanted)
		require.Equal(t, 1, last["always"])
		for _, w := range wanted {
			require.NotZero(t, last[w.Ticker], w.Ticker)
		}
		require.Greater(t, link.ups, drops/2)
	})
}
