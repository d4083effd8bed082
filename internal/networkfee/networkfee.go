// Package networkfee bounds the network fee that a request's priority fee
// allows, for the intents of the builders.
package networkfee

import (
	"math"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/portion"
)

// Cap returns the most that a transaction costs at a price of microLamports per
// compute unit: the priority fee of 1,400,000 units, the runtime's maximum, and
// the base fee of four signatures.
func Cap(microLamports uint64) walletfi.Amount {
	const maxUnits, baseFee = 1_400_000, 4 * 5_000
	fee := portion.Up(walletfi.Amount(microLamports), maxUnits, 1_000_000)
	return fee + min(baseFee, math.MaxUint64-fee)
}

// Times returns the cap of n transactions.
func Times(fee walletfi.Amount, n int) walletfi.Amount {
	return portion.Up(fee, uint64(max(n, 0)), 1)
}
