package predictmeta

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func trade(ticker string, quantity int) *TradeUpdate {
	return &TradeUpdate{Ticker: ticker, Quantity: uint64(quantity)}
}

// told returns what the consumer gets, as texts, until nothing is left.
func told(t testing.TB, q *feedQueue) (all []string) {
	t.Helper()
	q.finish(errors.New("over"), false)
	for {
		event, err := q.take(context.Background())
		if err != nil {
			return all
		}
		all = append(all, textOf(t, event))
	}
}

func textOf(t testing.TB, event FeedEvent) string {
	t.Helper()
	switch e := event.(type) {
	case *TradeUpdate:
		return fmt.Sprintf("trade %s %d-%d", e.Ticker, e.Quantity, e.Skipped)
	case *BookUpdate:
		return fmt.Sprintf("book %s-%d", e.Ticker, e.Skipped)
	case *PriceUpdate:
		return fmt.Sprintf("price %s-%d", e.Ticker, e.Skipped)
	case *UnknownMessage:
		return "unknown " + e.Type
	case *BookRefresh:
		return "refresh " + e.Ticker
	case *Dropped:
		if e.Channel != ChannelTrades {
			return fmt.Sprintf("dropped %q %d", e.Channel, e.Count)
		}
		return fmt.Sprint("dropped ", e.Count)
	case *Gap:
		return fmt.Sprint("gap ", e.From.Unix(), "-", e.To.Unix(), " ", e.Reason)
	case *Connected:
		return "up"
	case *Disconnected:
		return "down"
	case *RetryFailed:
		return fmt.Sprint("failed ", e.RetryIn)
	}
	t.Fatalf("%T", event)
	return ""
}

func gap(from, to int64, reason string) *Gap {
	return &Gap{time.Unix(from, 0), time.Unix(to, 0), reason}
}

func failed(seconds int) *RetryFailed {
	return &RetryFailed{RetryIn: time.Duration(seconds) * time.Second}
}

var (
	up   = &Connected{}
	down = &Disconnected{}

	allLatest    = slowPolicies{KeepLatest, KeepLatest, KeepLatest}
	noLatest     = slowPolicies{DropOldest, DropOldest, DropOldest}
	latestPrices = slowPolicies{KeepLatest, DropOldest, DropOldest} // prices alone
)

func policies(latest bool) slowPolicies {
	if latest {
		return allLatest
	}
	return noLatest
}

