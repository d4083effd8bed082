package predictmeta

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFeedQueueLink: what the queue discards, the consumer knows in the end whether
// there is a connection, is told of no state twice, and of each gap.
func TestFeedQueueLink(t *testing.T) {
	for name, row := range map[string]struct {
		len    int
		told   linkState
		events []FeedEvent
		want   []string
	}{
		"nothing is lost":              {9, linkUnknown, []FeedEvent{up, trade("A", 1), down, failed(1), gap(1, 2, "x"), up}, []string{"up", "trade A 1-0", "down", "failed 1s", "gap 1-2 x", "up"}},
		"the first word is lost":       {1, linkUnknown, []FeedEvent{up, trade("A", 1)}, []string{"up", "trade A 1-0"}},
		"the first words are lost":     {1, linkUnknown, []FeedEvent{down, failed(1), up, trade("A", 1)}, []string{"up", "trade A 1-0"}},
		"a loss is lost":               {1, linkUp, []FeedEvent{down, trade("A", 1)}, []string{"down", "trade A 1-0"}},
		"a loss is lost, not the gap":  {2, linkUp, []FeedEvent{trade("A", 1), down, gap(1, 2, "x"), up}, []string{"dropped 1", "down", "gap 1-2 x", "up"}},
		"a loss and the gap are lost":  {1, linkUp, []FeedEvent{trade("A", 1), down, gap(1, 2, "x"), up}, []string{"dropped 1", "down", "gap 1-2 x", "up"}},
		"a loss and the return":        {1, linkUp, []FeedEvent{down, gap(1, 2, "x"), up, trade("A", 1)}, []string{"gap 1-2 x", "trade A 1-0"}},
		"a return is lost":             {1, linkDown, []FeedEvent{gap(1, 2, "x"), up, trade("A", 1)}, []string{"gap 1-2 x", "up", "trade A 1-0"}},
		"a return and a loss":          {1, linkDown, []FeedEvent{gap(1, 2, "x"), up, down, failed(3)}, []string{"gap 1-2 x", "failed 3s"}},
		"two losses and one return":    {1, linkUp, []FeedEvent{down, gap(1, 2, "x"), up, down, failed(3)}, []string{"gap 1-2 x", "down", "failed 3s"}},
		"two losses, the gap comes":    {2, linkUp, []FeedEvent{down, gap(1, 2, "x"), up, down, gap(3, 4, "y"), up}, []string{"gap 1-2 x", "down", "gap 3-4 y", "up"}},
		"many losses, all in one":      {1, linkUp, []FeedEvent{down, gap(1, 2, "x"), up, down, gap(3, 4, "y"), up, trade("A", 1)}, []string{"gap 1-4 y", "trade A 1-0"}},
		"an attempt alone is not told": {1, linkDown, []FeedEvent{failed(1), trade("A", 1)}, []string{"trade A 1-0"}},
	} {
		t.Run(name, func(t *testing.T) {
			q := newFeedQueue(row.len, 1<<20, noLatest)
			q.told = row.told
			for _, event := range row.events {
				q.put(made(event, 10))
			}
			require.Equal(t, row.want, told(t, q))
		})
	}
}

