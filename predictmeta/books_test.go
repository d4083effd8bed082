package predictmeta_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
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

// bookService plays a feed and answers with the book of the moment. A book is written
// "second: bids | asks", a level "price*quantity".
type bookService struct {
	library
	feed    feed
	ws      *websocket.Conn
	cut     chan struct{}
	release chan struct{} // lets the books go that are held back
	books   *predictmeta.Books
	mu      sync.Mutex        // guards shows
	shows   map[string]string // by ticker; "" is a 404
	words   map[string]string // live names of the members
}

// show has the service answer a book from now on.
func (s *bookService) show(ticker, book string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shows[ticker] = book
}

func (s *bookService) shown(ticker string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shows[ticker]
}

func levelsJSON(side string) string {
	var all []string
	for level := range strings.FieldsSeq(side) {
		price, quantity, _ := strings.Cut(level, "*")
		all = append(all, fmt.Sprintf(`{"price":%s,"quantity":%s}`, price, quantity))
	}
	return "[" + strings.Join(all, ",") + "]"
}

func bookJSON(kind, ticker, book string) string {
	second, sides, _ := strings.Cut(book, ": ")
	bids, asks, _ := strings.Cut(sides, "|")
	return fmt.Sprintf(`{"type":%q,"ticker":%q,"timestamp":"2026-01-01T00:00:%02sZ","bids":%s,"asks":%s}`,
		kind, ticker, second, levelsJSON(bids), levelsJSON(asks))
}

// withBooks runs test on virtual time with the books of A, which is connected.
func withBooks(t *testing.T, s *bookService, req predictmeta.BooksRequest, test func(t *testing.T)) {
	t.Helper()
	s.fail = func(w http.ResponseWriter, path string) bool {
		ticker := path[strings.LastIndex(path, "/")+1:]
		if s.shown(ticker) == "" {
			w.WriteHeader(http.StatusNotFound)
			return true
		}
		text := bookJSON("", ticker, s.shown(ticker))
		for name, live := range s.words {
			text = strings.Replace(text, name, live, 1)
		}
		fmt.Fprint(w, text)
		return true
	}
	s.feed.Rest = s.ServeHTTP
	s.feed.Script = func(ws *websocket.Conn, _ int) {
		s.ws = ws
		go listen(ws, nil)
		<-s.cut
	}
	inBubble(t, &s.feed, func(t *testing.T, cfg predictmeta.Config) {
		s.cut, s.release = make(chan struct{}), make(chan struct{})
		cfg.APIKey = walletfi.NewSecret("k-123456") // no limit
		if s.words != nil {
			cfg.Deployment = wiretest.Words{Keys: s.words}.Of("predictmeta")
		}
		if req.Tickers == nil {
			req.Tickers = []string{"A"}
		}
		books, err := clientOf(t, cfg).Books(t.Context(), req)
		require.NoError(t, err)
		s.books = books
		defer func() {
			close(s.cut)
			require.NoError(t, books.Close())
			got, _ := books.Get("A")
			require.ErrorIs(t, got.Stale, predictmeta.ErrStreamClosed)
		}()
		synctest.Wait()
		test(t)
	})
}

func (s *bookService) update(book string) { s.say(bookJSON("orderbook_update", "A", book)) }

func (s *bookService) say(text string) {
	wstest.Say(s.ws, text)
	synctest.Wait()
}

// is checks the book of A, and that it can be traded on.
func (s *bookService) is(t *testing.T, want string) predictmeta.Book {
	t.Helper()
	got, ok := s.books.Get("A")
	require.True(t, ok)
	require.NoError(t, got.Stale)
	require.Equal(t, want, shownBook(got))
	return got
}

// isStale checks that the book of A is stale, and why.
func (s *bookService) isStale(t *testing.T, why string) {
	t.Helper()
	got, _ := s.books.Get("A")
	require.ErrorContains(t, got.Stale, why)
}

