package leverage

import (
	"context"
	"iter"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/lenient"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Side is the direction of an offer and of the positions on it.
type Side string

// The sides.
const (
	SideLong  Side = "LONG"
	SideShort Side = "SHORT"
)

// Offer is a pool of liquidity from which positions of one pair and side
// borrow.
type Offer struct {
	Address           string           `json:"address" wire:"strict"`
	BaseTokenAddress  string           `json:"baseTokenAddress"`
	QuoteTokenAddress string           `json:"quoteTokenAddress"`
	Side              Side             `json:"side"`
	MaxLeverage       walletfi.Decimal `json:"maxLeverage"`
	InterestRate      walletfi.Decimal `json:"interestRate"`
	TotalLiquidity    walletfi.Amount  `json:"totalLiquidity"`
	BaseToken         *Token           `json:"baseToken"`  // nil unless IncludeTokens was set
	QuoteToken        *Token           `json:"quoteToken"` // nil unless IncludeTokens was set

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Token describes one token of a pair.
type Token struct {
	Symbol   string           `json:"symbol"`
	Name     string           `json:"name"`
	Decimals int              `json:"decimals"`
	PriceUSD walletfi.Decimal `json:"priceUsd"`
	LogoURI  string           `json:"logoUri"`
}

// OffersRequest selects offers.
type OffersRequest struct {
	Search     string   // token name, symbol or mint
	Side       Side     // empty means both
	QuoteToken string   // mint
	Tags       []string // without commas
	// IncludeTokens asks for BaseToken and QuoteToken. Nil lets the service
	// decide; it recommends true.
	IncludeTokens *bool
	Limit         *int // nil lets the service decide
	Offset        *int
}

type offersQuery struct {
	Search        string `url:"search,omitempty"`
	Side          Side   `url:"side,omitempty"`
	QuoteToken    string `url:"quoteToken,omitempty"`
	Tags          string `url:"tags,omitempty"`
	IncludeTokens *bool  `url:"includeTokens,omitempty"`
	Limit         *int   `url:"limit,omitempty"`
	Offset        *int   `url:"offset,omitempty"`
}

// ListOffers returns one page of offers. The service states no total.
//
// GET /api/v1/offers.
func (c *Client) ListOffers(ctx context.Context, req OffersRequest, opts ...walletfi.CallOption) ([]Offer, error) {
	offers, err := transport.Do[lenient.Records[Offer]](ctx, c.t, transport.Call{
		Op: "ListOffers", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Lists(""),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/api/v1/offers"),
		Query: offersQuery{
			req.Search, req.Side, req.QuoteToken, strings.Join(req.Tags, ","),
			req.IncludeTokens, req.Limit, req.Offset,
		},
		Invalid: req.problem(),
	}, opts)
	if offers == nil {
		return nil, err
	}
	return offers.All, err
}

// AllOffers iterates over the offers from req.Offset on, until a page is empty.
func (c *Client) AllOffers(ctx context.Context, req OffersRequest, opts ...walletfi.CallOption) iter.Seq2[Offer, error] {
	return untilEmpty(req.Offset, req.Limit, func(offset, limit *int) ([]Offer, error) {
		req := req
		req.Offset, req.Limit = offset, limit
		return c.ListOffers(ctx, req, opts...)
	})
}

func (r OffersRequest) problem() error {
	return check.All(
		check.OptionalOneOf("side", r.Side, SideLong, SideShort),
		check.Each("tags", r.Tags, func(field, tag string) error {
			return check.That(tag != "" && !strings.Contains(tag, ","), field, "must not be empty or hold a comma")
		}),
		check.NotNegativeOf("limit", r.Limit),
		check.NotNegativeOf("offset", r.Offset),
	)
}

// SearchTokens returns the tokens of the market that match search; if search is
// empty, the service decides. The shape of the answer is not documented.
//
// GET /api/v1/tokens.
func (c *Client) SearchTokens(ctx context.Context, search string, opts ...walletfi.CallOption) (walletfi.Document, error) {
	return transport.DoDocument(ctx, c.t, transport.Call{
		Op: "SearchTokens", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape),
		Path:   transport.Path("/api/v1/tokens"),
		Query: struct {
			Search string `url:"search,omitempty"`
		}{search},
	}, opts)
}

// mismatch holds the side and the token that were asked for against each offer.
func (r OffersRequest) mismatch(offers *lenient.Records[Offer]) error {
	return echo.Each(offers.All, func(o Offer) error {
		return echo.All(
			echo.Word("side", r.Side, o.Side, SideLong, SideShort),
			echo.Mint("quoteTokenAddress", r.QuoteToken, o.QuoteTokenAddress),
		)
	})
}
