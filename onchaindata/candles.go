package onchaindata

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Timeframe is the unit of a candle's length.
type Timeframe string

// The timeframes, each with the lengths that a candle can have.
const (
	TimeframeMinute Timeframe = "minute" // 1, 5, 15
	TimeframeHour   Timeframe = "hour"   // 1, 4, 12
	TimeframeDay    Timeframe = "day"    // 1
)

// aggregates are the lengths that a candle can have, in its timeframe.
var aggregates = map[Timeframe][]int{
	TimeframeMinute: {1, 5, 15},
	TimeframeHour:   {1, 4, 12},
	TimeframeDay:    {1},
}

// Currency is the currency of a candle's prices.
type Currency string

// The currencies.
const (
	CurrencyUSD   Currency = "usd"
	CurrencyToken Currency = "token" // a token of the pool; which of the two is not documented
)

// CandlesRequest selects candles.
type CandlesRequest struct {
	Timeframe Timeframe // required
	Aggregate *int      // length of a candle in Timeframe; nil means the service's default
	Before    time.Time // to the second, from 1970 on; zero means the newest
	Limit     *int      // at most MaxCandles; nil means the service's default, MaxCandles in the iterators
	Currency  Currency  // empty means the service's default
}

type candlesQuery struct {
	Aggregate *int     `url:"aggregate,omitempty"`
	Before    string   `url:"before_timestamp,omitempty"`
	Limit     *int     `url:"limit,omitempty"`
	Currency  Currency `url:"currency,omitempty"`
}

func (r CandlesRequest) query() candlesQuery {
	q := candlesQuery{Aggregate: r.Aggregate, Limit: r.Limit, Currency: r.Currency}
	if !r.Before.IsZero() {
		q.Before = strconv.FormatInt(r.Before.Unix(), 10)
	}
	return q
}

func (r CandlesRequest) problem() error {
	var aggregate error
	if lengths := aggregates[r.Timeframe]; r.Aggregate != nil && lengths != nil {
		aggregate = check.That(slices.Contains(lengths, *r.Aggregate), "aggregate",
			"must be 1, 5 or 15 minutes, 1, 4 or 12 hours, or 1 day")
	}
	return check.All(
		check.OneOf("timeframe", r.Timeframe, TimeframeDay, TimeframeHour, TimeframeMinute),
		aggregate,
		check.That(r.Before.IsZero() || r.Before.Unix() >= 0, "before_timestamp", "must not be before 1970"),
		check.RangeOf("limit", r.Limit, 0, MaxCandles),
		check.OptionalOneOf("currency", r.Currency, CurrencyUSD, CurrencyToken),
	)
}

// ListPoolCandles returns the candles of a pool, oldest first. They are live.
//
// GET /networks/{network}/pools/{pool_address}/ohlcv/{timeframe}.
func (c *Client) ListPoolCandles(
	ctx context.Context, network, pool string, req CandlesRequest, opts ...walletfi.CallOption,
) (*CandlePage, error) {
	return ascending(transport.Do[CandlePage](ctx, c.made().t, transport.Call{
		Op: "ListPoolCandles", Effect: transport.Read, Method: http.MethodGet,
		Answer: candlesAnswer,
		Path: transport.Path("/networks/{network}/pools/{pool_address}/ohlcv/{timeframe}",
			network, pool, string(req.Timeframe)),
		Query: req.query(), Invalid: req.problem(),
	}, opts))
}

// ListTokenCandles returns the candles of a token, oldest first. They are live.
//
// GET /networks/{network}/tokens/{token_address}/ohlcv/{timeframe}.
func (c *Client) ListTokenCandles(
	ctx context.Context, network, token string, req CandlesRequest, opts ...walletfi.CallOption,
) (*CandlePage, error) {
	return ascending(transport.Do[CandlePage](ctx, c.made().t, transport.Call{
		Op: "ListTokenCandles", Effect: transport.Read, Method: http.MethodGet,
		Answer: candlesAnswer, Echo: transport.Echo(func(page *CandlePage) error { return page.mismatch(token) }),
		Path: transport.Path("/networks/{network}/tokens/{token_address}/ohlcv/{timeframe}",
			network, token, string(req.Timeframe)),
		Query: req.query(), Invalid: req.problem(),
	}, opts))
}

