package market

import (
	"math"
	"math/big"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
)

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
