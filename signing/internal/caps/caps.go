// Package caps assigns amounts that leave a wallet to the caps of an intent:
// spend, burn and the two rents add up; of the tip and of the service's fee a
// transaction has one each, and both add up over a set. An amount that may
// count as several is tried as each, so that an honest transaction fits
// whatever its order.
package caps

import (
	"math"
	"math/bits"
	"slices"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

// Bucket is a class of amounts. Each has a cap of its own.
type Bucket uint8

// The buckets.
const (
	Spend Bucket = 1 << iota
	Tip
	Fee
	Rent
	Burn
	ForeignRent
)

// Limit is the most of one mint.
type Limit struct {
	Mint txwire.Key
	Most uint64
}

// Most returns the limit of a mint, 0 if there is no entry.
func Most(limits []Limit, mint txwire.Key) uint64 {
	if i := indexOf(limits, mint); i >= 0 {
		return limits[i].Most
	}
	return 0
}

func indexOf(limits []Limit, mint txwire.Key) int {
	return slices.IndexFunc(limits, func(l Limit) bool { return l.Mint == mint })
}

// Caps are the caps of an intent.
type Caps struct {
	Spend, Fee, Burn []Limit
	Tip              uint64 // lamports, as the rents
	Rent             uint64
	ForeignRent      uint64
}

// Item is an amount that leaves.
type Item struct {
	Mint   txwire.Key
	Amount uint64
	May    Bucket // what it may count as
	As     Bucket // what it counts as
	was    Bucket // before it was chosen as a tip or a fee
	sum    int    // in which it counts without that, as sumOf says
	fee    int    // its mint's in Caps.Fee, -1 without one
}

// Add adds without overflow: past 64 bits it stays at the most.
func Add[T ~uint64](a, b T) T {
	return a + min(b, math.MaxUint64-a)
}

// Sum is a sum of amounts, of 128 bits.
type Sum struct{ high, low uint64 }

// Plus adds n.
func (s Sum) Plus(n uint64) Sum {
	low, carry := bits.Add64(s.low, n, 0)
	return Sum{s.high + carry, low}
}

// And adds another sum.
func (s Sum) And(t Sum) Sum {
	low, carry := bits.Add64(s.low, t.low, 0)
	return Sum{s.high + t.high + carry, low}
}

func (s Sum) minus(n uint64) Sum {
	low, borrow := bits.Sub64(s.low, n, 0)
	return Sum{s.high - borrow, low}
}

// Exceeds reports whether the sum is more than n.
func (s Sum) Exceeds(n uint64) bool { return s.high > 0 || s.low > n }

// Low returns the sum's lower 64 bits.
func (s Sum) Low() uint64 { return s.low }

// Over is by how much s exceeds t, 0 if it does not, saturated.
func (s Sum) Over(t Sum) uint64 {
	low, borrow := bits.Sub64(s.low, t.low, 0)
	high, borrow := bits.Sub64(s.high, t.high, borrow)
	switch {
	case borrow != 0:
		return 0
	case high != 0:
		return ^uint64(0)
	}
	return low
}
