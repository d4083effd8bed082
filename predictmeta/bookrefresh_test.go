package predictmeta_test

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// library answers for order books and keeps when each was asked for.
type library struct {
	mu    sync.Mutex
	asked []string
	at    []time.Time
	hold  func(path string) // before the answer; may be nil
	fail  func(w http.ResponseWriter, path string) bool
}

func (l *library) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	l.asked, l.at = append(l.asked, r.URL.RequestURI()), append(l.at, time.Now())
	l.mu.Unlock()
	if l.hold != nil {
		l.hold(r.URL.Path)
	}
	if l.fail != nil && l.fail(w, r.URL.Path) {
		return
	}
	fmt.Fprintf(w, `{"ticker":%q,"timestamp":"2026-01-01T00:00:00Z","bids":[{"price":0.5,"quantity":1}],"asks":[]}`, path.Base(r.URL.Path))
}

func (l *library) seen() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.asked)
}

func booksOf(tickers ...string) (all []predictmeta.Subscription) {
	for _, ticker := range tickers {
		all = append(all, predictmeta.Subscription{Channel: predictmeta.ChannelOrderBook, Ticker: ticker})
	}
	return all
}

// dropper cuts the n-th connection when told to, and keeps the others.
func dropper(cut <-chan struct{}, drops int) func(ws *websocket.Conn, n int) {
	return func(ws *websocket.Conn, n int) {
		if n > drops {
			listen(ws, nil)
			return
		}
		go listen(ws, nil)
		<-cut
	}
}

func TestBooksAreRefreshed(t *testing.T) {
	books := &library{}
	books.fail = func(w http.ResponseWriter, path string) bool {
		if path == "/api/v1/orderbook/B" {
			w.WriteHeader(http.StatusNotFound)
		}
		return path == "/api/v1/orderbook/B"
	}
	f := &feed{Rest: books.ServeHTTP}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		cut := make(chan struct{})
		f.Script = dropper(cut, 1)
		s := started(t, cfg, predictmeta.StreamRequest{
			RefreshBooks: true, RefreshDepth: new(5),
			Subscriptions: append(booksOf("A", "B"), predictmeta.Subscription{Channel: predictmeta.ChannelTrades, Ticker: "C"}),
		})
		connected(t, s)
		require.Empty(t, books.seen(), "there was no gap")
		cut <- struct{}{}
		reconnected(t, s)
		refreshed := next[*predictmeta.BookRefresh](t, s)
		require.NoError(t, refreshed.Err)
		require.Equal(t, &predictmeta.BookSnapshot{
			Ticker: "A", Timestamp: instant(t, "2026-01-01T00:00:00Z"),
			Bids: []predictmeta.Level{{Price: wiretest.Decimal(t, "0.5"), Quantity: 1}}, Asks: []predictmeta.Level{},
		}, refreshed.Book)
		failed := next[*predictmeta.BookRefresh](t, s)
		require.Equal(t, "B", failed.Ticker)
		require.Nil(t, failed.Book)
		require.ErrorIs(t, failed.Err, walletfi.ErrNotFound)
		require.Equal(t, []string{"/api/v1/orderbook/A?depth=5", "/api/v1/orderbook/B?depth=5"}, books.seen())
	})
}

func TestBooksAreNotRefreshedUnasked(t *testing.T) {
	books := &library{}
	f := &feed{Rest: books.ServeHTTP}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		cut := make(chan struct{})
		f.Script = dropper(cut, 1)
		s := started(t, cfg, predictmeta.StreamRequest{Subscriptions: booksOf("A")})
		connected(t, s)
		cut <- struct{}{}
		reconnected(t, s)
		<-time.After(time.Hour)
		require.Empty(t, books.seen())
	})
}

// Without a key ten books go at once; the others wait for the limit, and those
// that are given up meanwhile are not fetched.
func TestBooksAreRefreshedUnderTheLimit(t *testing.T) {
	books := &library{}
	f := &feed{Rest: books.ServeHTTP}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		cut := make(chan struct{})
		f.Script = dropper(cut, 1)
		var all []string
		for i := range 23 {
			all = append(all, fmt.Sprintf("MK-%02d", i))
		}
		s := started(t, cfg, predictmeta.StreamRequest{RefreshBooks: true, Subscriptions: booksOf(all...)})
		connected(t, s)
		cut <- struct{}{}
		reconnected(t, s)
		for i := range 10 {
			require.Equal(t, all[i], next[*predictmeta.BookRefresh](t, s).Ticker)
		}
		require.NoError(t, s.Unsubscribe(predictmeta.ChannelOrderBook, "MK-10", "MK-11", "MK-22"))
		// MK-10 is queued for its slot already, and gives it up.
		for _, i := range []int{12, 13, 14, 15, 16, 17, 18, 19, 20, 21} {
			refreshed := next[*predictmeta.BookRefresh](t, s)
			require.NoError(t, refreshed.Err)
			require.Equal(t, all[i], refreshed.Ticker)
		}
		synctest.Wait()
		require.Len(t, books.seen(), 20)
		for i := 10; i < 20; i++ {
			require.GreaterOrEqual(t, books.at[i].Sub(books.at[i-10]), time.Minute)
		}
	})
}

// A book that was asked for before a gap may be older than the gap: it is
// fetched again.
func TestBooksOfTwoGaps(t *testing.T) {
	books := &library{}
	f := &feed{Rest: books.ServeHTTP}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		cut := make(chan struct{})
		f.Script = dropper(cut, 2)
		asked, release := make(chan struct{}), make(chan struct{})
		var once sync.Once
		books.hold = func(string) {
			once.Do(func() {
				close(asked)
				<-release
			})
		}
		s := started(t, cfg, predictmeta.StreamRequest{RefreshBooks: true, Subscriptions: booksOf("A")})
		connected(t, s)
		cut <- struct{}{}
		reconnected(t, s)
		<-asked
		cut <- struct{}{}
		reconnected(t, s)
		close(release)
		require.Equal(t, "A", next[*predictmeta.BookRefresh](t, s).Ticker)
		<-time.After(time.Minute)
		require.Len(t, books.seen(), 2)
		require.NoError(t, s.Close())
		_, err := s.Recv(t.Context())
		require.Equal(t, predictmeta.ErrStreamClosed, err)
	})
}

// Close does not wait for a book that never comes.
func TestCloseEndsARefresh(t *testing.T) {
	books := &library{}
	f := &feed{Rest: books.ServeHTTP}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		cut := make(chan struct{})
		f.Script = dropper(cut, 1)
		asked, release := make(chan struct{}), make(chan struct{})
		books.hold = func(string) {
			close(asked)
			<-release
		}
		s := started(t, cfg, predictmeta.StreamRequest{RefreshBooks: true, Subscriptions: booksOf("A")})
		connected(t, s)
		cut <- struct{}{}
		<-asked
		require.NoError(t, s.Close())
		close(release)
	})
}
