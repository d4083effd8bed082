package onchaindata

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Pool is a market of two tokens. What was null, such as the prices of a pool in which nothing is
// traded, is the zero value, which of a Decimal is not 0. The same goes for members that were left out and
// do not decide.
type Pool struct {
	ID        string        `json:"-" wire:"identity"` // the service's id of the record, which names the network too
	Address   string        `json:"address" wire:"said"`
	Name      string        `json:"name"`
	CreatedAt walletfi.Time `json:"pool_created_at" wire:"free"`

	// fully diluted valuation of the base token
	FDVUSD             walletfi.Decimal `json:"fdv_usd" wire:"free,min=0"`
	MarketCapUSD       walletfi.Decimal `json:"market_cap_usd" wire:"free,min=0"`      // of the base token
	ReserveUSD         walletfi.Decimal `json:"reserve_in_usd" wire:"said,null,min=0"` // value of the pool's tokens
	BaseTokenPriceUSD  walletfi.Decimal `json:"base_token_price_usd" wire:"said,null,min=0"`
	QuoteTokenPriceUSD walletfi.Decimal `json:"quote_token_price_usd" wire:"said,null,min=0"`
	// in the network's own coin
	BaseTokenPriceInNative walletfi.Decimal `json:"base_token_price_native_currency" wire:"said,null,min=0"`

	PriceChange  Periods           `json:"price_change_percentage"` // percent: 1.5 is 1.5 %
	Transactions TransactionCounts `json:"transactions"`
	VolumeUSD    Periods           `json:"volume_usd" wire:"free,min=0"`

	BaseTokenID  string `json:"-"` // ids of related records
	QuoteTokenID string `json:"-"`
	DEXID        string `json:"-"`
	// BaseToken, QuoteToken and DEX are those records if the request includes
	// them, else nil. Pools of one page share them.
	BaseToken  *Token `json:"-"`
	QuoteToken *Token `json:"-"`
	DEX        *DEX   `json:"-"`

	// Raw is the record as it came. What the options of a request add to it is
	// not documented.
	Raw walletfi.Document `json:"-"`
}

// Periods is a value over the last five minutes, hour, six hours and day. A token's
// volume has only H24, its price change has no M5.
type Periods struct {
	M5  walletfi.Decimal `json:"m5" wire:"free"`
	H1  walletfi.Decimal `json:"h1" wire:"free"`
	H6  walletfi.Decimal `json:"h6" wire:"free"`
	H24 walletfi.Decimal `json:"h24" wire:"free"`
}

// TransactionCounts counts a pool's transactions over periods that differ from
// those of [Periods]. A period that was left out is nil.
type TransactionCounts struct {
	M5  *TransactionCount `json:"m5"`
	M15 *TransactionCount `json:"m15"`
	M30 *TransactionCount `json:"m30"`
	H1  *TransactionCount `json:"h1"`
	H24 *TransactionCount `json:"h24"`
}

// TransactionCount counts a pool's transactions over a period, and the wallets
// that made them. Buyers and Sellers are nil if they are null: they are not known.
type TransactionCount struct {
	Buys    int  `json:"buys" wire:"said,min=0"`
	Sells   int  `json:"sells" wire:"said,min=0"`
	Buyers  *int `json:"buyers" wire:"said,null,min=0"`
	Sellers *int `json:"sellers" wire:"said,null,min=0"`
}

// poolOf sets what a record says of a pool beside its attributes.
func poolOf(p *Pool, r *resource[Pool]) {
	p.ID, p.Raw = r.ID, r.Raw
	p.BaseTokenID = r.Relationships.BaseToken.id()
	p.QuoteTokenID = r.Relationships.QuoteToken.id()
	p.DEXID = r.Relationships.DEX.id()
}

// PoolInclude names a related record to include with a pool.
type PoolInclude string

// The records to include with a pool.
const (
	IncludeBaseToken  PoolInclude = "base_token"
	IncludeQuoteToken PoolInclude = "quote_token"
	IncludeDEX        PoolInclude = "dex"
)

func checkPoolInclude(include []PoolInclude) error {
	return check.Each("include", include, func(field string, what PoolInclude) error {
		return check.OneOf(field, what, IncludeBaseToken, IncludeQuoteToken, IncludeDEX)
	})
}

// PoolRequest says what to include with a pool.
type PoolRequest struct {
	Include         []PoolInclude `url:"include,comma,omitempty"`            // fills Pool.BaseToken, QuoteToken and DEX
	VolumeBreakdown *bool         `url:"include_volume_breakdown,omitempty"` // adds to Pool.Raw
	Composition     *bool         `url:"include_composition,omitempty"`      // adds to Pool.Raw
}

// GetPool returns a pool. It changes every [PoolRefresh].
//
// GET /networks/{network}/pools/{address}.
func (c *Client) GetPool(
	ctx context.Context, network, address string, req PoolRequest, opts ...walletfi.CallOption,
) (*Pool, error) {
	answer, err := transport.Do[poolAnswer](ctx, c.made().t, transport.Call{
		Op: "GetPool", Effect: transport.Read, Method: http.MethodGet,
		Answer: recordAnswer,
		Echo: transport.Echo(func(a *poolAnswer) error {
			return echo.Address("data.attributes.address", address, a.Pool.Address)
		}),
		Path:  transport.Path("/networks/{network}/pools/{address}", network, address),
		Query: req, Invalid: checkPoolInclude(req.Include),
	}, opts)
	if err != nil {
		return nil, err
	}
	return answer.Pool, nil
}

// poolAnswer is the answer for one pool.
type poolAnswer struct {
	Pool *Pool `json:"data" wire:"required"`
}

// It is the first record.
func init() {
	reads(func(a *poolAnswer, doc *document[Pool], raw walletfi.Document) error {
		if pools := poolsOf(doc); len(pools) > 0 {
			a.Pool = &pools[0]
		}
		return nil
	})
}
