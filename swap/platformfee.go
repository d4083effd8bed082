package swap

import (
	"math"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/portion"
)

// PlatformFeeMode is the token in which the platform fee is taken.
type PlatformFeeMode string

// The platform fee modes, a closed set.
const (
	FeeInInputMint  PlatformFeeMode = "inputMint"
	FeeInOutputMint PlatformFeeMode = "outputMint"
)

// PlatformFee is the platform fee of a quote.
type PlatformFee struct {
	Amount walletfi.Amount `json:"amount" wire:"said"` // smallest units; the documentation does not say of which mint
	FeeBps int             `json:"feeBps" wire:"said,min=0,max=10000"`
}

// trade is the input of a trade and its expected output.
type trade struct {
	in  walletfi.Asset
	out walletfi.Asset  // as quoted
	min walletfi.Amount // least output
}

// platformFee returns the largest fee that bps allows, one asset for each mint
// in which the fee may be taken. If the mode is unknown, the fee may be taken
// in either mint.
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

// after returns the minimum output after fees.
func (t trade) after(fees []walletfi.Asset) walletfi.Amount {
	amount := t.min
	for _, fee := range fees {
		if fee.Mint == t.out.Mint {
			amount -= min(amount, fee.Amount)
		}
	}
	return amount
}

// least is after as the entry of an intent, none if it is 0.
func (t trade) least(fees []walletfi.Asset) []walletfi.Asset {
	amount := t.after(fees)
	if amount == 0 {
		return nil
	}
	return []walletfi.Asset{{Mint: t.out.Mint, Amount: amount}}
}

// share returns amount times bps / 10,000, rounded up.
func share(amount walletfi.Amount, bps int) walletfi.Amount {
	return portion.Up(amount, uint64(max(bps, 0)), maxBps)
}

// surplusShare returns the largest part of the positive slippage that the user
// may give away. The positive slippage is not known in advance. The tolerance
// for negative slippage serves as its bound.
func (t trade) surplusShare(bps int) walletfi.Asset {
	room := t.out.Amount - min(t.min, t.out.Amount)
	return walletfi.Asset{Mint: t.out.Mint, Amount: share(room, bps)}
}

// add adds more to a list of fees that holds each mint once.
func add(fees []walletfi.Asset, more walletfi.Asset) []walletfi.Asset {
	if more.Amount == 0 {
		return fees
	}
	for i := range fees {
		if fees[i].Mint == more.Mint {
			fees[i].Amount += min(more.Amount, math.MaxUint64-fees[i].Amount)
			return fees
		}
	}
	return append(fees, more)
}
