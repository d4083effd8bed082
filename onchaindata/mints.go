package onchaindata

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
)

var _ walletfi.Mints = Mints{}

// Mints implements walletfi.Mints by GetToken: decimals and symbols are the service's word, so
// that none is Proven.
type Mints struct {
	Client  *Client
	Network string // such as "solana"
}

// Mint asks for the token. If the service does not state its decimals, the error answers to
// walletfi.ErrNotFound, as it does if the service does not know the token.
func (m Mints) Mint(ctx context.Context, address string) (walletfi.Mint, error) {
	token, err := m.Client.GetToken(ctx, m.Network, address, TokenRequest{})
	if err != nil {
		return walletfi.Mint{}, err
	}
	if token.Decimals == nil {
		return walletfi.Mint{}, fmt.Errorf("%w: the service does not state the decimals of %s", walletfi.ErrNotFound, address)
	}
	return walletfi.Mint{Address: address, Decimals: *token.Decimals, Symbol: token.Symbol}, nil
}
