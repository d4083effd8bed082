package market

import "math/big"

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