func shownBook(b predictmeta.Book) string {
	var sides [2][]string
	for i, side := range [][]predictmeta.Level{b.Bids(), b.Asks()} {
		for _, l := range side {
			sides[i] = append(sides[i], fmt.Sprintf("%s*%d", l.Price, l.Quantity))
		}
	}
	return strings.Join(sides[0], " ") + " | " + strings.Join(sides[1], " ")
}

var (
	byChanges     = predictmeta.BooksRequest{Updates: predictmeta.UpdatesChange}
	byReplacement = predictmeta.BooksRequest{Updates: predictmeta.UpdatesReplace}
)

// TestBooksMerge: levels are changed, added and removed; what comes twice changes nothing.
func TestBooksMerge(t *testing.T) {
	s := &bookService{shows: map[string]string{"A": "10: 0.5*1 0.4*2 | 0.6*3"}}
	withBooks(t, s, byChanges, func(t *testing.T) {
		s.is(t, "0.5*1 0.4*2 | 0.6*3")
		s.update("11: 0.5*9 0.45*5 0.30*7 | 0.60*0 0.7*4")
		book := s.is(t, "0.5*9 0.45*5 0.4*2 0.30*7 | 0.7*4")
		s.update("11: 0.5*9 0.45*5 0.30*7 | 0.60*0 0.7*4")
		s.is(t, "0.5*9 0.45*5 0.4*2 0.30*7 | 0.7*4")
		s.update("12: 0.5*0 0.2*0 | ")
		s.is(t, "0.45*5 0.4*2 0.30*7 | 0.7*4")
		require.Equal(t, "0.5*9 0.45*5 0.4*2 0.30*7 | 0.7*4", shownBook(book), "a book never changes")
		bid, _ := book.BestBid()
		require.EqualValues(t, 9, bid.Quantity)
		s.say(`{"type":"orderbook_update","ticker":"A","timestamp":"2026-01-01T00:00:13Z","asks":[{"price":0.65,"quantity":2}]}`)
		s.is(t, "0.45*5 0.4*2 0.30*7 | 0.65*2 0.7*4")
		s.say(`{"type":"orderbook_update","ticker":"B","timestamp":"2026-01-01T00:00:13Z","bids":[],"asks":[{"price":0.65,"quantity":0}]}`)
		s.is(t, "0.45*5 0.4*2 0.30*7 | 0.65*2 0.7*4")
		require.Len(t, s.seen(), 1)
	})
}

// TestBooksReplaced: where an update is the whole book, nothing of the one before stays.
func TestBooksReplaced(t *testing.T) {
	s := &bookService{shows: map[string]string{"A": "10: 0.5*1 0.4*2 | 0.6*3"}}
	withBooks(t, s, byReplacement, func(t *testing.T) {
		s.is(t, "0.5*1 0.4*2 | 0.6*3")
		s.update("09: 0.4*2 0.5*1 | 0.60*3")
		s.is(t, "0.5*1 0.4*2 | 0.6*3")
		s.update("11: 0.3*1 | ")
		s.is(t, "0.3*1 | ")
		s.say(`{"type":"orderbook_update","ticker":"A","timestamp":"2026-01-01T00:00:12Z","bids":[]}`)
		s.isStale(t, "may be missing") // half a book; the one that was fetched for it is older
		require.Len(t, s.seen(), 2)
		s.show("A", "13: 0.2*1 | ")
		<-time.After(time.Minute)
		synctest.Wait()
		s.is(t, "0.2*1 | ")
	})
}

// TestBooksWhileFetched: what comes while a book is being fetched is merged into it, if
// it is not older.
func TestBooksWhileFetched(t *testing.T) {
	for updates, want := range map[predictmeta.BookUpdates]string{
		predictmeta.UpdatesChange: "0.5*7 0.3*4 | 0.6*3", predictmeta.UpdatesReplace: "0.5*7 | ",
	} {
		t.Run(string(updates), func(t *testing.T) {
			s := &bookService{shows: map[string]string{"A": "10: 0.5*1 0.3*4 | 0.6*3"}}
			s.hold = func(string) { <-s.release }
			withBooks(t, s, predictmeta.BooksRequest{Updates: updates}, func(t *testing.T) {
				s.isStale(t, "not fetched yet")
				s.update("08: 0.3*0 | ")
				s.update("09: 0.3*4 | ")
				s.update("11: 0.5*7 | ")
				close(s.release)
				synctest.Wait()
				s.is(t, want)
			})
		})
	}
}

