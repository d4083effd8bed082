package onchaindata

import (
	"context"
	"maps"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// TokenPricesRequest says what to include with the prices of tokens.
type TokenPricesRequest struct {
	MarketCap      *bool `url:"include_market_cap,omitempty"`
	FDVForCap      *bool `url:"mcap_fdv_fallback,omitempty"` // the fully diluted valuation if there is no market cap
	Volume24h      *bool `url:"include_24hr_vol,omitempty"`
	PriceChange24h *bool `url:"include_24hr_price_change,omitempty"`
	TotalReserve   *bool `url:"include_total_reserve_in_usd,omitempty"`
}

// TokenPrices are the prices of tokens by address. [TokenPrices.For] finds a token
// whatever the case in which the service writes its address. A token that the
// service does not know, or answers null for, is absent. The other maps are filled if the request asks
// for them.
type TokenPrices struct {
	ID              string                      `json:"-"`
	PriceUSD        map[string]walletfi.Decimal `json:"token_prices" wire:"decides,min=0"`
	MarketCapUSD    map[string]walletfi.Decimal `json:"market_cap_usd" wire:"free,min=0"`
	VolumeUSD24h    map[string]walletfi.Decimal `json:"h24_volume_usd" wire:"free,min=0"`
	PriceChange24h  map[string]walletfi.Decimal `json:"h24_price_change_percentage" wire:"free"` // percent
	TotalReserveUSD map[string]walletfi.Decimal `json:"total_reserve_in_usd" wire:"decides,min=0,optional"`
	LastTradeAt     map[string]walletfi.Time    `json:"last_trade_timestamp" wire:"decides,optional"`

	// Raw is the record's attributes as they came, if a value in them could not be
	// read; else nil.
	Raw walletfi.Document `json:"-"`
}

// TokenPrice is the part of [TokenPrices] about one token.
type TokenPrice struct {
	PriceUSD        walletfi.Decimal
	MarketCapUSD    walletfi.Decimal
	VolumeUSD24h    walletfi.Decimal
	PriceChange24h  walletfi.Decimal // percent
	TotalReserveUSD walletfi.Decimal
	LastTradeAt     walletfi.Time
}

// For returns the values of one token, and false if it has no price. It ignores
// the case of hexadecimal addresses.
func (p *TokenPrices) For(address string) (TokenPrice, bool) {
	price := at(p.PriceUSD, address)
	return TokenPrice{
		PriceUSD: price, MarketCapUSD: at(p.MarketCapUSD, address), VolumeUSD24h: at(p.VolumeUSD24h, address),
		PriceChange24h: at(p.PriceChange24h, address), TotalReserveUSD: at(p.TotalReserveUSD, address),
		LastTradeAt: at(p.LastTradeAt, address),
	}, !price.IsZero()
}

// at returns the value in m for an address.
func at[V any](m map[string]V, address string) V {
	if v, ok := m[address]; ok {
		return v
	}
	key := sameAddress(address)
	var found, none V
	n := 0
	for a, v := range m {
		if sameAddress(a) == key {
			found = v
			n++
		}
	}
	if n != 1 { // of two spellings neither is more true
		return none
	}
	return found
}

// GetTokenPrices returns the prices of a network's tokens at the given addresses,
// in one request: no cap is documented. Prices change every [PoolRefresh].
//
// GET /simple/networks/{network}/token_price/{addresses}.
func (c *Client) GetTokenPrices(
	ctx context.Context, network string, addresses []string, req TokenPricesRequest, opts ...walletfi.CallOption,
) (*TokenPrices, error) {
	answer, err := transport.Do[pricesAnswer](ctx, c.made().t, transport.Call{
		Op: "GetTokenPrices", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("data.attributes.token_prices:object|data:list"),
		Path:   transport.Path("/simple/networks/{network}/token_price/{addresses}", network, distinct(addresses)),
		Query:  req, Invalid: checkAddresses(addresses),
	}, opts)
	if err != nil {
		return nil, err
	}
	return answer.Prices, nil
}

// pricesAnswer is the answer for prices.
type pricesAnswer struct {
	Prices *TokenPrices `json:"data" wire:"required"`
}

// It is the first record.
func init() {
	reads(func(a *pricesAnswer, doc *document[TokenPrices], raw walletfi.Document) error {
		if err := wire.Once(raw); err != nil { // of two prices of a token neither is more true
			return err
		}
		if len(doc.Data.Items()) > 0 {
			a.Prices = &doc.Data.Items()[0].Attributes
			a.Prices.ID = doc.Data.Items()[0].ID
			for _, values := range []map[string]walletfi.Decimal{a.Prices.PriceUSD, a.Prices.TotalReserveUSD} {
				maps.DeleteFunc(values, func(_ string, d walletfi.Decimal) bool { return d.IsZero() })
			}
		}
		return nil
	})
}
