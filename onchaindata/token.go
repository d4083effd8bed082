package onchaindata

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Token is a token on a network. What was null or left out is the zero value.
type Token struct {
	ID      string `json:"-" wire:"identity"` // the service's id of the record, which names the network too
	Address string `json:"address" wire:"said"`
	Name    string `json:"name"`
	Symbol  string `json:"symbol"`
	// nil if the service did not say; do not take it for 0
	Decimals         *int             `json:"decimals" wire:"decides,min=0,max=77"`
	ImageURL         string           `json:"image_url"`
	Websites         []string         `json:"websites"`
	Description      string           `json:"description"`
	Score            walletfi.Decimal `json:"gt_score" wire:"free,min=0"` // the service's own rating
	CommunityChatURL string           `json:"community_chat_url"`
	MessengerHandle  string           `json:"messenger_handle"`
	SocialHandle     string           `json:"social_handle"`
	AggregatorCoinID string           `json:"aggregator_coin_id"`

	// nil if the service did not say: it has no price, or was included with a pool
	PriceUSD     *walletfi.Decimal `json:"price_usd" wire:"decides,min=0"`
	FDVUSD       walletfi.Decimal  `json:"fdv_usd" wire:"free,min=0"` // fully diluted valuation
	MarketCapUSD walletfi.Decimal  `json:"market_cap_usd" wire:"free,min=0"`
	TotalSupply  walletfi.Decimal  `json:"total_supply" wire:"free,min=0"`
	VolumeUSD    Periods           `json:"volume_usd" wire:"free,min=0"` // only H24
	PriceChange  Periods           `json:"price_change_percentage"`      // percent; H1, H6 and H24

	TopPoolIDs []string `json:"-"`
	// TopPools are those pools if the request includes them, in the same order.
	// Their own related records are named only by id.
	TopPools []*Pool `json:"-"`

	// Raw is the record as it came. What the options of a request add to it is
	// not documented.
	Raw walletfi.Document `json:"-"`
}

func tokenOf(t *Token, r *resource[Token]) {
	t.ID, t.Raw, t.TopPoolIDs = r.ID, r.Raw, r.Relationships.TopPools.ids()
}

// TokenInclude names related records to include with a token.
type TokenInclude string

// IncludeTopPools includes a token's top pools.
const IncludeTopPools TokenInclude = "top_pools"

func checkTokenInclude(include []TokenInclude) error {
	return check.Each("include", include, func(field string, what TokenInclude) error {
		return check.OneOf(field, what, IncludeTopPools)
	})
}

// TokenRequest says what to include with a token.
type TokenRequest struct {
	Include        []TokenInclude `url:"include,comma,omitempty"`           // fills Token.TopPools
	Composition    *bool          `url:"include_composition,omitempty"`     // adds to Token.Raw
	InactiveSource *bool          `url:"include_inactive_source,omitempty"` // includes prices from inactive sources
}

// GetToken returns a token. It changes every [PoolRefresh].
//
// GET /networks/{network}/tokens/{address}.
func (c *Client) GetToken(
	ctx context.Context, network, address string, req TokenRequest, opts ...walletfi.CallOption,
) (*Token, error) {
	answer, err := transport.Do[tokenAnswer](ctx, c.made().t, transport.Call{
		Op: "GetToken", Effect: transport.Read, Method: http.MethodGet,
		Answer: recordAnswer,
		Echo: transport.Echo(func(a *tokenAnswer) error {
			return echo.Address("data.attributes.address", address, a.Token.Address)
		}),
		Path:  transport.Path("/networks/{network}/tokens/{address}", network, address),
		Query: req, Invalid: checkTokenInclude(req.Include),
	}, opts)
	if err != nil {
		return nil, err
	}
	return answer.Token, nil
}

// tokenAnswer is the answer for one token.
type tokenAnswer struct {
	Token *Token `json:"data" wire:"required"`
}

// It is the first record.
func init() {
	reads(func(a *tokenAnswer, doc *document[Token], _ walletfi.Document) error {
		if tokens := tokensOf(doc); len(tokens) > 0 {
			a.Token = &tokens[0]
		}
		return nil
	})
}

// tokenList is a JSON:API document of tokens.
type tokenList struct {
	tokens  []Token
	partial bool // a record could not be read
}

// ReadWire reads the document.
func (l *tokenList) ReadWire(s *wire.Scanner) error {
	var doc document[Token]
	unread := len(s.Unread())
	err := wire.Value(s, &doc)
	doc.tellRelations(s)
	l.tokens, l.partial = tokensOf(&doc), err != nil || len(s.Unread()) > unread
	return err
}

// tokensOf returns the tokens of a document, with the pools that were included for each.
func tokensOf(doc *document[Token]) []Token {
	tokens := doc.records(tokenOf)
	library := newLibrary(doc.Included.Items())
	for i := range tokens {
		library.topPools(&tokens[i])
	}
	return tokens
}
