package predictmeta_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/predictmeta"
)

func wait(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// bothMeanings runs a test with either meaning of an update.
func bothMeanings(t *testing.T, test func(t *testing.T, req predictmeta.BooksRequest)) {
	for _, req := range []predictmeta.BooksRequest{byChanges, byReplacement} {
		t.Run(string(req.Updates), func(t *testing.T) { test(t, req) })
	}
}

// TestBooksAheadOfTheFeed: updates that seem to be older than a book that was fetched before
// them do not go missing, as long as they do not repeat it.
func TestBooksAheadOfTheFeed(t *testing.T) {
	bothMeanings(t, func(t *testing.T, req predictmeta.BooksRequest) {
		s := &bookService{shows: map[string]string{"A": "20: 0.5*1 | 0.6*3"}}
		withBooks(t, s, req, func(t *testing.T) {
			s.update("11: 0.50*1 | 0.6*3")
			s.is(t, "0.5*1 | 0.6*3")
			s.update("12: 0.5*2 | 0.6*3")
			s.isStale(t, "contradicts")
			require.Len(t, s.seen(), 1, "not at once: the feed may catch up")
			s.update("13: 0.5*1 | 0.6*3")
			s.is(t, "0.5*1 | 0.6*3")
			s.update("14: 0.5*4 | 0.6*3")
			s.isStale(t, "contradicts")
			s.update("21: 0.5*5 | 0.6*3")
			s.is(t, "0.5*5 | 0.6*3")
		})
	})
}

// TestBooksFromTheFuture: with a clock that is always ahead, a book is fresh between a
// fetch and the next update; it is fetched less and less often.
func TestBooksFromTheFuture(t *testing.T) {
	bothMeanings(t, func(t *testing.T, req predictmeta.BooksRequest) {
		s := &bookService{shows: map[string]string{"A": "59: 0.5*1 | 0.6*3"}}
		withBooks(t, s, req, func(t *testing.T) {
			quantity := 1
			for minute := range 10 {
				for second := range 6 {
					quantity++
					s.show("A", fmt.Sprintf("59: 0.5*%d | 0.6*3", quantity))
					s.update(fmt.Sprintf("%d.%d: 0.5*%d | 0.6*3", 10+minute, second, quantity))
					s.isStale(t, "contradicts")
					wait(time.Second / 10)
				}
				wait(time.Minute)
				s.is(t, fmt.Sprintf("0.5*%d | 0.6*3", quantity))
			}
			require.Less(t, len(s.seen()), 30)
		})
	})
}

// TestBooksOfOneAnswerFromTheFuture: one wrong time does not keep a book stale.
func TestBooksOfOneAnswerFromTheFuture(t *testing.T) {
	bothMeanings(t, func(t *testing.T, req predictmeta.BooksRequest) {
		s := &bookService{shows: map[string]string{"A": "59: 0.5*1 | 0.6*3"}}
		withBooks(t, s, req, func(t *testing.T) {
			s.show("A", "11: 0.5*2 | 0.6*3")
			s.update("11: 0.5*2 | 0.6*3")
			wait(time.Minute)
			s.is(t, "0.5*2 | 0.6*3")
			s.update("12: 0.5*3 | 0.6*3")
			s.is(t, "0.5*3 | 0.6*3")
		})
	})
}

// TestBooksOfCoarseTimes: a time in whole seconds is not before one within its second.
func TestBooksOfCoarseTimes(t *testing.T) {
	for shown, said := range map[string]string{"10.2": "10", "10": "10.2", "10.200": "10.2004"} {
		t.Run(shown+" and "+said, func(t *testing.T) {
			s := &bookService{shows: map[string]string{"A": shown + ": 0.5*1 0.4*1 | 0.6*3"}}
			withBooks(t, s, byChanges, func(t *testing.T) {
				s.update(said + ": 0.5*0 | ")
				s.is(t, "0.4*1 | 0.6*3")
				s.update("11: 0.4*2 | ")
				s.is(t, "0.4*2 | 0.6*3")
				require.Len(t, s.seen(), 1)
			})
		})
	}
}

// TestBooksOutOfOrder: an update that is older than the one before it is not merged, and
// the book is fetched again; also if it is that one whose time is wrong.
func TestBooksOutOfOrder(t *testing.T) {
	bothMeanings(t, func(t *testing.T, req predictmeta.BooksRequest) {
		s := &bookService{shows: map[string]string{"A": "10: 0.5*1 | 0.6*3"}}
		withBooks(t, s, req, func(t *testing.T) {
			s.update("12: 0.4*2 0.5*0 | 0.6*3")
			s.is(t, "0.4*2 | 0.6*3")
			s.update("11: 0.5*9 | 0.6*3")
			s.isStale(t, "out of order")
			got, _ := s.books.Get("A")
			require.Equal(t, "0.4*2 | 0.6*3", shownBook(got))
			s.show("A", "11.5: 0.5*9 | 0.6*3") // from a cache
			wait(2 * time.Second)
			s.isStale(t, "may be missing")
			s.show("A", "13: 0.4*3 | 0.6*3")
			wait(time.Minute)
			s.is(t, "0.4*3 | 0.6*3")

			s.update("59: 0.4*4 | 0.6*3")
			s.is(t, "0.4*4 | 0.6*3")
			for second := range 30 {
				s.show("A", fmt.Sprintf("%d: 0.4*%d | 0.6*3", 14+second, 5+second))
				s.update(s.shown("A"))
				wait(time.Second)
			}
			wait(time.Minute)
			s.is(t, "0.4*34 | 0.6*3")
		})
	})
}

// TestBooksForget: what was kept for a fetch that failed is not merged into a later book.
func TestBooksForget(t *testing.T) {
	s := &bookService{shows: map[string]string{"A": "10: 0.40*1 0.39*1 0.38*1 0.37*1 | 0.6*1"}}
	req := byChanges
	req.Depth = new(4)
	withBooks(t, s, req, func(t *testing.T) {
		s.hold = func(string) { <-s.release }
		s.update("11: 0.39*0 0.38*0 | ") // so few are left that it is fetched again
		s.update("11: 0.43*5 | ")        // enough
		s.show("A", "")
		close(s.release)
		synctest.Wait()
		s.is(t, "0.43*5 0.40*1 0.37*1 | 0.6*1")
		require.Len(t, s.seen(), 2)
		s.show("A", "11: 0.37*1 0.36*1 0.35*1 0.34*1 | 0.6*1")
		s.update("11: 0.43*0 0.40*0 | ")
		s.is(t, "0.37*1 0.36*1 0.35*1 0.34*1 | 0.6*1")
		require.Len(t, s.seen(), 3)
	})
}

// TestBooksOfAPriceTwice: a price that comes twice on a side has no known quantity.
func TestBooksOfAPriceTwice(t *testing.T) {
	for _, twice := range []string{"0.5*7 0.5*1", "0.50*7 0.5*7", "0.5*1 0.3*1 5e-1*7"} {
		bothMeanings(t, func(t *testing.T, req predictmeta.BooksRequest) {
			s := &bookService{shows: map[string]string{"A": "10: 0.5*1 0.4*1 | 0.6*3"}}
			withBooks(t, s, req, func(t *testing.T) {
				for n, side := range []string{twice + " | 0.6*3", "0.2*1 | " + twice} {
					s.show("A", fmt.Sprintf("%d: %s", 12+n, side))
					s.update(fmt.Sprintf("%d: %s", 12+n, side))
					s.isStale(t, "could not be read")
					wait(5 * time.Second)
					s.isStale(t, "could not be read")
					s.show("A", fmt.Sprintf("%d: 0.5*7 | 0.6*3", 12+n))
					wait(time.Minute)
					s.is(t, "0.5*7 | 0.6*3")
				}
			})
		})
	}
}