// TestBooksAfterAGap: without a connection a book is stale; what was missed comes with
// the book that is fetched after it.
func TestBooksAfterAGap(t *testing.T) {
	s := &bookService{shows: map[string]string{"A": "10: 0.5*1 | 0.6*3"}}
	req := byChanges
	req.Stream = predictmeta.StreamRequest{MinBackoff: time.Minute, MaxBackoff: time.Minute}
	withBooks(t, s, req, func(t *testing.T) {
		s.is(t, "0.5*1 | 0.6*3")
		s.cut <- struct{}{}
		synctest.Wait()
		s.isStale(t, "")
		got, _ := s.books.Get("A")
		require.Equal(t, "0.5*1 | 0.6*3", shownBook(got), "as far as it is known")
		s.show("A", "40: 0.4*1 | 0.45*3")
		<-time.After(2 * time.Minute)
		synctest.Wait()
		s.is(t, "0.4*1 | 0.45*3")
		s.update("41: 0.4*0 | ")
		s.is(t, " | 0.45*3")
		require.Len(t, s.seen(), 2)
	})
}

// TestBooksAreFetchedAgain: what may have lost an update makes a book stale until it is
// fetched again.
func TestBooksAreFetchedAgain(t *testing.T) {
	for name, row := range map[string]struct{ says, why string }{
		"a price above 1":    {`{"type":"orderbook_update","timestamp":1767225613,"ticker":"A","bids":[{"price":1.5,"quantity":1}],"asks":[]}`, "could not be read"},
		"a level of half":    {`{"type":"orderbook_update","timestamp":1767225613,"ticker":"A","bids":[{"price":0.5}],"asks":[]}`, "could not be read"},
		"no side":            {`{"type":"orderbook_update","timestamp":1767225613,"ticker":"A"}`, "could not be read"},
		"a side that is no":  {`{"type":"orderbook_update","timestamp":1767225613,"ticker":"A","bids":{"0.5":1},"asks":[]}`, "could not be read"},
		"no ticker":          {`{"type":"orderbook_update","timestamp":1767225613,"bids":[],"asks":[]}`, "could not be read"},
		"a crossed book":     {bookJSON("orderbook_update", "A", "11: 0.7*1 | "), "crossed"},
		"a locked book":      {bookJSON("orderbook_update", "A", "11: 0.60*1 | "), "crossed"},
		"a crossed ask side": {bookJSON("orderbook_update", "A", "11:  | 0.5*1"), "crossed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &bookService{shows: map[string]string{"A": "10: 0.5*1 0.4*1 | 0.6*3"}}
			withBooks(t, s, byChanges, func(t *testing.T) {
				s.is(t, "0.5*1 0.4*1 | 0.6*3")
				s.hold = func(string) { <-s.release }
				s.show("A", "13: 0.5*5 | 0.6*6")
				s.say(row.says)
				s.isStale(t, row.why)
				s.update("13: 0.5*7 | ")
				s.isStale(t, row.why)
				close(s.release)
				synctest.Wait()
				s.is(t, "0.5*7 | 0.6*6")
				require.Len(t, s.seen(), 2)
			})
		})
	}
}

