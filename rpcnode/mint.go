package rpcnode

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

var (
	_ walletfi.Mints = (*Client)(nil)
	_ walletfi.Mints = (*Pool)(nil)

	_ signing.MintReader = (*Client)(nil)
	_ signing.MintReader = (*Pool)(nil)
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

// TransferFee reads the fee of a Token-2022 mint in its account, and implements signing.MintReader. While the fee is
// about to change it is the higher one. An error answers to signing.ErrUnknown if the node does not know the mint
// (walletfi.ErrNotFound too), or if its answer cannot be read (walletfi.ErrDecode too).
func (c *Client) TransferFee(ctx context.Context, mint signing.PublicKey) (signing.TransferFee, error) {
	state, slot, err := c.account(ctx, mint, c.settled(), 0)
	if err != nil {
		return signing.TransferFee{}, unknownTo(err)
	}
	if state != nil {
		if fee, ok := state.TransferFee(slot); ok {
			return fee, nil
		}
	}
	return signing.TransferFee{}, unknownTo(&Error{
		Method: "getAccountInfo", Message: "the node has no mint at " + mint.String(), Kind: walletfi.ErrNotFound,
	})
}

// TransferFee asks a healthy node: see Client.TransferFee.
func (p *Pool) TransferFee(ctx context.Context, mint signing.PublicKey) (signing.TransferFee, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) (signing.TransferFee, error) {
		return c.TransferFee(ctx, mint)
	})
}
