package main

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/swap"
)

// order is what all services are asked for.
type order struct {
	from, to    swap.Token
	amount      walletfi.Amount // of from, smallest units
	slippageBps int
	legacy      bool
}

// read makes an order of the options. The swap service knows the tokens'
// decimals, without which an amount means nothing.
func (t *trader) read(ctx context.Context, o options) (want order, err error) {
	tokens, err := t.swap.ListTokensWithDecimals(ctx)
	if err != nil {
		return want, err
	}
	want = order{slippageBps: o.slippageBps, legacy: o.legacy}
	if want.from, err = find(tokens, o.from); err != nil {
		return want, err
	}
	if want.to, err = find(tokens, o.to); err != nil {
		return want, err
	}
	want.amount, err = walletfi.ParseAmount(o.amount, want.from.Decimals)
	return want, err
}

// find takes a mint, or a symbol that only one token has: anybody can give a
// token the symbol of another.
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
		return found, fmt.Errorf("%d tokens are called %q: name its mint", count, name)
	}
	return found, nil
}
