package predictmeta

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// CandlesticksRequest picks candlesticks.
type CandlesticksRequest struct {
	// Interval is checked for an event only: the intervals of markets are not
	// documented. Empty means the service's default.
	Interval Interval
	Start    time.Time // zero means open; see Config.TimeFormat
	End      time.Time
}

// intervals are those of an event's candlesticks.
var intervals = []Interval{Interval1m, Interval5m, Interval15m, Interval1h, Interval4h, Interval1d}

// Candlesticks are the prices of an event or a market over time.
type Candlesticks struct {
	Ticker       string        `json:"ticker" wire:"decides,optional"`
	Interval     Interval      `json:"interval" wire:"decides,optional"`
	Candlesticks []Candlestick `json:"candlesticks" wire:"records"` // oldest first

	// Raw is the whole answer on the two routes of a market, whose shape is not
	// documented. It is decoded with the shape of an event's answer.
	Raw walletfi.Document `json:"-"`
}

// Candlestick sums up the trades of one interval. Prices are 0 to 1. If the service answers null for
// all four, because nothing was traded, they are the zero Decimal.
type Candlestick struct {
	Timestamp walletfi.Time    `json:"timestamp" wire:"said,identity"`
	Open      walletfi.Decimal `json:"open" wire:"said,null,min=0,max=1"`
	High      walletfi.Decimal `json:"high" wire:"said,null,min=0,max=1"`
	Low       walletfi.Decimal `json:"low" wire:"said,null,min=0,max=1"`
	Close     walletfi.Decimal `json:"close" wire:"said,null,min=0,max=1"`
	Volume    *uint64          `json:"volume" wire:"free,min=0"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func init() {
	wire.Reader(func(s *wire.Scanner, c *Candlestick) error {
		err := wire.Fields(s, c)
		if name, what := c.wrong(); name != "" {
			wire.Breaks[Candlestick](s, name, what)
		}
		return err
	})
}

// wrong names the first price that contradicts the others. A candlestick without any is quiet.
func (c *Candlestick) wrong() (name string, what wire.Fault) {
	switch {
	case c.High.IsZero() && c.Low.IsZero():
		if !c.Open.IsZero() || !c.Close.IsZero() {
			return "high", wire.Absent
		}
	case c.High.IsZero():
		return "high", wire.Absent
	case c.Low.IsZero():
		return "low", wire.Absent
	case c.High.Cmp(c.Low) < 0:
		return "high", wire.OutOfRange
	case c.Open.IsZero():
		return "open", wire.Absent
	case c.Open.Cmp(c.High) > 0 || c.Open.Cmp(c.Low) < 0:
		return "open", wire.OutOfRange
	case c.Close.IsZero():
		return "close", wire.Absent
	case c.Close.Cmp(c.High) > 0 || c.Close.Cmp(c.Low) < 0:
		return "close", wire.OutOfRange
	}
	return "", ""
}

// GetEventCandlesticks returns the candlesticks of an event, which the service
// relays from an exchange.
//
// GET /api/v1/event/{ticker}/candlesticks.
func (c *Client) GetEventCandlesticks(
	ctx context.Context, ticker string, req CandlesticksRequest, opts ...walletfi.CallOption,
) (*Candlesticks, error) {
	return ascending(transport.Do[Candlesticks](ctx, c.made().t, transport.Call{
		Op: "GetEventCandlesticks", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("candlesticks:items", "ticker", "interval"),
		Echo: transport.Echo(func(c *Candlesticks) error {
			return echo.All(echo.Name("ticker", ticker, c.Ticker), echo.Text("interval", req.Interval, c.Interval))
		}),
		Path:  transport.Path("/api/v1/event/{ticker}/candlesticks", ticker),
		Query: seriesQuery{req.Interval, c.period(req.Start, req.End)},
		Invalid: check.All(
			check.OptionalOneOf("interval", req.Interval, intervals...),
			req.problem(),
		),
	}, opts))
}

// GetMarketCandlesticks returns the candlesticks of a market. The answer's shape
// is not documented: those without a member that a candlestick of an event has are there, and in a
// [*walletfi.UnreadError] with what came. An answer without a list is [walletfi.ErrDecode].
//
// GET /api/v1/market/{ticker}/candlesticks.
func (c *Client) GetMarketCandlesticks(
	ctx context.Context, ticker string, req CandlesticksRequest, opts ...walletfi.CallOption,
) (*Candlesticks, error) {
	doc, err := transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: "GetMarketCandlesticks", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape),
		Echo:   transport.Echo(func(doc *walletfi.Document) error { return req.mismatch(ticker, *doc) }),
		Path:   transport.Path("/api/v1/market/{ticker}/candlesticks", ticker),
		Query:  seriesQuery{req.Interval, c.period(req.Start, req.End)}, Invalid: req.problem(),
	}, opts)
	if err != nil {
		return nil, err
	}
	return readCandlesticks(doc, c.made().t.Waiving(ctx, "GetMarketCandlesticks", "/api/v1/market/{ticker}/candlesticks"))
}

// GetMarketCandlesticksByMint is GetMarketCandlesticks for the market of a
// mint. Neither the parameters nor the answer are documented: it sends those of
// the route by ticker, if they are set.
//
// GET /api/v1/market/by-mint/{mint_address}/candlesticks.
func (c *Client) GetMarketCandlesticksByMint(
	ctx context.Context, mint string, req CandlesticksRequest, opts ...walletfi.CallOption,
) (*Candlesticks, error) {
	doc, err := transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: "GetMarketCandlesticksByMint", Effect: transport.Read, Method: http.MethodGet,
		Answer:  transport.Open(transport.NoShape),
		Echo:    transport.Echo(func(doc *walletfi.Document) error { return req.mismatch("", *doc) }),
		Path:    transport.Path("/api/v1/market/by-mint/{mint_address}/candlesticks", mint),
		Query:   seriesQuery{req.Interval, c.period(req.Start, req.End)},
		Invalid: check.All(check.Address("mint_address", mint), req.problem()),
	}, opts)
	if err != nil {
		return nil, err
	}
	return readCandlesticks(doc,
		c.made().t.Waiving(ctx, "GetMarketCandlesticksByMint", "/api/v1/market/by-mint/{mint_address}/candlesticks"))
}

func (r CandlesticksRequest) problem() error {
	return check.Ordered("start_time", r.Start, "end_time", r.End)
}

// mismatch holds a market's answer, under the names of an event's, against the request. The
// service finds the ticker of the series itself, and may answer that, or the event's: the
// market's begins with both. An empty ticker was not asked for.
func (r CandlesticksRequest) mismatch(ticker string, doc walletfi.Document) error {
	return echo.Named(doc, map[string]func(path, said string) error{
		"ticker": func(path, said string) error {
			if strings.HasPrefix(strings.ToLower(ticker), strings.ToLower(said)+"-") {
				return nil
			}
			return echo.Name(path, ticker, said)
		},
		"interval": func(path, said string) error {
			if !slices.Contains(intervals, r.Interval) {
				return nil // it may have several names
			}
			return echo.Word(path, r.Interval, Interval(said), intervals...)
		},
	})
}

func readCandlesticks(doc walletfi.Document, waive func(wire.Breach) bool) (*Candlesticks, error) {
	read, err := guess[Candlesticks](doc, waive, "candlesticks", "candles")
	read.Raw = doc
	return ascending(read, err)
}

// ascending puts candlesticks in the order of time: in which order the service lists
// them is not documented. It leaves them as they are if one has no time.
func ascending(c *Candlesticks, err error) (*Candlesticks, error) {
	isTimeless := func(c Candlestick) bool { return c.Timestamp.IsZero() }
	if c != nil && !slices.ContainsFunc(c.Candlesticks, isTimeless) {
		slices.SortStableFunc(c.Candlesticks, func(a, b Candlestick) int { return a.Timestamp.Compare(b.Timestamp.Time) })
	}
	return c, err
}
