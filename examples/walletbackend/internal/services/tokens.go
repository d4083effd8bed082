package services

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
)

// Tokens knows the tokens that can be traded: symbols and decimals, without which
// a person cannot read an amount. It is a signing.TokenSource for the guard's
// reports.
type Tokens struct {
	client *swap.Client

	mu     sync.RWMutex
	byMint map[string]swap.Token
}

func newTokens(client *swap.Client) *Tokens { return &Tokens{client: client} }

// Refresh reads the list again.
func (t *Tokens) Refresh(ctx context.Context) error {
	page, err := t.client.ListTokensWithDecimals(ctx)
	if err != nil {
		return err
	}
	byMint := map[string]swap.Token{}
	for _, token := range page.Items {
		byMint[token.Mint] = token
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byMint = byMint
	return nil
}

// List lists the tokens by their symbols.
func (t *Tokens) List() []swap.Token {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var all []swap.Token
	for _, token := range t.byMint {
		all = append(all, token)
	}
	slices.SortFunc(all, func(a, b swap.Token) int {
		return cmp.Or(cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Mint, b.Mint))
	})
	return all
}

// Find looks a token up by its mint. Symbols do not identify a token: anyone can
// create one with the symbol of another.
func (t *Tokens) Find(mint string) (swap.Token, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	token, ok := t.byMint[mint]
	return token, ok
}

// TokenInfo implements signing.TokenSource.
func (t *Tokens) TokenInfo(mint signing.PublicKey) (signing.TokenInfo, bool) {
	token, ok := t.Find(mint.String())
	return signing.TokenInfo{Symbol: token.Symbol, Decimals: uint8(token.Decimals)}, ok
}

// Text writes an amount of a token for people.
func (t *Tokens) Text(mint string, amount walletfi.Amount) string {
	token, ok := t.Find(mint)
	if !ok {
		return amount.String() + " smallest units of " + Short(mint)
	}
	return amount.UI(token.Decimals) + " " + token.Symbol
}

// Short is an address for people: its first and last characters.
func Short(address string) string {
	if len(address) <= 12 {
		return address
	}
	return address[:4] + "…" + address[len(address)-4:]
}