// TestFeedQueueLinkAtRandom: as above, whatever happens and whenever it is received.
func TestFeedQueueLinkAtRandom(t *testing.T) {
	source := rand.New(rand.NewPCG(7, 8))
	untold := 0
	for range 500 {
		q := newFeedQueue(1+source.IntN(6), 1<<20, policies(source.IntN(2) == 0))
		is, known := linkUnknown, linkUnknown
		losses, seen, lastGap, gaps := 0, 0, int64(0), int64(0)
		receive := func() bool {
			event := q.next()
			switch e := event.(type) {
			case nil:
				return false
			case *Connected, *Disconnected:
				require.NotEqual(t, known, linkStateOf(event), "twice in a row")
				if known = linkStateOf(event); known == linkDown {
					seen++
				}
			case *RetryFailed:
				require.Equal(t, linkDown, known)
			case *TradeUpdate:
				require.Equal(t, linkUp, known)
			case *Gap:
				require.Greater(t, e.To.Unix(), lastGap)
				lastGap = e.To.Unix()
			}
			return true
		}
		for range 200 {
			switch choice := source.IntN(6); {
			case choice == 0:
				receive()
			case is == linkUp && choice < 5:
				q.put(made(trade(fmt.Sprint(source.IntN(3)), 1), 1))
			case is == linkUp:
				q.put(made(&Disconnected{}, 1))
				is = linkDown
				losses++
			case choice < 3:
				if is == linkUnknown {
					q.put(made(&Disconnected{}, 1))
					is = linkDown
					losses++
				} else {
					q.put(made(failed(1), 1))
				}
			default:
				if is == linkDown {
					gaps += 2
					q.put(made(gap(gaps-1, gaps, ""), 1))
				}
				q.put(made(&Connected{}, 1))
				is = linkUp
			}
		}
		for receive() {
		}
		require.Equal(t, is, known)
		require.Equal(t, gaps, lastGap, "the last gap is told, joined with those before it")
		untold += losses - seen
	}
	require.NotZero(t, untold, "no loss was discarded with its return: the test shows nothing")
}

// TestFeedQueueChannels: each channel has its own policy and its own count of what
// was dropped.
func TestFeedQueueChannels(t *testing.T) {
	price := func(ticker string) *PriceUpdate { return &PriceUpdate{Ticker: ticker} }
	book := func(ticker string) *BookUpdate { return &BookUpdate{Ticker: ticker} }
	for name, row := range map[string]struct {
		len    int
		slow   slowPolicies
		events []FeedEvent
		want   []string
	}{
		"the newest price, every trade": {9, latestPrices,
			[]FeedEvent{price("A"), trade("A", 1), price("A"), trade("A", 2), book("A"), price("A"), book("A")},
			[]string{"price A-2", "trade A 1-0", "trade A 2-0", "book A-0", "book A-0"}},
		"the newest book alone": {9, slowPolicies{DropOldest, KeepLatest, DropOldest},
			[]FeedEvent{price("A"), book("A"), price("A"), book("A"), book("B")},
			[]string{"price A-0", "book A-1", "price A-0", "book B-0"}},
		"a count for each channel": {1, latestPrices,
			[]FeedEvent{price("A"), price("A"), trade("A", 1), trade("A", 2), book("A"), &UnknownMessage{}, &BookRefresh{Ticker: "A"}, trade("A", 3)},
			[]string{`dropped "market" 2`, `dropped "orderbook" 2`, "dropped 2", `dropped "" 1`, "trade A 3-0"}},
		"prices do not push out trades": {3, latestPrices,
			[]FeedEvent{trade("A", 1), price("A"), trade("A", 2), price("A"), price("A"), price("A")},
			[]string{"trade A 1-0", "price A-3", "trade A 2-0"}},
	} {
		t.Run(name, func(t *testing.T) {
			q := newFeedQueue(row.len, 1<<20, row.slow)
			for _, event := range row.events {
				q.put(made(event, 10))
			}
			require.Equal(t, row.want, told(t, q))
			require.Empty(t, q.latest)
		})
	}
}

func TestSlowPolicies(t *testing.T) {
	for name, row := range map[string]struct {
		req  StreamRequest
		want slowPolicies
	}{
		"none":     {StreamRequest{}, noLatest},
		"for all":  {StreamRequest{Slow: KeepLatest}, allLatest},
		"for one":  {StreamRequest{SlowChannels: map[Channel]SlowPolicy{ChannelMarket: KeepLatest}}, latestPrices},
		"but one":  {StreamRequest{Slow: KeepLatest, SlowChannels: map[Channel]SlowPolicy{ChannelTrades: DropOldest}}, slowPolicies{KeepLatest, KeepLatest, DropOldest}},
		"standard": {StreamRequest{Slow: KeepLatest, SlowChannels: map[Channel]SlowPolicy{ChannelTrades: ""}}, allLatest},
	} {
		require.Equal(t, row.want, row.req.slow(), name)
	}
}
