// Package networkfee bounds the network fee that a request's priority fee
// allows, for the intents of the builders.
package networkfee

import (
	"math"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/portion"
)

// Cap returns the most that a transaction costs at a price of microLamports per
// compute unit: the priority fee and the base fee of four signatures.
func Cap(microLamports uint64) walletfi.Amount {
	const baseFee = 4 * 5_000
	fee := Priority(microLamports)
	return fee + min(baseFee, math.MaxUint64-fee)
}

// Priority returns the most that a priority fee is at a price of microLamports per
// compute unit: that of 1,400,000 units, the runtime's maximum.
func Priority(microLamports uint64) walletfi.Amount {
	return portion.Up(walletfi.Amount(microLamports), 1_400_000, 1_000_000)
}

// Times returns the cap of n transactions.
func Times(fee walletfi.Amount, n int) walletfi.Amount {
	return portion.Up(fee, uint64(max(n, 0)), 1)
}
