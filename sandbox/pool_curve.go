package sandbox

import "math/big"

// poolCurve prices a pool: reserves are what it holds, side is the token that
// comes in. Amounts are without any fee. False means that the pool has not got
// it.
type poolCurve interface {
	// out is what is paid for in, rounded down.
	out(reserves [2]uint64, side int, in uint64) (uint64, bool)
	// in is the least for which out is paid.
	in(reserves [2]uint64, side int, out uint64) (uint64, bool)
	// spot is what the smallest trade would pay for one.
	spot(reserves [2]uint64, side int) float64
}

// poolProduct keeps x*y=k, where each side counts for what it holds and an
// offset: liquidity in a range, or a curve that began before the first trade.
type poolProduct struct{ offset [2]*big.Int }

// sides are what the two sides count for, that which comes in first.
func (c poolProduct) sides(reserves [2]uint64, side int) (x, y *big.Int) {
	x = new(big.Int).SetUint64(reserves[side])
	y = new(big.Int).SetUint64(reserves[1-side])
	return x.Add(x, c.offset[side]), y.Add(y, c.offset[1-side])
}

func (c poolProduct) out(reserves [2]uint64, side int, in uint64) (uint64, bool) {
	x, y := c.sides(reserves, side)
	n := new(big.Int).SetUint64(in)
	y.Mul(y, n).Quo(y, x.Add(x, n))
	return y.Uint64(), y.IsUint64() && y.Uint64() <= reserves[1-side]
}

func (c poolProduct) in(reserves [2]uint64, side int, out uint64) (uint64, bool) {
	x, y := c.sides(reserves, side)
	n := new(big.Int).SetUint64(out)
	if out > reserves[1-side] || y.Cmp(n) <= 0 {
		return 0, false
	}
	in := poolQuoUp(x.Mul(x, n), y.Sub(y, n))
	return in.Uint64(), in.IsUint64()
}

func (c poolProduct) spot(reserves [2]uint64, side int) float64 {
	x, y := c.sides(reserves, side)
	r, _ := new(big.Rat).SetFrac(y, x).Float64()
	return r
}

// poolQuoUp divides and rounds up.
func poolQuoUp(a, b *big.Int) *big.Int {
	a.Add(a, b).Sub(a, big.NewInt(1))
	return a.Quo(a, b)
}