func TestFeedQueue(t *testing.T) {
	for name, row := range map[string]struct {
		len    int
		latest bool
		events []FeedEvent
		want   []string
	}{
		"in order":                       {4, false, []FeedEvent{trade("A", 1), &BookUpdate{Ticker: "A"}, trade("A", 2)}, []string{"trade A 1-0", "book A-0", "trade A 2-0"}},
		"the oldest go":                  {2, false, []FeedEvent{trade("A", 1), &UnknownMessage{}, trade("A", 3), trade("A", 4)}, []string{"dropped 1", `dropped "" 1`, "trade A 3-0", "trade A 4-0"}},
		"a length that is no power of 2": {3, false, []FeedEvent{trade("A", 1), trade("A", 2), trade("A", 3), trade("A", 4)}, []string{"dropped 1", "trade A 2-0", "trade A 3-0", "trade A 4-0"}},
		"one place":                      {1, false, []FeedEvent{trade("A", 1), trade("A", 2)}, []string{"dropped 1", "trade A 2-0"}},
		"a gap is never lost":            {2, false, []FeedEvent{failed(1), gap(1, 2, "x"), trade("A", 1), trade("A", 2), trade("A", 3)}, []string{"dropped 1", "gap 1-2 x", "trade A 2-0", "trade A 3-0"}},
		"gaps that meet are one":         {1, false, []FeedEvent{gap(1, 2, "x"), trade("A", 1), gap(3, 4, "y"), trade("A", 2), trade("A", 3)}, []string{"dropped 2", "gap 1-4 y", "trade A 3-0"}},
		"attempts that fail are one":     {9, false, []FeedEvent{down, failed(1), failed(2), trade("A", 1), failed(3), gap(1, 2, "x"), failed(4), failed(5)}, []string{"down", "failed 2s", "trade A 1-0", "failed 3s", "gap 1-2 x", "failed 5s"}},

		"latest in its place":        {9, true, []FeedEvent{trade("A", 1), trade("B", 1), trade("A", 2), &PriceUpdate{Ticker: "A"}, trade("A", 3)}, []string{"trade A 3-2", "trade B 1-0", "price A-0"}},
		"latest, not before a gap":   {9, true, []FeedEvent{trade("A", 1), gap(1, 2, "x"), trade("A", 2), trade("A", 3)}, []string{"trade A 1-0", "gap 1-2 x", "trade A 3-1"}},
		"latest, not before a book":  {9, true, []FeedEvent{&BookUpdate{Ticker: "A"}, trade("A", 1), &BookRefresh{Ticker: "A"}, &BookUpdate{Ticker: "A"}, trade("A", 2)}, []string{"book A-0", "trade A 2-1", "refresh A", "book A-0"}},
		"latest, too many tickers":   {2, true, []FeedEvent{trade("A", 1), trade("A", 2), trade("B", 1), trade("C", 1), trade("A", 3), trade("C", 2)}, []string{"dropped 3", "trade C 2-1", "trade A 3-0"}},
		"latest, what is not known":  {9, true, []FeedEvent{&UnknownMessage{Type: "x"}, &UnknownMessage{Type: "x"}}, []string{"unknown x", "unknown x"}},
		"latest, evicted behind gap": {2, true, []FeedEvent{trade("A", 1), gap(1, 2, "x"), trade("A", 2), trade("A", 3)}, []string{"dropped 1", "gap 1-2 x", "trade A 3-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			q := newFeedQueue(row.len, 1<<20, policies(row.latest))
			for _, event := range row.events {
				q.put(made(event, 10))
			}
			require.Equal(t, row.want, told(t, q))
			require.Zero(t, q.size)
			require.Empty(t, q.latest, "nothing is remembered of what is gone")
		})
	}
}

func TestFeedQueueBytes(t *testing.T) {
	q := newFeedQueue(1000, 10_000, noLatest)
	for i := range 100 {
		q.put(made(trade("A", i), 744)) // 1,000 with what the event takes
		require.LessOrEqual(t, q.size, 10_000)
	}
	q.put(made(trade("A", 100), 50_000)) // more than all: alone, it has its place
	require.Equal(t, []string{"dropped 100", "trade A 100-0"}, told(t, q))
	q = newFeedQueue(10, 2000, allLatest)
	for i := range 5 {
		q.put(made(trade("A", i), 1000))
		require.Equal(t, 1256, q.size, "what is replaced takes no room")
	}
}

// Each update is delivered, or counted where it would have stood; gaps are
// told in order, and nothing after one comes before it.
func TestFeedQueueAccounts(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		latest := source.IntN(2) == 0
		q := newFeedQueue(1+source.IntN(12), 1<<20, policies(latest))
		sent, counted, gaps, lastGap := 0, 0, 0, int64(0)
		take := func(event FeedEvent) {
			switch e := event.(type) {
			case *TradeUpdate:
				counted += 1 + e.Skipped
				require.GreaterOrEqual(t, e.Quantity, uint64(lastGap), "from before the gap")
			case *Dropped:
				counted += e.Count
			case *Gap:
				require.Greater(t, e.To.Unix(), lastGap)
				lastGap = e.To.Unix()
			}
		}
		for range 200 {
			switch source.IntN(10) {
			case 0:
				gaps++
				q.put(made(gap(int64(sent), int64(sent)+1, ""), 0))
				sent++ // so that a number is a time
				counted++
			case 1, 2, 3:
				if event := q.next(); event != nil {
					take(event)
				}
			default:
				q.put(made(trade(fmt.Sprint(source.IntN(4)), sent), 5))
				sent++
			}
		}
		for event := q.next(); event != nil; event = q.next() {
			take(event)
		}
		require.Equal(t, sent, counted)
		require.Equal(t, gaps > 0, lastGap > 0)
	}
}

