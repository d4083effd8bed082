package predictmeta

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// MarketStatus is the status of a market. Its values are not documented.
type MarketStatus string

// Market is a market of an event, with a mint for yes and one for no. A price that the service
// answers null for, such as that of a market without a trade or without orders, is the zero
// Decimal, which says that it is not known. YesPrice and NoPrice may be of two books: they need
// not add up to 1. An amount of an outcome is in smallest units of YesMint or NoMint, whose decimals
// a walletfi.Mints tells: the service does not.
type Market struct {
	Ticker       string           `json:"ticker" wire:"strict,said,identity"`
	EventTicker  string           `json:"event_ticker"`
	Title        string           `json:"title"`
	YesMint      string           `json:"yes_mint" wire:"strict,said,key"`
	NoMint       string           `json:"no_mint" wire:"strict,said,key"`
	LedgerMint   string           `json:"ledger_mint" wire:"strict,said,key"`
	Status       MarketStatus     `json:"status" wire:"strict,said"`
	LastPrice    walletfi.Decimal `json:"last_price" wire:"once,said,null,min=0,max=1"` // 0 to 1, like the two below
	YesPrice     walletfi.Decimal `json:"yes_price" wire:"once,said,null,min=0,max=1"`
	NoPrice      walletfi.Decimal `json:"no_price" wire:"once,said,null,min=0,max=1"`
	Volume24h    *uint64          `json:"volume_24h" wire:"free,min=0"`
	OpenInterest *uint64          `json:"open_interest" wire:"free,min=0"`
	CreatedAt    walletfi.Time    `json:"created_at" wire:"free"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// MarketSummary is a market within an event or the answer to a batch.
type MarketSummary struct {
	Ticker    string           `json:"ticker" wire:"strict,said,identity"`
	YesMint   string           `json:"yes_mint" wire:"strict,said,key"`
	NoMint    string           `json:"no_mint" wire:"strict,said,key"`
	LastPrice walletfi.Decimal `json:"last_price" wire:"once,said,null,min=0,max=1"` // 0 to 1; zero if not known
	Volume24h *uint64          `json:"volume_24h" wire:"free,min=0"`                 // nil in a batch

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func init() {
	wire.Reader(func(s *wire.Scanner, m *Market) error {
		err := wire.Fields(s, m)
		holdMints[Market](s, m.YesMint, m.NoMint)
		return err
	})
	wire.Reader(func(s *wire.Scanner, m *MarketSummary) error {
		err := wire.Fields(s, m)
		holdMints[MarketSummary](s, m.YesMint, m.NoMint)
		return err
	})
}

// holdMints notes that both outcomes have one mint: whoever buys no would get yes.
func holdMints[T any](s *wire.Scanner, yes, no string) {
	if yes != "" && yes == no {
		wire.Breaks[T](s, "no_mint", wire.Repeated)
	}
}

// marketAnswer lists the members that a market must have.
var marketAnswer = transport.Says("ticker",
	"last_price:number|last_price:null", "yes_price:number|yes_price:null", "no_price:number|no_price:null")

// GetMarket returns a market.
//
// GET /api/v1/market/{ticker}.
func (c *Client) GetMarket(ctx context.Context, ticker string, opts ...walletfi.CallOption) (*Market, error) {
	return transport.Do[Market](ctx, c.made().t, transport.Call{
		Op: "GetMarket", Effect: transport.Read, Method: http.MethodGet,
		Answer: marketAnswer,
		Echo:   transport.Echo(func(m *Market) error { return echo.Name("ticker", ticker, m.Ticker) }),
		Path:   transport.Path("/api/v1/market/{ticker}", ticker),
	}, opts)
}

// GetMarketByMint returns the market of a ledger mint or of an outcome mint.
//
// GET /api/v1/market/by-mint/{mint_address}.
func (c *Client) GetMarketByMint(ctx context.Context, mint string, opts ...walletfi.CallOption) (*Market, error) {
	return transport.Do[Market](ctx, c.made().t, transport.Call{
		Op: "GetMarketByMint", Effect: transport.Read, Method: http.MethodGet,
		Answer:  marketAnswer,
		Echo:    transport.Echo(func(m *Market) error { return m.mismatch(mint) }),
		Path:    transport.Path("/api/v1/market/by-mint/{mint_address}", mint),
		Invalid: check.Address("mint_address", mint),
	}, opts)
}

// MarketsRequest selects a page of markets.
type MarketsRequest struct {
	Limit       *int         `url:"limit,omitempty"`  // markets per page; nil means DefaultMarketsLimit
	Offset      *int         `url:"offset,omitempty"` // markets to skip
	Status      MarketStatus `url:"status,omitempty"` // empty means all
	EventTicker string       `url:"event_ticker,omitempty"`
}

// MarketPage is one page of markets.
type MarketPage struct {
	Items  []Market `json:"markets" wire:"records"`
	Total  *int     `json:"total" wire:"decides,optional,min=0"` // of all pages; nil if the service does not say
	Limit  *int     `json:"limit" wire:"free,min=1"`
	Offset *int     `json:"offset" wire:"free,min=0"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListMarkets returns one page of markets.
//
// GET /api/v1/markets.
func (c *Client) ListMarkets(
	ctx context.Context, req MarketsRequest, opts ...walletfi.CallOption,
) (*MarketPage, error) {
	return transport.Do[MarketPage](ctx, c.made().t, transport.Call{
		Op: "ListMarkets", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("markets"),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/api/v1/markets"), Query: req,
		Invalid: check.All(check.NotNegativeOf("limit", req.Limit), check.NotNegativeOf("offset", req.Offset)),
	}, opts)
}

// AllMarkets iterates over markets from req.Offset on, one page per request. It
// ends at the first error.
func (c *Client) AllMarkets(
	ctx context.Context, req MarketsRequest, opts ...walletfi.CallOption,
) iter.Seq2[Market, error] {
	return paging.Offset(req.Offset, req.Limit, func(offset, limit *int) ([]Market, int, error) {
		req := req
		req.Offset, req.Limit = offset, limit
		page, err := c.ListMarkets(ctx, req, opts...)
		if page == nil {
			return nil, 0, err
		}
		return page.Items, stated(page.Total), err
	})
}

// mismatch reports a market that has three mints, but not this one.
func (m *Market) mismatch(mint string) error {
	mints := []string{m.YesMint, m.NoMint, m.LedgerMint}
	ok := slices.Contains(mints, mint) || slices.Contains(mints, "")
	return echo.That(ok, "yes_mint, no_mint, ledger_mint", mint, strings.Join(mints, ", "))
}

// mismatch holds the page and the filters that were asked for against a page.
func (r MarketsRequest) mismatch(page *MarketPage) error {
	return echo.All(
		echo.StatedOf("offset", r.Offset, page.Offset),
		echo.AtMost("limit", r.Limit, page.Limit),
		echo.NoMore("markets", r.Limit, len(page.Items)),
		echo.Each(page.Items, func(m Market) error {
			return cmp.Or(
				echo.Has("markets.event_ticker", r.EventTicker, m.EventTicker),
				echo.Name("markets.event_ticker", r.EventTicker, m.EventTicker),
				echo.Name("markets.status", r.Status, m.Status),
			)
		}),
	)
}
