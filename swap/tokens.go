package swap

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Token is a token that can be traded.
type Token struct {
	Mint     string `json:"mint" wire:"said,key,identity"` // base58
	Decimals int    `json:"decimals" wire:"said,min=0,max=77"`
	Symbol   string `json:"symbol"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Venue is an exchange that routes can use.
type Venue struct {
	Name    string `json:"name"`
	ID      string `json:"id" wire:"identity"`
	Enabled bool   `json:"enabled" wire:"said"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// MintPage has all mints that can be traded, base58.
type MintPage struct {
	Items []string `json:"tokens" wire:"records,key"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// TokenPage has all tokens that can be traded.
type TokenPage struct {
	Items []Token `json:"tokens" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// VenuePage has all venues.
type VenuePage struct {
	Items []Venue `json:"venues" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListTokens returns the mints that can be traded.
//
// GET /tokens.
func (c *Client) ListTokens(ctx context.Context, opts ...walletfi.CallOption) (*MintPage, error) {
	return list[MintPage](ctx, c, "ListTokens", transport.Path("/tokens"), "tokens", opts)
}

// ListTokensWithDecimals returns the tokens that can be traded.
//
// GET /tokens-with-decimals.
func (c *Client) ListTokensWithDecimals(ctx context.Context, opts ...walletfi.CallOption) (*TokenPage, error) {
	return list[TokenPage](ctx, c, "ListTokensWithDecimals", transport.Path("/tokens-with-decimals"), "tokens", opts)
}

// ListVenues returns all venues, including disabled ones.
//
// GET /venues.
func (c *Client) ListVenues(ctx context.Context, opts ...walletfi.CallOption) (*VenuePage, error) {
	return list[VenuePage](ctx, c, "ListVenues", transport.Path("/venues"), "venues", opts)
}

// list runs a read without parameters.
func list[T any](
	ctx context.Context, c *Client, op string, path transport.Target, member string, opts []walletfi.CallOption,
) (*T, error) {
	return transport.Do[T](ctx, c.made().t, transport.Call{
		Op: op, Effect: transport.Read, Method: http.MethodGet, Path: path,
		Answer: transport.Items(member),
	}, opts)
}
