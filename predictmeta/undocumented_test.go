package predictmeta_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// answers turns shapes that an undocumented answer may have into cases of a
// call.
func answers(call wiretest.Case, shapes map[string]struct {
	reply string
	want  any
}) []wiretest.Case {
	var cases []wiretest.Case
	for name, shape := range shapes {
		c := call
		c.Name, c.Header, c.Reply, c.Want = call.Name+": "+name, key, shape.reply, shape.want
		cases = append(cases, c)
	}
	return cases
}

type shapes = map[string]struct {
	reply string
	want  any
}

func TestUndocumentedCandlesticks(t *testing.T) {
	sticks := []predictmeta.Candlestick{{Timestamp: instant(t, "2026-01-01T00:00:00Z"), Open: wiretest.Decimal(t, "0.5"), High: wiretest.Decimal(t, "1"),
		Low: wiretest.Decimal(t, "0.5"), Close: wiretest.Decimal(t, "1"), Volume: new(uint64(3))}}
	const stick = `[{"timestamp":"2026-01-01T00:00:00Z","open":0.5,"high":1,"low":0.5,"close":"1","volume":3}]`
	with := func(reply string, c predictmeta.Candlesticks) struct {
		reply string
		want  any
	} {
		c.Raw = walletfi.Document(reply)
		return struct {
			reply string
			want  any
		}{reply, &c}
	}
	seen := shapes{
		"as of an event": with(`{"ticker":"MK-1","interval":"1h","candlesticks":`+stick+`}`, predictmeta.Candlesticks{Ticker: "MK-1", Interval: "1h", Candlesticks: sticks}),
		"a bare list":    with(stick, predictmeta.Candlesticks{Candlesticks: sticks}),
		"wrapped":        with(`{"data":{"ticker":"MK-1","candlesticks":`+stick+`}}`, predictmeta.Candlesticks{Ticker: "MK-1", Candlesticks: sticks}),
		"a wrapped list": with(`{"data":`+stick+`}`, predictmeta.Candlesticks{Candlesticks: sticks}),
		"another name":   with(`{"ticker":"MK-1","candles":`+stick+`}`, predictmeta.Candlesticks{Ticker: "MK-1", Candlesticks: sticks}),
	}
	wiretest.Run(t, answers(wiretest.Case{
		Name: "GetMarketCandlesticks", Method: "GET", Target: "/api/v1/market/MK-1/candlesticks?interval=7m&start_time=1767225600",
		Call: wiretest.By(client, (*predictmeta.Client).GetMarketCandlesticks,
			"MK-1", predictmeta.CandlesticksRequest{Interval: "7m", Start: start}),
	}, seen))
	wiretest.Run(t, answers(wiretest.Case{
		Name: "GetMarketCandlesticksByMint", Method: "GET", Target: "/api/v1/market/by-mint/" + mint(1) + "/candlesticks",
		Call: wiretest.By(client, (*predictmeta.Client).GetMarketCandlesticksByMint,
			mint(1), predictmeta.CandlesticksRequest{}),
	}, seen))
}

func TestUndocumentedOrderBook(t *testing.T) {
	bids := []predictmeta.Level{{Price: wiretest.Decimal(t, "0.51"), Quantity: 4}}
	const book = `"bids":[{"price":0.51,"quantity":4}],"asks":[]`
	with := func(reply string, b predictmeta.BookSnapshot) struct {
		reply string
		want  any
	} {
		b.Raw = walletfi.Document(reply)
		return struct {
			reply string
			want  any
		}{reply, &b}
	}
	wiretest.Run(t, answers(wiretest.Case{
		Name: "GetOrderBookByMint", Method: "GET", Target: "/api/v1/orderbook/by-mint/" + mint(1),
		Call: wiretest.By(client, (*predictmeta.Client).GetOrderBookByMint, mint(1)),
	}, shapes{
		"as by ticker": with(`{"ticker":"MK-1",`+book+`,"spread":0.1}`, predictmeta.BookSnapshot{Ticker: "MK-1", Bids: bids, Asks: []predictmeta.Level{}, Spread: wiretest.Decimal(t, "0.1")}),
		"wrapped":      with(`{"data":{`+book+`}}`, predictmeta.BookSnapshot{Bids: bids, Asks: []predictmeta.Level{}}),
		"in a member":  with(`{"ticker":"MK-1","orderbook":{`+book+`}}`, predictmeta.BookSnapshot{Ticker: "MK-1", Bids: bids, Asks: []predictmeta.Level{}}),
	}))
}

// TestUnreadLevels: a book whose levels cannot be read is not an empty one.
func TestUnreadLevels(t *testing.T) {
	for _, body := range []string{`{"bids":[[0.51,4]]}`, `{"book":{"bids":[],"asks":[{"price":0.5}]}}`, `{"data":{"asks":[{"price":"x","quantity":1}]}}`} {
		c, _ := carriedClient(t, predictmeta.Config{}, answer{status: 200, body: body})
		book, err := c.GetOrderBookByMint(t.Context(), mint(1))
		unread := wiretest.As[*walletfi.UnreadError](t, err)
		require.ErrorIs(t, err, walletfi.ErrDecode)
		require.NotEmpty(t, unread.Records[0].Raw)
		require.Equal(t, body, book.Raw.String())
	}
}

