// Package slippage bounds the estimated side of a trade by the quoted amount
// and the tolerance that was asked for, so that a bound in the answer can be
// made stricter and never looser.
package slippage

import (
	"math"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/portion"
)

// Whole is 100 % in basis points.
const Whole = 10_000

// Least returns the smallest output of a trade: quoted less s basis points, 0 to
// 10,000, rounded down. It is 0, no bound, if s is not a number.
func Least(quoted walletfi.Amount, s walletfi.Slippage) walletfi.Amount {
	bps, fixed := s.Bps()
	if !fixed {
		return 0
	}
	return portion.Down(quoted, Whole-uint64(min(max(bps, 0), Whole)), Whole)
}

// Most returns the largest input of a trade: quoted and s basis points more,
// rounded up, at most 2^64-1. It is 2^64-1, no bound, if s is not a number.
func Most(quoted walletfi.Amount, s walletfi.Slippage) walletfi.Amount {
	bps, fixed := s.Bps()
	if !fixed {
		return math.MaxUint64
	}
	return portion.Up(quoted, Whole+uint64(max(bps, 0)), Whole)
}