// TestBooksThatFail: a book that cannot be fetched, or stays crossed, is fetched again
// after a while, less and less often.
func TestBooksThatFail(t *testing.T) {
	for name, row := range map[string]struct{ shows, why string }{
		"not found": {"", "404"}, "crossed": {"09: 0.7*1 | 0.6*1", "crossed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &bookService{shows: map[string]string{"A": row.shows}}
			withBooks(t, s, byChanges, func(t *testing.T) {
				s.isStale(t, row.why)
				<-time.After(time.Hour)
				synctest.Wait()
				require.Greater(t, len(s.seen()), 50)
				require.Less(t, len(s.seen()), 400)
				s.show("A", "10: 0.5*1 | 0.6*3")
				s.update("11: 0.5*2 | ")
				s.isStale(t, row.why)
				<-time.After(time.Minute)
				synctest.Wait()
				s.is(t, "0.5*2 | 0.6*3")
			})
		})
	}
}

// TestBooksKnowTheirDepth: below the levels that were fetched nothing is known, so that
// the book is fetched again before they run out.
func TestBooksKnowTheirDepth(t *testing.T) {
	s := &bookService{shows: map[string]string{"A": "10: 0.5*1 0.4*1 | 0.6*1"}}
	req := byChanges
	req.Depth = new(2)
	withBooks(t, s, req, func(t *testing.T) {
		require.Equal(t, []string{"/api/v1/orderbook/A?depth=2"}, s.seen())
		s.hold = func(string) { <-s.release }
		s.show("A", "20: 0.3*1 0.2*1 | 0.6*1")
		s.update("11: 0.35*1 | 0.9*1")
		s.is(t, "0.5*1 0.4*1 | 0.6*1 0.9*1")
		s.update("12: 0.5*0 | ")
		s.is(t, "0.4*1 | 0.6*1 0.9*1")
		s.update("13: 0.4*0 | ")
		s.isStale(t, "are gone")
		close(s.release)
		synctest.Wait()
		s.is(t, "0.3*1 0.2*1 | 0.6*1")
		require.Len(t, s.seen(), 2)
	})
}

// TestBooksChanges: a consumer gets every change that it is fast enough for, and the
// newest book with the number of those it missed; Close ends the iteration.
func TestBooksChanges(t *testing.T) {
	s := &bookService{shows: map[string]string{"A": "10: 0.5*1 | ", "B": "10: 0.1*1 | "}}
	req := byChanges
	req.Tickers = []string{"A", "B", "A"}
	withBooks(t, s, req, func(t *testing.T) {
		var got []string
		next := make(chan struct{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			for book, err := range s.books.Changes() {
				if err != nil {
					got = append(got, err.Error())
					return
				}
				got = append(got, fmt.Sprint(book.Ticker(), " ", shownBook(book), " +", book.Skipped))
				<-next
			}
		}()
		synctest.Wait()
		for range 2 {
			next <- struct{}{}
			synctest.Wait()
		}
		s.update("11: 0.5*2 | ")
		s.update("11: 0.5*2 | ")
		s.update("12: 0.5*3 | ")
		s.update("13: 0.5*4 | ")
		next <- struct{}{}
		synctest.Wait()
		require.NoError(t, s.books.Close())
		close(next)
		<-done
		require.Equal(t, []string{"A 0.5*1 |  +1", "B 0.1*1 |  +1", "A 0.5*2 |  +0", "A 0.5*4 |  +1"}, got)
		_, ok := s.books.Get("C")
		require.False(t, ok)
	})
}

// TestBooksRequest: what a request must say, and what it must not.
func TestBooksRequest(t *testing.T) {
	c := clientOf(t, predictmeta.Config{BaseURL: "http://localhost", WebSocketURL: "ws://localhost"})
	for field, req := range map[string]predictmeta.BooksRequest{
		"tickers": {Updates: predictmeta.UpdatesChange},
		"updates": {Tickers: []string{"A"}},
		"depth":   {Tickers: []string{"A"}, Updates: predictmeta.UpdatesChange, Depth: new(0)},
		"stream":  {Tickers: []string{"A"}, Updates: predictmeta.UpdatesChange, Stream: predictmeta.StreamRequest{Slow: predictmeta.KeepLatest}},
		"ticker":  {Tickers: []string{""}, Updates: predictmeta.UpdatesChange},
	} {
		_, err := c.Books(t.Context(), req)
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		require.ErrorContains(t, err, field)
	}
}
