package leverage

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Side is the direction of an offer and of the positions on it.
type Side string

// The sides.
const (
	SideLong  Side = "LONG"
	SideShort Side = "SHORT"
)

func init() { wire.Words(SideLong, SideShort) }

// Offer is a pool of liquidity from which positions of one pair and side
// borrow.
type Offer struct {
	Address           string           `json:"address" wire:"strict,said,key,opaque,identity"`
	BaseTokenAddress  string           `json:"baseTokenAddress" wire:"said,key,opaque"`
	QuoteTokenAddress string           `json:"quoteTokenAddress" wire:"said,key,opaque"`
	Side              Side             `json:"side" wire:"said"`
	MaxLeverage       walletfi.Decimal `json:"maxLeverage" wire:"said,min=0"`
	InterestRate      walletfi.Decimal `json:"interestRate" wire:"said,min=0"`
	TotalLiquidity    walletfi.Amount  `json:"totalLiquidity" wire:"present"`
	BaseToken         *Token           `json:"baseToken" wire:"once"`  // nil unless IncludeTokens was set
	QuoteToken        *Token           `json:"quoteToken" wire:"once"` // nil unless IncludeTokens was set

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Token describes one token of a pair.
type Token struct {
	Symbol   string           `json:"symbol"`
	Name     string           `json:"name"`
	Decimals int              `json:"decimals" wire:"said,min=0,max=77"`
	PriceUSD walletfi.Decimal `json:"priceUsd" wire:"said,min=0"`
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

// OfferPage is a page of offers.
type OfferPage struct {
	Items []Offer

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document
}

// MarshalJSON writes the form that UnmarshalJSON reads.
func (p OfferPage) MarshalJSON() ([]byte, error) { return json.Marshal(p.Items) }

// UnmarshalJSON reads an array of offers.
func (p *OfferPage) UnmarshalJSON(b []byte) error {
	*p = OfferPage{}
	return wire.Decode(b, p)
}

func init() { wire.Reader(readOffers) }

func readOffers(s *wire.Scanner, p *OfferPage) error {
	from, unread := s.Offset(), len(s.Unread())
	err := wire.ReadRecords(s, &p.Items)
	if len(s.Unread()) > unread {
		p.Raw = s.Kept(from)
	}
	return err
}

// ListOffers returns one page of offers. The service states no total.
//
// GET /api/v1/offers.
func (c *Client) ListOffers(ctx context.Context, req OffersRequest, opts ...walletfi.CallOption) (*OfferPage, error) {
	return transport.Do[OfferPage](ctx, c.made().t, transport.Call{
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
}

// AllOffers iterates over the offers from req.Offset on, until a page is empty.
func (c *Client) AllOffers(
	ctx context.Context, req OffersRequest, opts ...walletfi.CallOption,
) iter.Seq2[Offer, error] {
	return untilEmpty(req.Offset, req.Limit, func(offset, limit *int) ([]Offer, error) {
		req := req
		req.Offset, req.Limit = offset, limit
		page, err := c.ListOffers(ctx, req, opts...)
		if page == nil {
			return nil, err
		}
		return page.Items, err
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

// SearchTokensRequest selects tokens of the market.
type SearchTokensRequest struct {
	Search string `url:"search,omitempty"` // empty lets the service decide
}

// TokenPage has the tokens that were found. Neither the shape of a token nor the
// envelope of the list is documented: Items holds the records of the list that was
// found, Raw the whole answer.
type TokenPage struct {
	Items []walletfi.Document
	Raw   walletfi.Document
}

// UnmarshalJSON keeps the answer in Raw. It reads an array, or an object with an
// array of tokens.
func (p *TokenPage) UnmarshalJSON(b []byte) error {
	*p = TokenPage{}
	items, err := listIn[walletfi.Document](b, &p.Raw, "tokens")
	if wire.Usable(err) {
		p.Items = items
		return err
	}
	if said, _ := wire.Members(b); !wire.SaySomething(said) {
		return errNoList
	}
	return nil // whatever shape it has
}

// MarshalJSON returns the answer as it came.
func (p TokenPage) MarshalJSON() ([]byte, error) { return p.Raw.MarshalJSON() }

// SearchTokens returns the tokens of the market that match.
//
// GET /api/v1/tokens.
func (c *Client) SearchTokens(
	ctx context.Context, req SearchTokensRequest, opts ...walletfi.CallOption,
) (*TokenPage, error) {
	return transport.Do[TokenPage](ctx, c.made().t, transport.Call{
		Op: "SearchTokens", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape).ByDecoder(),
		Path:   transport.Path("/api/v1/tokens"), Query: req,
	}, opts)
}

// mismatch holds the side and the token that were asked for against each offer.
func (r OffersRequest) mismatch(page *OfferPage) error {
	return echo.Each(page.Items, func(o Offer) error {
		return echo.All(
			echo.Word("side", r.Side, o.Side, SideLong, SideShort),
			echo.Mint("quoteTokenAddress", r.QuoteToken, o.QuoteTokenAddress),
		)
	})
}
