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

// Stable is the curve of two tokens that should be worth the same and have
// the same decimals: nearly a constant sum while the pool is balanced, a
// constant product at its ends. The amplification says how near.
//
// If the worth of a token is set, an amount counts for that much: a pool of
// tokens that are not worth the same trades them at their worth.
type Stable struct {
	amplification int64
	worth         [2]uint64
}

// counted returns the worth of an amount of a side.
func (c Stable) counted(side int, amount uint64) *big.Int {
	n := new(big.Int).SetUint64(amount)
	return n.Mul(n, new(big.Int).SetUint64(max(c.worth[side], 1)))
}

// Invariant is D, which solves 4A(x+y) + D = 4AD + D^3/(4xy), by Newton.
func (c Stable) Invariant(x, y *big.Int) *big.Int {
	sum := new(big.Int).Add(x, y)
	if x.Sign() == 0 || y.Sign() == 0 {
		return new(big.Int)
	}
	ann := big.NewInt(4 * c.amplification)
	d := new(big.Int).Set(sum)
	for range 255 {
		dp := new(big.Int).Mul(d, d)
		dp.Mul(dp, d).Quo(dp, new(big.Int).Mul(big.NewInt(4), new(big.Int).Mul(x, y)))
		above := new(big.Int).Mul(ann, sum)
		above.Add(above, new(big.Int).Lsh(dp, 1)).Mul(above, d)
		below := new(big.Int).Mul(new(big.Int).Sub(ann, big.NewInt(1)), d)
		below.Add(below, new(big.Int).Mul(big.NewInt(3), dp))
		next := above.Quo(above, below)
		if new(big.Int).Sub(next, d).CmpAbs(big.NewInt(1)) <= 0 {
			return next
		}
		d = next
	}
	return d
}

// other returns the other side's amount if one side holds x, rounded up.
func (c Stable) other(x, d *big.Int) *big.Int {
	ann := big.NewInt(4 * c.amplification)
	third := new(big.Int).Mul(d, d)
	third.Mul(third, d).Quo(third, new(big.Int).Mul(new(big.Int).Lsh(x, 2), ann))
	b := new(big.Int).Quo(d, ann)
	b.Add(b, x)
	y := new(big.Int).Set(d)
	for range 255 {
		above := new(big.Int).Mul(y, y)
		above.Add(above, third)
		below := new(big.Int).Lsh(y, 1)
		below.Add(below, b).Sub(below, d)
		next := quoUp(above, below)
		if new(big.Int).Sub(next, y).CmpAbs(big.NewInt(1)) <= 0 {
			return next.Add(next, big.NewInt(1))
		}
		y = next
	}
	return y
}

func (c Stable) out(reserves [2]uint64, side int, in uint64) (uint64, bool) {
	x, y := c.counted(side, reserves[side]), c.counted(1-side, reserves[1-side])
	d := c.Invariant(x, y)
	if d.Sign() == 0 {
		return 0, false
	}
	left := c.other(x.Add(x, c.counted(side, in)), d)
	if left.Cmp(y) >= 0 {
		return 0, true
	}
	return y.Sub(y, left).Quo(y, c.counted(1-side, 1)).Uint64(), true
}

// in starts from the curve and then looks for the least that does, since the
// two roundings need not meet.
func (c Stable) in(reserves [2]uint64, side int, out uint64) (uint64, bool) {
	if out >= reserves[1-side] {
		return 0, false
	}
	x, y := c.counted(side, reserves[side]), c.counted(1-side, reserves[1-side])
	n := c.other(new(big.Int).Sub(y, c.counted(1-side, out)), c.Invariant(x, y))
	n.Sub(n, x).Quo(n, c.counted(side, 1))
	if n.Sign() < 0 || !n.IsUint64() {
		return 0, false
	}
	in := n.Uint64()
	enough := func(in uint64) bool {
		got, ok := c.out(reserves, side, in)
		return ok && got >= out
	}
	for in > 0 && enough(in-1) {
		in--
	}
	for !enough(in) {
		in++
	}
	return in, true
}

// Spot is measured with a millionth of what the pool holds.
func (c Stable) Spot(reserves [2]uint64, side int) float64 {
	probe := max(reserves[side]/1_000_000, 1)
	out, _ := c.out(reserves, side, probe)
	return float64(out) / float64(probe)
}
