package predictmeta_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBooksAreNotOlderThanWhatWasSeen: a book that is older than an update that could not be
// read, or that was kept and forgotten, lacks it, and is fetched again.
func TestBooksAreNotOlderThanWhatWasSeen(t *testing.T) {
	const twenty = `"timestamp":"2026-01-01T00:00:20Z"`
	for name, says := range map[string]string{
		"half a level":          `{"type":"orderbook_update","ticker":"A",` + twenty + `,"bids":[{"price":0.5}],"asks":[]}`,
		"a price twice":         `{"type":"orderbook_update","ticker":"A",` + twenty + `,"bids":[{"price":0.5,"quantity":1},{"price":0.50,"quantity":2}],"asks":[]}`,
		"no side":               `{"type":"orderbook_update","ticker":"A",` + twenty + `}`,
		"another type":          `{"type":"orderbook_delta","ticker":"A",` + twenty + `,"bids":[]}`,
		"in a list":             `[{"type":"orderbook_update","ticker":"A","timestamp":1767225601},{"type":"orderbook_update","ticker":"A",` + twenty + `}]`,
		"another case":          `{"type":"orderbook_update","ticker":"a",` + twenty + `,"bids":[],"asks":[]}`,
		"read, and then no one": bookJSON("orderbook_update", "A", "20: 0.5*3 | ") + "\n" + `{"type":"orderbook_update","ticker":"A"`,
	} {
		t.Run(name, func(t *testing.T) {
			s := &bookService{shows: map[string]string{"A": "10: 0.5*1 | 0.6*3"}}
			withBooks(t, s, byChanges, func(t *testing.T) {
				s.is(t, "0.5*1 | 0.6*3")
				s.show("A", "15: 0.5*2 | 0.6*3")
				s.hold = func(string) { <-s.release }
				s.say(`{"type":"orderbook_update","ticker":"A","bids":[{}]}`) // of no time
				for message := range strings.SplitSeq(says, "\n") {
					s.say(message)
				}
				close(s.release)
				synctest.Wait()
				s.isStale(t, "may be missing")
				s.show("A", "20: 0.5*3 | 0.6*3")
				<-time.After(time.Minute)
				synctest.Wait()
				s.is(t, "0.5*3 | 0.6*3")
				require.GreaterOrEqual(t, len(s.seen()), 3)
			})
		})
	}
}
