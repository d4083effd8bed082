// Package portion takes a part of an amount without overflow.
package portion

import (
	"math"
	"math/bits"
)

// Up returns amount x part / whole, rounded up, at most 2^64-1, which it also is if whole is 0.
func Up[T ~uint64](amount T, part, whole uint64) T {
	quotient, rest := of(uint64(amount), part, whole)
	if rest > 0 && quotient < math.MaxUint64 {
		quotient++
	}
	return T(quotient)
}

// Down is Up, rounded down.
func Down[T ~uint64](amount T, part, whole uint64) T {
	quotient, _ := of(uint64(amount), part, whole)
	return T(quotient)
}

func of(amount, part, whole uint64) (quotient, rest uint64) {
	high, low := bits.Mul64(amount, part)
	if high >= whole {
		return math.MaxUint64, 0
	}
	return bits.Div64(high, low, whole)
}
