package main

import (
	"fmt"

	"github.com/walletfi/walletfi-go"
)

// limits bound what the bot may lose. All are in smallest units of USDC.
type limits struct {
	order     walletfi.Amount // of one purchase
	exposure  walletfi.Amount // of all positions and open purchases
	dailyLoss int64           // after which nothing is opened until the next day
	totalLoss int64           // after which everything is closed and the bot ends
	reserve   walletfi.Amount // lamports that are kept for fees
}

func newLimits() limits {
	return limits{
		order:     300_000_000,
		exposure:  1_500_000_000,
		dailyLoss: 150_000_000,
		totalLoss: 600_000_000,
		reserve:   1_000_000_000,
	}
}

// opens says why an order may not open a position, empty if it may.
func (l limits) opens(b *book, o order, today int64) string {
	switch {
	case o.Amount > l.order:
		return fmt.Sprintf("an order is at most %s USDC", l.order.UI(usdcDecimals))
	case b.exposure()+o.Amount > l.exposure:
		return fmt.Sprintf("the exposure is at most %s USDC", l.exposure.UI(usdcDecimals))
	case b.holds.Tokens[b.usdc] < o.Amount:
		return "too little USDC"
	case b.holds.Lamports < l.reserve:
		return "too little SOL for fees"
	case today <= -l.dailyLoss:
		return "the day's loss is at its limit"
	}
	return ""
}
