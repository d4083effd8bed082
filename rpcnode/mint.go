package rpcnode

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

var (
	_ walletfi.Mints = (*Client)(nil)
	_ walletfi.Mints = (*Pool)(nil)
)

// Mint reads the decimals of a mint in its account, and implements walletfi.Mints. If there is
// no account at the address, or it is no mint, the error answers to walletfi.ErrNotFound. A
// mint's account has no symbol.
func (c *Client) Mint(ctx context.Context, address string) (walletfi.Mint, error) {
	key, err := signing.ParsePublicKey(address)
	if err != nil {
		return walletfi.Mint{}, &walletfi.ValidationError{Field: "address", Problem: "is no address"}
	}
	states, err := c.Accounts(ctx, []signing.PublicKey{key})
	if err != nil {
		return walletfi.Mint{}, err
	}
	decimals, ok := states[0].MintDecimals()
	if !ok {
		return walletfi.Mint{}, &Error{
			Method: "getMultipleAccounts", Message: "the node has no mint at " + address, Kind: walletfi.ErrNotFound,
		}
	}
	return walletfi.Mint{Address: address, Decimals: int(decimals), Proven: true}, nil
}

// Mint asks a healthy node: see Client.Mint.
func (p *Pool) Mint(ctx context.Context, address string) (walletfi.Mint, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) (walletfi.Mint, error) { return c.Mint(ctx, address) })
}
