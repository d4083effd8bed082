package predictmeta_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// TestBooksOfUnknownMessages: what may be about a book and cannot be read makes it stale
// until it is fetched again.
func TestBooksOfUnknownMessages(t *testing.T) {
	for says, concerns := range map[string]string{
		`[{"type":"orderbook_update","ticker":"A","bids":[],"asks":[]}]`:                         "A MK-2",
		`{"type":"ORDERBOOK_UPDATE","ticker":"A","bids":[],"asks":[]}`:                           "A",
		`{"type":"orderbook_snapshot","ticker":"MK-2","bids":[]}`:                                "MK-2",
		`{"channel":"orderbook","ticker":"A","bids":[],"asks":[]}`:                               "A",
		`{"channel":"orderbook","bids":[],"asks":[]}`:                                            "A MK-2",
		`{"type":"delta","asks":[]}`:                                                             "A MK-2",
		`{"type":"books","data":[{"market":"MK-2"},{"market":"A"}]}`:                             "A MK-2",
		`{"type":"books","data":{"a":{"bids":[],"asks":[]}}}`:                                    "A",
		`{"type":5,"ticker":"A","bids":[],"asks":[]}`:                                            "A",
		`{"type":"orderbook_update","ticker":" A","bids":[],"asks":[],"timestamp":1767225613}`:   "A",
		`{"type":"orderbook_update","ticker":"mk-2","bids":[],"asks":[],"timestamp":1767225613}`: "MK-2",
		`{"type":"error","message":"an orderbook was lost"}`:                                     "A MK-2",
		`{"type":"error","channel":"orderbook","ticker":"A"}`:                                    "A",
		`{"type":"unsubscribed","channel":"orderbook","ticker":"MK-2"}`:                          "MK-2",
		`{"type":"Unsubscribed"}`:                                                                "A MK-2",
		`{"type":"orderbook_update","ticker":"A"`:                                                "A MK-2",

		`{"type":"orderbook_update","ticker":"MK-3","bids":[],"asks":[],"timestamp":1767225613}`: "",
		`{"type":"ORDERBOOK_UPDATE","ticker":"MK-3","bids":[],"asks":[]}`:                        "",
		`{"type":"price_update","ticker":"A","yes_price":{}}`:                                    "",
		`{"type":"heartbeat","at":5}`:                                                            "",
		`null`:                                                                                   "",
		`pong`:                                                                                   "",
	} {
		t.Run(says, func(t *testing.T) {
			s := &bookService{shows: map[string]string{"A": "13: 0.5*1 | 0.6*3", "MK-2": "13: 0.5*1 | 0.6*3"}}
			s.requireStaleAfter(t, says, concerns)
		})
	}
}

// TestBooksOfUnknownMessagesInLiveWords: a message of no type is read by the names of the
// deployment.
func TestBooksOfUnknownMessagesInLiveWords(t *testing.T) {
	s := &bookService{shows: map[string]string{"A": "13: 0.5*1 | 0.6*3", "MK-2": "13: 0.5*1 | 0.6*3"}}
	s.words = map[string]string{"bids": "buys"}
	s.requireStaleAfter(t, `{"buys":[{"price":0.5,"quantity":1}]}`, "A MK-2")
}

// requireStaleAfter checks which of A and MK-2 are stale after a message, and that they
// are fetched again.
func (s *bookService) requireStaleAfter(t *testing.T, says, concerns string) {
	req := predictmeta.BooksRequest{Tickers: []string{"A", "MK-2"}, Updates: predictmeta.UpdatesChange}
	withBooks(t, s, req, func(t *testing.T) {
		fetched := len(s.seen())
		s.hold = func(string) { <-s.release }
		s.say(says)
		stale := ""
		for _, ticker := range req.Tickers {
			if got, _ := s.books.Get(ticker); got.Stale != nil {
				require.ErrorContains(t, got.Stale, "could not be read")
				stale += " " + ticker
			}
		}
		require.Equal(t, concerns, strings.TrimSpace(stale))
		close(s.release)
		wait(0)
		for _, ticker := range req.Tickers {
			got, _ := s.books.Get(ticker)
			require.NoError(t, got.Stale)
		}
		require.Len(t, s.seen(), fetched+len(strings.Fields(concerns)))
	})
}
