package predictmeta_test

import (
	"cmp"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// TestOneMintForBothOutcomes: whoever buys no of such a market gets yes.
func TestOneMintForBothOutcomes(t *testing.T) {
	same := strings.NewReplacer("N11111111111111111111111111111111", "Y11111111111111111111111111111111")
	one := same.Replace(called(wholeMarket, "MK-1"))
	require.ErrorIs(t, wiretest.Error(answering(t, one).GetMarket(t.Context(), "MK-1")), walletfi.ErrDecode)
	page, err := answering(t, `{"markets":[`+one+`,`+called(wholeMarket, "MK-2")+`]}`).
		ListMarkets(t.Context(), predictmeta.MarketsRequest{})
	require.ErrorContains(t, err, "Market.no_mint")
	require.Len(t, page.Items, 2)
	batch, err := answering(t, `{"markets":[`+same.Replace(called(wholeSummary, "MK-1"))+`]}`).
		BatchMarkets(t.Context(), predictmeta.BatchMarketsRequest{Tickers: []string{"MK-1"}})
	require.ErrorContains(t, err, "MarketSummary.no_mint")
	require.Len(t, batch.Markets, 1)
}

// TestContradictingPrices: a candlestick opens and closes between its low and its high, and has all
// four prices or none.
func TestContradictingPrices(t *testing.T) {
	for prices, wrong := range map[string]string{
		`"open":0.5,"high":0.6,"low":0.4,"close":0.4`:     "",
		`"open":null,"high":null,"low":null,"close":null`: "",
		`"open":0.7,"high":0.6,"low":0.4,"close":0.5`:     "open decides, and is out of range",
		`"open":0.5,"high":0.6,"low":0.4,"close":0.39`:    "close decides, and is out of range",
		`"open":0.5,"high":null,"low":0.4,"close":0.5`:    "high decides, and is missing",
		`"open":0.5,"high":0.6,"low":null,"close":0.5`:    "low decides, and is missing",
		`"open":null,"high":0.6,"low":0.4,"close":0.5`:    "open decides, and is missing",
		`"open":0.5,"high":0.6,"low":0.4,"close":null`:    "close decides, and is missing",
		`"open":0.5,"high":null,"low":null,"close":null`:  "high decides, and is missing",
		`"high":null,"low":null,"close":null`:             "open decides, and is missing",
	} {
		body := `{"ticker":"T","interval":"1m","candlesticks":[{"timestamp":"2026-01-01T00:00:00Z",` + prices + `,"volume":0}]}`
		ofEvent, err := answering(t, body).GetEventCandlesticks(t.Context(), "T", predictmeta.CandlesticksRequest{})
		ofMarket, another := answering(t, body).GetMarketCandlesticks(t.Context(), "T", predictmeta.CandlesticksRequest{})
		require.Len(t, ofEvent.Candlesticks, 1)
		require.Len(t, ofMarket.Candlesticks, 1)
		for _, err := range []error{err, another} {
			if wrong == "" {
				require.NoError(t, err, prices)
				require.Equal(t, strings.Contains(prices, "null"), ofEvent.Candlesticks[0].High.IsZero())
				continue
			}
			require.ErrorContains(t, err, "Candlestick."+wrong, prices)
		}
	}
}

// TestNoPrice: a market without a trade or without orders has no price, which is not 0.
func TestNoPrice(t *testing.T) {
	for _, price := range []string{"last_price", "yes_price", "no_price"} {
		honest := called(wholeMarket, "MK-1")
		null := regexp.MustCompile(`"`+price+`":[^,}]*`).ReplaceAllString(honest, `"`+price+`":null`)
		require.NotEqual(t, honest, null)
		m, err := answering(t, null).GetMarket(t.Context(), "MK-1")
		require.NoError(t, err, price)
		got := map[string]walletfi.Decimal{"last_price": m.LastPrice, "yes_price": m.YesPrice, "no_price": m.NoPrice}
		require.True(t, got[price].IsZero())
		require.False(t, got[price].Valid())
		for _, wrong := range []string{"", `"` + price + `":""`, `"` + price + `":"null"`, `"` + price + `":-1`} {
			without := strings.Replace(null, `"`+price+`":null`, cmp.Or(wrong, `"x":1`), 1)
			require.ErrorIs(t, wiretest.Error(answering(t, without).GetMarket(t.Context(), "MK-1")), walletfi.ErrDecode, without)
		}
	}
	null := strings.Replace(called(wholeSummary, "MK-1"), `"last_price":0.24`, `"last_price":null`, 1)
	require.Contains(t, null, "null")
	batch, err := answering(t, `{"markets":[`+null+`],"not_found":null}`).
		BatchMarkets(t.Context(), predictmeta.BatchMarketsRequest{Tickers: []string{"MK-1"}})
	require.NoError(t, err)
	require.True(t, batch.Markets[0].LastPrice.IsZero())
}

// TestNullLists: a list without an item may be null, and one that is not there says nothing.
func TestNullLists(t *testing.T) {
	for body, call := range map[string]func(c *predictmeta.Client) (int, error){
		`{"events":null,"total":0}`: func(c *predictmeta.Client) (int, error) {
			page, err := c.ListEvents(t.Context(), predictmeta.EventsRequest{})
			return len(page.Items), err
		},
		`{"markets":null}`: func(c *predictmeta.Client) (int, error) {
			page, err := c.ListMarkets(t.Context(), predictmeta.MarketsRequest{})
			return len(page.Items), err
		},
		`{"trades":null}`: func(c *predictmeta.Client) (int, error) {
			page, err := c.ListTrades(t.Context(), predictmeta.TradesRequest{})
			return len(page.Items), err
		},
		`{"outcome_mints":null,"non_outcome_mints":null}`: func(c *predictmeta.Client) (int, error) {
			page, err := c.FilterOutcomeMints(t.Context(), []string{mint(1)})
			return len(page.OutcomeMints) + len(page.NonOutcomeMints), err
		},
		`{"ticker":"T","timestamp":"2026-01-01T00:00:00Z","bids":null,"asks":null}`: func(c *predictmeta.Client) (int, error) {
			book, err := c.GetOrderBook(t.Context(), "T", predictmeta.OrderBookRequest{})
			return len(book.Bids) + len(book.Asks), err
		},
		`{"ticker":"T","milestones":null}`: func(c *predictmeta.Client) (int, error) {
			all, err := c.GetMilestonesByMint(t.Context(), mint(1))
			return len(all.Milestones), err
		},
	} {
		n, err := call(answering(t, body))
		require.NoError(t, err, body)
		require.Zero(t, n)
	}
	_, err := answering(t, `{"total":0}`).ListEvents(t.Context(), predictmeta.EventsRequest{})
	require.ErrorIs(t, err, walletfi.ErrDecode)
}

// TestUndocumentedWithoutAList: an answer in which no list is found does not say that there is nothing.
func TestUndocumentedWithoutAList(t *testing.T) {
	for _, body := range []string{`{}`, `null`, `"none"`, `7`, `{"data":null}`, `{"success":true}`, `{"sticks":[{"open":0.5}]}`, `{"count":2,"ok":true}`} {
		candles, ofCandles := answering(t, body).GetMarketCandlesticks(t.Context(), "T", predictmeta.CandlesticksRequest{})
		byMint, another := answering(t, body).GetMarketCandlesticksByMint(t.Context(), mint(1), predictmeta.CandlesticksRequest{})
		milestones, ofMilestones := answering(t, body).GetMilestonesByMint(t.Context(), mint(1))
		batch, ofBatch := answering(t, body).BatchMilestones(t.Context(), []string{"EV-1"})
		for _, err := range []error{ofCandles, another, ofMilestones, ofBatch} {
			require.ErrorIs(t, err, walletfi.ErrDecode, body)
		}
		for _, raw := range []walletfi.Document{candles.Raw, byMint.Raw, milestones.Raw, batch.Raw} {
			require.Equal(t, body, raw.String())
		}
	}
}

// TestTickersOfOneMarket: the trades of a market may have the exchange's ticker, and no two.
func TestTickersOfOneMarket(t *testing.T) {
	for tickers, ok := range map[string]bool{"A A": true, "a A": true, "X X": true, "X A": false, "A X": false} {
		trade := func(id, ticker string) string {
			return `{"id":"` + id + `","ticker":"` + ticker + `","price":0.5,"quantity":1,"side":"buy","outcome":"yes","timestamp":"2026-01-01T00:00:00Z"}`
		}
		first, second, _ := strings.Cut(tickers, " ")
		body := `{"trades":[` + trade("1", first) + `,` + trade("2", second) + `]}`
		_, byTicker := answering(t, body).ListTrades(t.Context(), predictmeta.TradesRequest{Ticker: "A"})
		_, byMint := answering(t, body).ListTradesByMint(t.Context(), mint(1), predictmeta.TradesRequest{})
		_, all := answering(t, body).ListTrades(t.Context(), predictmeta.TradesRequest{})
		require.NoError(t, all)
		for _, err := range []error{byTicker, byMint} {
			require.Equal(t, !ok, errors.Is(err, walletfi.ErrMismatch), tickers)
			require.Equal(t, ok, err == nil)
		}
		_, err := answering(t, body).ListTrades(t.Context(), predictmeta.TradesRequest{Limit: new(1)})
		require.ErrorIs(t, err, walletfi.ErrMismatch, "more than the limit")
	}
}

// TestRecordsThatSayNothing: they are kept, with the problem beside them; numbers that are out of their
// range are none.
func TestRecordsThatSayNothing(t *testing.T) {
	for _, body := range []string{`{}`, `{"name":null}`, `{"id":"","name":"x"}`} {
		categories, err := answering(t, `{"categories":[`+body+`]}`).ListCategories(t.Context())
		require.ErrorContains(t, err, "Category.id decides, and is missing")
		require.Len(t, categories.Items, 1)
		sports, err := answering(t, `{"sports":[`+body+`]}`).ListSports(t.Context())
		require.ErrorContains(t, err, "Sport.id decides, and is missing")
		require.Len(t, sports.Items, 1)
	}
	milestones, err := answering(t, `{"ticker":"E","milestones":[{},{"name":"n","probability_before":-1,"probability_after":6.5}]}`).
		GetMilestones(t.Context(), "E")
	require.ErrorContains(t, err, "Milestone.name decides, and is missing")
	require.Len(t, milestones.Milestones, 2)
	require.True(t, milestones.Milestones[1].ProbabilityBefore.IsZero())
	require.True(t, milestones.Milestones[1].ProbabilityAfter.IsZero())
	require.NotNil(t, milestones.Milestones[1].Raw)
	page, err := answering(t, `{"events":[],"limit":-1,"offset":-1}`).ListEvents(t.Context(), predictmeta.EventsRequest{})
	require.NoError(t, err)
	require.Nil(t, page.Limit)
	require.Nil(t, page.Offset)
	require.NotNil(t, page.Raw)
	for _, body := range []string{`"x"`, `"` + mint(1) + `"`} {
		_, err := answering(t, `{"outcome_mints":[`+body+`]}`).ListOutcomeMints(t.Context(), predictmeta.OutcomeMintsRequest{})
		require.ErrorIs(t, err, walletfi.ErrDecode, body)
	}
	filtered, err := answering(t, `{"outcome_mints":["`+mint(1)+`"],"non_outcome_mints":[]}`).FilterOutcomeMints(t.Context(), []string{mint(1)})
	require.NoError(t, err)
	require.Equal(t, mint(1), filtered.OutcomeMints[0].Mint)
	_, err = answering(t, `{"markets":[`+strings.Replace(called(wholeMarket, "MK-1"), `"event_ticker"`, `"x"`, 1)+`]}`).
		ListMarkets(t.Context(), predictmeta.MarketsRequest{EventTicker: "EV-1"})
	require.ErrorIs(t, err, walletfi.ErrMismatch)
	_, err = answering(t, `{"series":[{"ticker":"S"}]}`).ListSeries(t.Context(), predictmeta.SeriesRequest{Category: "c"})
	require.ErrorIs(t, err, walletfi.ErrMismatch)
	_, err = answering(t, `{"results":[{"ticker":"S"}]}`).Search(t.Context(), predictmeta.SearchRequest{Query: "q", Type: predictmeta.SearchEvents})
	require.ErrorIs(t, err, walletfi.ErrMismatch)
}

// TestMoreLevels: a book has no more levels than were asked for.
func TestMoreLevels(t *testing.T) {
	const body = `{"ticker":"T","timestamp":"2026-01-01T00:00:00Z","bids":[{"price":0.1,"quantity":5},{"price":0.2,"quantity":5}],"asks":[]}`
	for depth, ok := range map[int]bool{0: true, 1: false, 2: true, 3: true} {
		_, err := answering(t, body).GetOrderBook(t.Context(), "T", predictmeta.OrderBookRequest{Depth: &depth})
		require.Equal(t, ok, err == nil, depth)
		require.Equal(t, !ok, errors.Is(err, walletfi.ErrMismatch))
	}
}

// TestHighBelowLow: such a candlestick is kept, with the problem beside it.
func TestHighBelowLow(t *testing.T) {
	candles := func(high string) string {
		return `{"ticker":"T","interval":"1m","candlesticks":[{"timestamp":"2026-01-01T00:00:00Z","open":0.5,"high":` + high + `,"low":0.5,"close":0.5,"volume":1}]}`
	}
	for high, ok := range map[string]bool{"0.5": true, "5e-1": true, "0.6": true, "0.4": false} {
		ofEvent, err := answering(t, candles(high)).GetEventCandlesticks(t.Context(), "T", predictmeta.CandlesticksRequest{})
		ofMarket, another := answering(t, candles(high)).GetMarketCandlesticks(t.Context(), "T", predictmeta.CandlesticksRequest{})
		require.Len(t, ofEvent.Candlesticks, 1)
		require.Len(t, ofMarket.Candlesticks, 1)
		for _, err := range []error{err, another} {
			if ok {
				require.NoError(t, err, high)
				continue
			}
			require.ErrorIs(t, err, walletfi.ErrDecode, high)
			require.ErrorContains(t, err, "Candlestick.high")
		}
	}
}

// TestBookWithoutSides: an answer that names no side does not say that there is nothing to trade.
func TestBookWithoutSides(t *testing.T) {
	for body, ok := range map[string]bool{
		`{"bids":[],"asks":[]}`: true, `{"data":{"bids":[],"asks":[]}}`: true, `{"ticker":"T","book":{"bids":[],"asks":[]}}`: true,
		`{}`: false, `[]`: false, `null`: false, `"x"`: false, `{"data":null}`: false, `{"success":true}`: false,
		`{"bids":[]}`: false, `{"asks":[]}`: false, `{"bids":null,"asks":null}`: true, `{"levels":[[0.51,4]]}`: false,
		`{"data":{"bids":[],"asks":null}}`: true, `{"bids":[],"asks":{}}`: false,
	} {
		book, err := answering(t, body).GetOrderBookByMint(t.Context(), mint(1))
		require.NotNil(t, book, body)
		require.Equal(t, body, book.Raw.String())
		if ok {
			require.NoError(t, err, body)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrDecode, body)
	}
}

// TestCrossedBook: a snapshot whose best bid is above its best ask is no book.
func TestCrossedBook(t *testing.T) {
	book := func(bid, ask, spread string) string {
		return `{"ticker":"T","timestamp":"2026-01-01T00:00:00Z","bids":[{"price":0.1,"quantity":5},{"price":` + bid + `,"quantity":5}],` +
			`"asks":[{"price":0.9,"quantity":5},{"price":` + ask + `,"quantity":5}],"spread":` + spread + `,"mid_price":0.5}`
	}
	empty := func(more string) string {
		return `{"ticker":"T","timestamp":"2026-01-01T00:00:00Z","bids":[],"asks":[{"price":0.6,"quantity":0}],` + more + `}`
	}
	for body, ok := range map[string]bool{
		book("0.4", "0.6", "0.2"): true, book("0.5", "0.5", "0"): true, book("0.5", "5e-1", "0"): true,
		book("0.7", "0.6", "0.1"): false, book("0.4", "0.6", "-0.2"): false,
		book("0.4", "0.6", "0.204"): true, book("0.4", "0.6", "null"): true, book("0.4", "0.6", "0.20000000000000018"): true,
		book("0.4", "0.6", "0"): false, book("0.4", "0.6", "1"): false, book("0.4", "0.6", "1e-7"): false,
		strings.Replace(book("0.4", "0.6", "0.2"), `"mid_price":0.5`, `"mid_price":0.51`, 1):  false,
		strings.Replace(book("0.4", "0.6", "0.2"), `"mid_price":0.5`, `"mid_price":0.505`, 1): true,
		strings.NewReplacer(`0.7,"quantity":5`, `0.7,"quantity":0`, `"mid_price":0.5`, `"mid_price":0.35`).
			Replace(book("0.7", "0.6", "0.5")): true,
		empty(`"spread":0.02`): false, empty(`"spread":0.5,"mid_price":0.5`): false, empty(`"spread":0,"mid_price":0`): true,
		empty(`"spread":1.0,"mid_price":0.5`): true, empty(`"spread":null`): true, empty(`"x":1`): true,
	} {
		_, byTicker := answering(t, body).GetOrderBook(t.Context(), "T", predictmeta.OrderBookRequest{})
		_, byMint := answering(t, body).GetOrderBookByMint(t.Context(), mint(1))
		for _, err := range []error{byTicker, byMint} {
			if ok {
				require.NoError(t, err, body)
			} else {
				require.ErrorIs(t, err, walletfi.ErrDecode, body)
			}
			require.Equal(t, strings.Contains(body, `0.7,"quantity":5`), errors.Is(err, predictmeta.ErrBookCrossed))
		}
	}
}

// TestMintInAnotherCase: base58 tells letters by their case, so that it is another mint.
func TestMintInAnotherCase(t *testing.T) {
	asked := wiretest.Address(1)
	for said, ok := range map[string]bool{asked: true, strings.ToUpper(asked): false, strings.ToLower(asked): false} {
		for _, body := range []string{
			`{"outcome_mints":[{"mint":"` + said + `","market_ticker":"T","outcome":"yes"}],"non_outcome_mints":[]}`,
			`{"outcome_mints":[],"non_outcome_mints":["` + said + `"]}`,
		} {
			_, err := answering(t, body).FilterOutcomeMints(t.Context(), []string{asked})
			require.Equal(t, !ok, errors.Is(err, walletfi.ErrMismatch), "%s: %v", body, err)
		}
	}
}

// TestCandlesOfAnotherMarket: the ticker may be that of the market, its event or its series.
func TestCandlesOfAnotherMarket(t *testing.T) {
	for said, ok := range map[string]bool{
		"BTC-R6-M1": true, "btc-r6-m1": true, "BTC-R6": true, "BTC": true, "": true, "BTC-R6-M2": false, "ETH": false, "BTC-R6-M": false, "BTC-R6-M10": false,
	} {
		body := `{"ticker":"` + said + `","interval":"1h","candlesticks":[]}`
		got := wiretest.Error(answering(t, body).GetMarketCandlesticks(t.Context(), "BTC-R6-M1", predictmeta.CandlesticksRequest{}))
		require.Equal(t, !ok, errors.Is(got, walletfi.ErrMismatch), "%s: %v", said, got)
		require.NoError(t, wiretest.Error(answering(t, body).GetMarketCandlesticksByMint(t.Context(), mint(1), predictmeta.CandlesticksRequest{})))
	}
}