func TestFeedQueueConsumers(t *testing.T) {
	for _, latest := range []bool{false, true} {
		const events, consumers = 20_000, 4
		q := newFeedQueue(events, 1<<30, policies(latest))
		var mu sync.Mutex
		seen := map[string]bool{}
		var group sync.WaitGroup
		for range consumers {
			group.Go(func() {
				for {
					event, err := q.take(t.Context())
					if err != nil {
						return
					}
					mu.Lock()
					seen[textOf(t, event)] = true
					mu.Unlock()
				}
			})
		}
		for i := range events {
			q.put(made(trade(fmt.Sprint(i), i), 1))
		}
		q.finish(ErrStreamClosed, false)
		group.Wait()
		require.Len(t, seen, events, "each event once, for one of them")
	}
}

// However many consumers wait, one event wakes one of them, and a consumer that is
// cancelled takes no event from another.
func TestFeedQueueWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newFeedQueue(100, 1<<20, noLatest)
		got := make(chan FeedEvent, 10)
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		for i := range 6 {
			mine := t.Context()
			if i%2 == 0 {
				mine = ctx
			}
			group.Go(func() {
				if event, err := q.take(mine); err == nil {
					got <- event
				} else if i%2 == 1 {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		cancel()
		q.put(made(trade("A", 1), 0), made(trade("A", 2), 0), made(trade("A", 3), 0))
		synctest.Wait()
		if len(got) < 3 { // one that was cancelled may have been the first to see an event
			q.put(made(trade("A", 4), 0), made(trade("A", 5), 0), made(trade("A", 6), 0))
		}
		group.Wait()
		require.GreaterOrEqual(t, len(got), 3)
		q.mu.Lock()
		defer q.mu.Unlock()
		require.Zero(t, q.waiting)
	})
}

func TestFeedQueueFinish(t *testing.T) {
	q := newFeedQueue(10, 1<<20, allLatest)
	q.put(made(trade("A", 1), 0))
	q.finish(ErrStreamClosed, false)
	q.finish(context.Canceled, false)
	q.put(made(trade("A", 2), 0))
	event, err := q.take(t.Context())
	require.NoError(t, err)
	require.Equal(t, trade("A", 1), event, "nothing comes in any more, what is there goes out")
	_, err = q.take(t.Context())
	require.Equal(t, ErrStreamClosed, err, "the first reason stays")

	q = newFeedQueue(1, 1<<20, noLatest)
	q.put(made(gap(1, 2, ""), 0), made(trade("A", 1), 0), made(trade("A", 2), 0))
	q.finish(ErrStreamClosed, true)
	event, err = q.take(t.Context())
	require.Nil(t, event)
	require.Equal(t, ErrStreamClosed, err)
}

// TestLatestIsBoundedInBytes: an update that takes the place of a smaller one counts with
// its own size.
func TestLatestIsBoundedInBytes(t *testing.T) {
	const most = 10_000
	q := newFeedQueue(100, most, allLatest)
	for i := range 20 {
		q.put(made(&BookUpdate{Ticker: fmt.Sprint(i)}, 10))
	}
	for i := range 20 {
		q.put(made(&BookUpdate{Ticker: fmt.Sprint(i)}, 4000))
		require.LessOrEqual(t, q.size, most)
	}
	q.put(made(&BookUpdate{Ticker: "19"}, 2*most))
	require.Equal(t, []string{`dropped "orderbook" 38`, "book 19-2"}, told(t, q), "one event always fits, and all 41 are told of")
	require.Zero(t, q.size)
	require.Empty(t, q.latest)
}
