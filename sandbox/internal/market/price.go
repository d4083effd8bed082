package market

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
)

// SetPrice does what sandbox.MarketHandle.SetPrice says.
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

// Outcomes are the tokens of the prediction markets, as swap sees them.
type Outcomes interface {
	// Outcome finds the outcome token with a mint, base58.
	Outcome(mint string) (Outcome, bool)
	// OutcomeMints lists the mints of all outcome tokens, in a fixed order.
	OutcomeMints() []string
}

// Outcome is a token that pays a dollar if a prediction market ends its way.
type Outcome struct {
	Key    solana.PublicKey
	Side   string // "yes" or "no"
	Ticker string // of the market, as is Title
	Title  string
	Event  string // its ticker
	Series string // its ticker
	Opens  int64  // when the market opens for trading, Unix seconds
	Market OutcomeMarket
}

// OutcomeMarket prices the outcomes of a prediction market.
type OutcomeMarket interface {
	// Live reports whether the market trades in a second.
	Live(second int64) bool
	// YesQuote is the price of the yes outcome and half the spread about it,
	// both in cents.
	YesQuote(second int64) (price, halfSpread int64)
}

// mostDrift is how many past minutes Drift applies, more than a whole oscillation
// of the market: it goes over what older minutes did.
const mostDrift = 4 * 60

// Drift applies the market's moves since the last call: once a minute other
// traders move each pool back to the market price, which oscillates, and the
// volume that raises a dynamic fee halves.
func (b *Book) Drift() {
	now := int64(b.Now().Sub(b.Core.Start) / Minute)
	b.minute = max(b.minute, now-mostDrift)
	for ; b.minute < now; b.minute++ {
		for _, p := range b.Pools {
			p.Volume /= 2
			p.arbitrage((b.minute + 1) * int64(Minute.Seconds()))
		}
	}
}

// wave is how far the market moves about its middle, millionths.
const wave = 3000

// Market is the price of token 0 in token 1, smallest units, at a time: about
// what the tokens are worth.
func (p *Pool) Market(seconds int64) *big.Rat {
	wave := int64(math.Round(wave * math.Sin(float64(seconds+p.phase)/1800)))
	price := new(big.Rat).SetFrac(
		new(big.Int).Mul(new(big.Int).SetUint64(p.Tokens[0].Price), build.TenTo(p.Tokens[1].Decimals)),
		new(big.Int).Mul(new(big.Int).SetUint64(p.Tokens[1].Price), build.TenTo(p.Tokens[0].Decimals)))
	return price.Mul(price, big.NewRat(1_000_000+wave, 1_000_000))
}

// arbitrage trades the pool to the market price if the difference exceeds its
// fee. The product of the pool's sides never falls.
func (p *Pool) arbitrage(seconds int64) {
	want, _ := p.Market(seconds).Float64()
	if off := p.Curve.Spot(p.Reserves, 0)/want - 1; math.Abs(off)*1e6 > float64(p.FeeRate()) {
		p.trade(seconds)
	}
}

// trade trades the pool to the market price. It reports whether it could.
func (p *Pool) trade(seconds int64) bool {
	curve, ok := p.Curve.(Product)
	if !ok {
		return false
	}
	market := p.Market(seconds)
	x, y := curve.Sides(p.Reserves, 0)
	k := x.Mul(x, y)
	root := func(num, den *big.Int) *big.Int {
		n := new(big.Int).Mul(k, num)
		n.Quo(n, den).Sqrt(n)
		return n.Add(n, big.NewInt(1))
	}
	first := root(market.Denom(), market.Num())
	second := root(market.Num(), market.Denom())
	first.Sub(first, curve.offset[0])
	second.Sub(second, curve.offset[1])
	if first.Sign() <= 0 || second.Sign() <= 0 || !first.IsUint64() || !second.IsUint64() {
		return false // the market's price lies outside the range
	}
	p.Reserves = [2]uint64{first.Uint64(), second.Uint64()}
	return true
}
