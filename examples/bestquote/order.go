package main

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/swap"
)

// order is the trade that all services quote.
type order struct {
	from, to    swap.Token
	amount      walletfi.Amount // of from, smallest units
	slippageBps int
	legacy      bool
}

// read returns the order that the options describe. The swap service knows the
// decimals of the tokens, which an amount needs.
func (t *trader) read(ctx context.Context, o options) (want order, err error) {
	tokens, err := t.swap.ListTokensWithDecimals(ctx)
	if err != nil {
		return want, err
	}
	want = order{slippageBps: o.slippageBps, legacy: o.legacy}
	if want.from, err = find(tokens.Items, o.from); err != nil {
		return want, err
	}
	if want.to, err = find(tokens.Items, o.to); err != nil {
		return want, err
	}
	want.amount, err = walletfi.ParseAmount(o.amount, want.from.Decimals)
	return want, err
}

// find looks up a mint, or a symbol that only one token has: anyone can create
// a token with the symbol of another.
func find(tokens []swap.Token, name string) (found swap.Token, err error) {
	count := 0
	for _, token := range tokens {
		switch name {
		case token.Mint:
			return token, nil
		case token.Symbol:
			found = token
			count++
		}
	}
	if count != 1 {
		return found, fmt.Errorf("%d tokens have the symbol %q: use the mint", count, name)
	}
	return found, nil
}