func TestUndocumentedMilestones(t *testing.T) {
	list := []predictmeta.Milestone{{Name: "Debate", VolumeSpike: new(int64(3))}}
	const item = `[{"name":"Debate","volume_spike":3}]`
	with := func(reply string, m predictmeta.Milestones) struct {
		reply string
		want  any
	} {
		m.Raw = walletfi.Document(reply)
		return struct {
			reply string
			want  any
		}{reply, &m}
	}
	wiretest.Run(t, answers(wiretest.Case{
		Name: "GetMilestonesByMint", Method: "GET", Target: "/api/v1/milestones/by-mint/" + mint(1),
		Call: wiretest.By(client, (*predictmeta.Client).GetMilestonesByMint, mint(1)),
	}, shapes{
		"as by ticker": with(`{"ticker":"EV-1","milestones":`+item+`}`, predictmeta.Milestones{Ticker: "EV-1", Milestones: list}),
		"a bare list":  with(item, predictmeta.Milestones{Milestones: list}),
		"two lists":    with(`{"data":[],"results":`+item+`}`, predictmeta.Milestones{Milestones: list}),
	}))
}

func TestUndocumentedMilestoneBatch(t *testing.T) {
	both := []predictmeta.Milestones{
		{Ticker: "EV-1", Milestones: []predictmeta.Milestone{{Name: "Debate"}}},
		{Ticker: "EV-2", Milestones: []predictmeta.Milestone{}},
	}
	const list = `[{"ticker":"EV-1","milestones":[{"name":"Debate"}]},{"ticker":"EV-2","milestones":[]}]`
	const byTicker = `{"EV-2":{"milestones":[]},"EV-1":[{"name":"Debate"}]}`
	with := func(reply string, events []predictmeta.Milestones) struct {
		reply string
		want  any
	} {
		return struct {
			reply string
			want  any
		}{reply, &predictmeta.MilestoneBatch{Events: events, Raw: walletfi.Document(reply)}}
	}
	wiretest.Run(t, answers(wiretest.Case{
		Name: "BatchMilestones", Method: "POST", Target: "/api/v1/milestones/batch", Body: `{"tickers":["EV-1","EV-2"]}`,
		Call: wiretest.By(client, (*predictmeta.Client).BatchMilestones, []string{"EV-1", "EV-2"}),
	}, shapes{
		"a list":             with(list, both),
		"a list in a member": with(`{"milestones":`+list+`}`, both),
		"a wrapped list":     with(`{"results":`+list+`}`, both),
		"by ticker":          with(byTicker, both),
		"by ticker, inside":  with(`{"milestones":`+byTicker+`}`, both),
		"by ticker, wrapped": with(`{"data":`+byTicker+`}`, both),
	}))
}

func TestUndocumentedMustBeJSON(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Name: "a page", Method: "GET", Target: "/api/v1/milestones/by-mint/" + mint(1), Reply: `<html>`,
		Call: wiretest.By(client, (*predictmeta.Client).GetMilestonesByMint, mint(1)),
		Err:  func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}})
}

func TestBatchMilestonesOfNothing(t *testing.T) {
	batch, err := unreachable(t).BatchMilestones(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, &predictmeta.MilestoneBatch{}, batch)
}

// TestLenientBook: a book of undocumented shape is read whatever is wrong with a member that
// the options name, at each place that a book is looked for.
func TestLenientBook(t *testing.T) {
	for _, shape := range []string{`{"bids":%s,"asks":[]}`, `{"data":{"bids":%s,"asks":[]}}`, `{"orderbook":{"bids":%s,"asks":[]}}`} {
		for level, member := range map[string]string{
			`[{"quantity":5}]`: "Level.price", `[{"price":52,"quantity":5}]`: "Level.price", `[{"price":0.5}]`: "Level.quantity",
		} {
			for _, lenient := range [][]string{{member}, {"Level.other"}} {
				told := recorded.New(t)
				c, _ := carriedClient(t, predictmeta.Config{Options: walletfi.Options{Lenient: lenient, Observer: told}}, answer{status: 200, body: fmt.Sprintf(shape, level)})
				book, err := c.GetOrderBookByMint(t.Context(), wiretest.Address(1))
				events := recorded.Events[observe.Drift](told)
				if lenient[0] != member {
					require.ErrorIs(t, err, walletfi.ErrDecode)
					require.Empty(t, events)
					continue
				}
				require.NoError(t, err, level)
				require.Len(t, book.Bids, 1)
				require.Equal(t, 1, len(events), "%v", events)
				require.Equal(t, member, events[0].Member)
				require.Equal(t, "GetOrderBookByMint", events[0].Op)
			}
		}
	}
}
