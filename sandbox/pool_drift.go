package sandbox

import (
	"math"
	"math/big"
)

// poolMostDrift is how many minutes of the past are worth carrying out: what
// came before is forgotten by then.
const poolMostDrift = 24 * 60

// drift lets the market do what it has done since somebody last looked: once a
// minute others trade each pool back to the market's price, which goes up and
// down, and the volume that raised a fee halves.
func (b *poolBook) drift() {
	now := int64(b.now().Sub(b.chain.start) / poolMinute)
	b.minute = max(b.minute, now-poolMostDrift)
	for ; b.minute < now; b.minute++ {
		for _, p := range b.pools {
			p.volume /= 2
			p.arbitrage((b.minute + 1) * int64(poolMinute.Seconds()))
		}
	}
}

// poolWave is how far the market moves about its middle, millionths.
const poolWave = 3000

// market is the price of token 0 in token 1, smallest units, at a time: about
// what the tokens are worth.
func (p *pool) market(seconds int64) *big.Rat {
	wave := int64(math.Round(poolWave * math.Sin(float64(seconds+p.phase)/1800)))
	price := new(big.Rat).SetFrac(
		new(big.Int).Mul(new(big.Int).SetUint64(p.tokens[0].price), tenTo(p.tokens[1].Decimals)),
		new(big.Int).Mul(new(big.Int).SetUint64(p.tokens[1].price), tenTo(p.tokens[0].Decimals)))
	return price.Mul(price, big.NewRat(1_000_000+wave, 1_000_000))
}

// arbitrage trades the pool to the market's price, where the difference is more
// than its fee. The product of its sides never falls by it.
func (p *pool) arbitrage(seconds int64) {
	curve, ok := p.curve.(poolProduct)
	if !ok {
		return
	}
	market := p.market(seconds)
	want, _ := market.Float64()
	if off := p.curve.spot(p.reserves, 0)/want - 1; math.Abs(off)*1e6 <= float64(p.feeRate()) {
		return
	}
	x, y := curve.sides(p.reserves, 0)
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
		return // the market's price lies outside the range
	}
	p.reserves = [2]uint64{first.Uint64(), second.Uint64()}
}
