package predictmeta

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Side is the side of the taker of a trade. An answer in another case is read as the constant.
type Side string

// The sides.
const (
	SideBuy  Side = "buy"
	SideSell Side = "sell"
)

func init() { wire.Words(SideBuy, SideSell) }

// Valid reports whether s is one of the sides, in any case.
func (s Side) Valid() bool {
	return strings.EqualFold(string(s), string(SideBuy)) || strings.EqualFold(string(s), string(SideSell))
}

// Trade is one trade.
type Trade struct {
	ID           string           `json:"id" wire:"said,identity"`
	Ticker       string           `json:"ticker" wire:"said"`            // of the market
	Price        walletfi.Decimal `json:"price" wire:"said,min=0,max=1"` // 0 to 1
	Quantity     uint64           `json:"quantity" wire:"present"`
	Side         Side             `json:"side" wire:"said"`
	Outcome      Outcome          `json:"outcome" wire:"said"` // OutcomeYes, OutcomeNo, or a value that is not documented
	Timestamp    walletfi.Time    `json:"timestamp" wire:"said"`
	TakerAddress string           `json:"taker_address"`
	MakerAddress string           `json:"maker_address"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// TradesRequest selects a page of trades.
type TradesRequest struct {
	Ticker string    // of the market; empty means all
	Side   Side      // empty means both
	Start  time.Time // zero means open; see Config.TimeFormat
	End    time.Time
	Limit  *int // trades per page; nil means DefaultTradesLimit
	Offset *int // trades to skip
}

// TradePage is one page of trades.
type TradePage struct {
	Items  []Trade `json:"trades" wire:"records"`
	Total  *int    `json:"total" wire:"decides,optional,min=0"` // of all pages; nil if the service does not say
	Limit  *int    `json:"limit" wire:"free,min=1"`
	Offset *int    `json:"offset" wire:"free,min=0"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListTrades returns one page of trades, which the service relays from an
// exchange. They may have the ticker of the exchange, and not the one of the request; but if the
// trades of one market were asked for, and those of a page have several tickers, the error is
// [walletfi.ErrMismatch].
//
// GET /api/v1/trades.
func (c *Client) ListTrades(ctx context.Context, req TradesRequest, opts ...walletfi.CallOption) (*TradePage, error) {
	return transport.Do[TradePage](ctx, c.made().t, transport.Call{
		Op: "ListTrades", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("trades"),
		Echo:   transport.Echo(func(page *TradePage) error { return req.mismatch(page, req.Ticker) }),
		Path:   transport.Path("/api/v1/trades"), Query: c.tradesQuery(req), Invalid: req.problem(),
	}, opts)
}

// AllTrades iterates over trades from req.Offset on, one page per request. It ends
// at the first error. New trades can shift the pages: set req.End to keep them
// fixed.
func (c *Client) AllTrades(
	ctx context.Context, req TradesRequest, opts ...walletfi.CallOption,
) iter.Seq2[Trade, error] {
	return allTrades(req, func(req TradesRequest) (*TradePage, error) { return c.ListTrades(ctx, req, opts...) })
}

// ListTradesByMint is [Client.ListTrades] for the market of a mint.
//
// GET /api/v1/trades/by-mint/{mint_address}.
func (c *Client) ListTradesByMint(
	ctx context.Context, mint string, req TradesRequest, opts ...walletfi.CallOption,
) (*TradePage, error) {
	return transport.Do[TradePage](ctx, c.made().t, transport.Call{
		Op: "ListTradesByMint", Effect: transport.Read, Method: http.MethodGet,
		Answer:  transport.Items("trades"),
		Echo:    transport.Echo(func(page *TradePage) error { return req.mismatch(page, mint) }),
		Path:    transport.Path("/api/v1/trades/by-mint/{mint_address}", mint),
		Query:   c.tradesQuery(req),
		Invalid: check.All(check.Address("mint_address", mint), req.problem()),
	}, opts)
}

// AllTradesByMint is [Client.AllTrades] for the market of a mint.
func (c *Client) AllTradesByMint(
	ctx context.Context, mint string, req TradesRequest, opts ...walletfi.CallOption,
) iter.Seq2[Trade, error] {
	return allTrades(req, func(req TradesRequest) (*TradePage, error) {
		return c.ListTradesByMint(ctx, mint, req, opts...)
	})
}

func allTrades(req TradesRequest, list func(TradesRequest) (*TradePage, error)) iter.Seq2[Trade, error] {
	return paging.Offset(req.Offset, req.Limit, func(offset, limit *int) ([]Trade, int, error) {
		req := req
		req.Offset, req.Limit = offset, limit
		page, err := list(req)
		if page == nil {
			return nil, 0, err
		}
		return page.Items, stated(page.Total), err
	})
}

func (r TradesRequest) problem() error {
	return check.All(
		check.NotNegativeOf("limit", r.Limit),
		check.NotNegativeOf("offset", r.Offset),
		check.OptionalOneOf("side", r.Side, SideBuy, SideSell),
		check.Ordered("start_time", r.Start, "end_time", r.End),
	)
}

// tradesQuery is a TradesRequest on the wire.
type tradesQuery struct {
	Ticker string `url:"ticker,omitempty"`
	Limit  *int   `url:"limit,omitempty"`
	Offset *int   `url:"offset,omitempty"`
	period
	Side Side `url:"side,omitempty"`
}

func (c *Client) tradesQuery(r TradesRequest) tradesQuery {
	return tradesQuery{r.Ticker, r.Limit, r.Offset, c.period(r.Start, r.End), r.Side}
}

// mismatch holds the page, the side and the period that were asked for against a page. If a market
// was, the trades have one ticker, which may be that of the exchange.
func (r TradesRequest) mismatch(page *TradePage, market string) error {
	ticker := ""
	if market != "" && len(page.Items) > 0 {
		ticker = page.Items[0].Ticker
	}
	return echo.All(
		echo.NoMore("trades", r.Limit, len(page.Items)),
		echo.StatedOf("offset", r.Offset, page.Offset),
		echo.AtMost("limit", r.Limit, page.Limit),
		echo.Each(page.Items, func(t Trade) error {
			return echo.All(
				echo.Name("trades.ticker", ticker, t.Ticker),
				echo.Word("trades.side", r.Side, t.Side, SideBuy, SideSell),
				echo.Within("trades.timestamp", r.Start, r.End, t.Timestamp),
			)
		}),
	)
}
