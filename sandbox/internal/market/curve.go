package market

import "math/big"

// curve prices a pool: reserves are what it holds, side is the token that comes
// in. Amounts are without any fee. False means that the pool holds too little.
type curve interface {
	// out returns what the pool pays for in, rounded down.
	out(reserves [2]uint64, side int, in uint64) (uint64, bool)
	// in returns the smallest input for which the pool pays out.
	in(reserves [2]uint64, side int, out uint64) (uint64, bool)
	// Spot is the price for one in the smallest trade.
	Spot(reserves [2]uint64, side int) float64
}

// Product keeps x*y=k, where each side counts for what it holds and an
// offset: liquidity in a range, or a curve that began before the first trade.
type Product struct{ offset [2]*big.Int }

// Sides are what the two sides count for, that which comes in first.
func (c Product) Sides(reserves [2]uint64, side int) (x, y *big.Int) {
	x = new(big.Int).SetUint64(reserves[side])
	y = new(big.Int).SetUint64(reserves[1-side])
	return x.Add(x, c.offset[side]), y.Add(y, c.offset[1-side])
}

func (c Product) out(reserves [2]uint64, side int, in uint64) (uint64, bool) {
	x, y := c.Sides(reserves, side)
	n := new(big.Int).SetUint64(in)
	y.Mul(y, n).Quo(y, x.Add(x, n))
	return y.Uint64(), y.IsUint64() && y.Uint64() <= reserves[1-side]
}

func (c Product) in(reserves [2]uint64, side int, out uint64) (uint64, bool) {
	x, y := c.Sides(reserves, side)
	n := new(big.Int).SetUint64(out)
	if out > reserves[1-side] || y.Cmp(n) <= 0 {
		return 0, false
	}
	in := quoUp(x.Mul(x, n), y.Sub(y, n))
	return in.Uint64(), in.IsUint64()
}

// Spot is the price of one unit of a side in the other.
func (c Product) Spot(reserves [2]uint64, side int) float64 {
	x, y := c.Sides(reserves, side)
	r, _ := new(big.Rat).SetFrac(y, x).Float64()
	return r
}

// quoUp divides and rounds up.
func quoUp(a, b *big.Int) *big.Int {
	a.Add(a, b).Sub(a, big.NewInt(1))
	return a.Quo(a, b)
}
