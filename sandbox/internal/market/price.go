package market

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
)

// SetPrice moves the market price of a token: what a whole one is worth, in
// millionths of a dollar, above 0. Every pool of the token trades at the new price
// at once, and so does every service. It takes the lock itself.
func (b *Book) SetPrice(mint string, microUSD uint64) error {
	if microUSD == 0 {
		return errors.New("sandbox: a price must be above 0")
	}
	b.Lock()
	defer b.Unlock()
	at := slices.IndexFunc(b.Chain.Tokens, func(t build.Token) bool { return t.Mint == mint })
	if at < 0 {
		return fmt.Errorf("sandbox: %s is not a mint", mint)
	}
	b.Drift()
	b.Chain.Tokens[at].Price = microUSD
	for _, p := range b.Pools {
		p.reprice(b.Chain.Tokens[at], b.Now().Unix())
	}
	for _, service := range users {
		b.Restock(service)
	}
	for _, changed := range b.repriced {
		changed(mint)
	}
	return nil
}

// OnPrice makes SetPrice call changed with the mint before it returns, with the lock
// held.
func (b *Book) OnPrice(changed func(mint string)) { b.repriced = append(b.repriced, changed) }

// reprice moves a pool of the token to the market price. Others trade a pool whose
// product is constant along its curve; if the price lies outside the curve's range,
// and in a stable pool, they change what they have put in.
func (p *Pool) reprice(t build.Token, second int64) {
	concerned := false
	for i := range p.Tokens {
		if p.Tokens[i].Key == t.Key {
			p.Tokens[i].Price, concerned = t.Price, true
		}
	}
	if !concerned || p.trade(second) {
		return
	}
	other := new(big.Rat).Mul(p.Market(second), new(big.Rat).SetInt(new(big.Int).SetUint64(p.Reserves[0])))
	want := new(big.Int).Quo(other.Num(), other.Denom())
	if want.Sign() == 0 {
		want.SetInt64(1)
	}
	if !want.IsUint64() {
		return // more than a pool can hold
	}
	p.Reserves[1] = want.Uint64()
	p.Curve = curveOf(p.Venue.kind, p.Reserves)
	if stable, ok := p.Curve.(Stable); ok {
		for i, t := range p.Tokens {
			stable.worth[i] = t.Price
		}
		p.Curve = stable
	}
}