// mismatch reports candles of a pair of tokens without the one that was asked for.
func (l *CandlePage) mismatch(token string) error {
	var answer struct {
		Meta struct{ Base, Quote struct{ Address string } }
	}
	if json.Unmarshal(l.Raw, &answer) != nil {
		return nil // the meta has another shape
	}
	base, quote := answer.Meta.Base.Address, answer.Meta.Quote.Address
	isOf := sameAddress(base) == sameAddress(token) || sameAddress(quote) == sameAddress(token)
	return echo.That(isOf || base == "" || quote == "", "meta.base.address, meta.quote.address", token, base+", "+quote)
}

// ascending puts a page's candles in the order of time: in which order the service
// lists them is not documented.
func ascending(page *CandlePage, err error) (*CandlePage, error) {
	if page != nil {
		sortByTime(page.Items, false)
	}
	return page, err
}

// sortByTime is a stable sort of candles. Most pages come in the one order or in the
// other, which costs no sort: that would take as long as to read the page.
func sortByTime(list []Candle, newestFirst bool) {
	before := func(a, b *Candle) bool {
		return a.Timestamp.Before(b.Timestamp.Time) != newestFirst && !a.Timestamp.Equal(b.Timestamp.Time)
	}
	inOrder, inReverse := true, true
	for i := 1; i < len(list); i++ {
		inOrder = inOrder && !before(&list[i], &list[i-1])
		inReverse = inReverse && before(&list[i], &list[i-1])
	}
	switch {
	case inOrder:
	case inReverse:
		slices.Reverse(list)
	default:
		slices.SortStableFunc(list, func(a, b Candle) int {
			if newestFirst {
				a, b = b, a
			}
			return a.Timestamp.Compare(b.Timestamp.Time)
		})
	}
}

// AllPoolCandles iterates over the candles of a pool, newest first, from
// req.Before back to the first. No candle comes twice. A request asks for
// req.Limit candles.
func (c *Client) AllPoolCandles(
	ctx context.Context, network, pool string, req CandlesRequest, opts ...walletfi.CallOption,
) iter.Seq2[Candle, error] {
	return req.back(func(req CandlesRequest) (*CandlePage, error) {
		return c.ListPoolCandles(ctx, network, pool, req, opts...)
	})
}

// AllTokenCandles is [Client.AllPoolCandles] for a token.
func (c *Client) AllTokenCandles(
	ctx context.Context, network, token string, req CandlesRequest, opts ...walletfi.CallOption,
) iter.Seq2[Candle, error] {
	return req.back(func(req CandlesRequest) (*CandlePage, error) {
		return c.ListTokenCandles(ctx, network, token, req, opts...)
	})
}

// back walks back in time.
func (r CandlesRequest) back(fetch func(CandlesRequest) (*CandlePage, error)) iter.Seq2[Candle, error] {
	// If the service includes the candle at Before, a page of one candle would
	// have only that one.
	limit := MaxCandles
	if r.Limit != nil {
		limit = *r.Limit
	}
	if limit == 1 {
		limit = 2
	}
	r.Limit = &limit
	at := func(c Candle) time.Time { return c.Timestamp.Time }
	return paging.Backwards(r.Before, at, func(before time.Time) ([]Candle, error) {
		r := r
		r.Before = before
		page, err := fetch(r)
		if page == nil {
			return nil, err
		}
		list := page.Items
		sortByTime(list, true)
		return slices.CompactFunc(list, func(a, b Candle) bool { return a.Timestamp.Equal(b.Timestamp.Time) }), err
	})
}
