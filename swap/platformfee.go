package swap

import (
	"math"
	"math/bits"

	"github.com/walletfi/walletfi-go"
)

// PlatformFeeMode says of which token the platform fee is taken.
type PlatformFeeMode string

// The platform fee modes, a closed set.
const (
	FeeInInputMint  PlatformFeeMode = "inputMint"
	FeeInOutputMint PlatformFeeMode = "outputMint"
)

// PlatformFee is the fee that a quote reckons with.
type PlatformFee struct {
	Amount walletfi.Amount `json:"amount"` // smallest units; of which mint is not said
	FeeBps int             `json:"feeBps"`
}

// trade is what goes in and what should come out.
type trade struct {
	in  walletfi.Asset
	out walletfi.Asset // as quoted
	min walletfi.Amount
}

// platformFee is the most that a fee of bps may take of the trade, an asset
// for each mint that it may be taken of. Where the mode is not known, that is
// either.
func (t trade) platformFee(bps int, mode PlatformFeeMode) []walletfi.Asset {
	var fees []walletfi.Asset
	for _, side := range []struct {
		asset walletfi.Asset
		other PlatformFeeMode
	}{{t.in, FeeInOutputMint}, {t.out, FeeInInputMint}} {
		if fee := share(side.asset.Amount, bps); fee > 0 && mode != side.other {
			fees = append(fees, walletfi.Asset{Mint: side.asset.Mint, Amount: fee})
		}
	}
	return fees
}

// least is what should arrive when fees were taken of it.
func (t trade) least(fees []walletfi.Asset) []walletfi.Asset {
	amount := t.min
	for _, fee := range fees {
		if fee.Mint == t.out.Mint {
			amount -= min(amount, fee.Amount)
		}
	}
	if amount == 0 {
		return nil
	}
	return []walletfi.Asset{{Mint: t.out.Mint, Amount: amount}}
}

// share is amount times bps / 10,000, rounded up.
func share(amount walletfi.Amount, bps int) walletfi.Amount {
	if bps <= 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(amount), uint64(bps))
	if high >= maxBps {
		return math.MaxUint64
	}
	quotient, rest := bits.Div64(high, low, maxBps)
	if rest > 0 && quotient < math.MaxUint64 {
		quotient++
	}
	return walletfi.Amount(quotient)
}

// surplusShare is the most of what the trade brings beyond its quote that is
// given away. How much that is nobody knows beforehand; it is bounded by the
// room that slippage has on the other side of the quote.
func (t trade) surplusShare(bps int) walletfi.Asset {
	room := t.out.Amount - min(t.min, t.out.Amount)
	return walletfi.Asset{Mint: t.out.Mint, Amount: share(room, bps)}
}

// add puts an asset with its like in a list of fees.
func add(fees []walletfi.Asset, more walletfi.Asset) []walletfi.Asset {
	if more.Amount == 0 {
		return fees
	}
	for i := range fees {
		if fees[i].Mint == more.Mint {
			sum := fees[i].Amount + more.Amount
			if sum < more.Amount {
				sum = ^walletfi.Amount(0)
			}
			fees[i].Amount = sum
			return fees
		}
	}
	return append(fees, more)
}
