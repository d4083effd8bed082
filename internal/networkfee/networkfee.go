// Package networkfee bounds the network fee that a request's priority fee
// allows, for the intents of the builders.
package networkfee

import (
	"math"
	"math/bits"

	"github.com/walletfi/walletfi-go"
)

// Cap returns the most that a transaction costs at a price of microLamports per
// compute unit: the priority fee of 1,400,000 units, the runtime's maximum, and
// the base fee of four signatures.
func Cap(microLamports uint64) walletfi.Amount {
	const maxUnits, baseFee = 1_400_000, 4 * 5_000
	high, low := bits.Mul64(microLamports, maxUnits)
	if high >= 1_000_000 {
		return math.MaxUint64
	}
	fee, rest := bits.Div64(high, low, 1_000_000)
	if rest > 0 {
		fee++
	}
	if fee > math.MaxUint64-baseFee {
		return math.MaxUint64
	}
	return walletfi.Amount(fee + baseFee)
}

// Times returns the cap of n transactions.
func Times(fee walletfi.Amount, n int) walletfi.Amount {
	high, low := bits.Mul64(uint64(fee), uint64(max(n, 0)))
	if high > 0 {
		return math.MaxUint64
	}
	return walletfi.Amount(low)
}
