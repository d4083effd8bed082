package swap

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Token is a token that can be traded.
type Token struct {
	Mint     string `json:"mint" wire:"strict"` // base58
	Decimals int    `json:"decimals" wire:"strict"`
	Symbol   string `json:"symbol"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Venue is an exchange that routes can use.
type Venue struct {
	Name    string `json:"name"`
	ID      string `json:"id"`
	Enabled bool   `json:"enabled" wire:"strict"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListTokens returns the mints that can be traded.
//
// GET /tokens.
func (c *Client) ListTokens(ctx context.Context, opts ...walletfi.CallOption) ([]string, error) {
	type response struct {
		Tokens []string `json:"tokens" wire:"records"`
	}
	r, err := list[response](ctx, c, "ListTokens", transport.Path("/tokens"), "tokens", opts)
	return r.Tokens, err
}

// ListTokensWithDecimals returns the tokens that can be traded.
//
// GET /tokens-with-decimals.
func (c *Client) ListTokensWithDecimals(ctx context.Context, opts ...walletfi.CallOption) ([]Token, error) {
	type response struct {
		Tokens []Token `json:"tokens" wire:"records"`
	}
	r, err := list[response](ctx, c, "ListTokensWithDecimals", transport.Path("/tokens-with-decimals"), "tokens", opts)
	return r.Tokens, err
}

// ListVenues returns all venues, including disabled ones.
//
// GET /venues.
func (c *Client) ListVenues(ctx context.Context, opts ...walletfi.CallOption) ([]Venue, error) {
	type response struct {
		Venues []Venue `json:"venues" wire:"records"`
	}
	r, err := list[response](ctx, c, "ListVenues", transport.Path("/venues"), "venues", opts)
	return r.Venues, err
}

// list runs a read without parameters.
func list[T any](ctx context.Context, c *Client, op string, path transport.Target, member string, opts []walletfi.CallOption) (T, error) {
	r, err := transport.Do[T](ctx, c.t, transport.Call{
		Op: op, Effect: transport.Read, Method: http.MethodGet, Path: path,
		Answer: transport.Lists(member),
	}, opts)
	if r == nil {
		return *new(T), err
	}
	return *r, err
}
