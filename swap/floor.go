package swap

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/slippage"
)

// tolerance is that which a floor is held to: the request's, or the answer's if the
// request leaves it to the service. In an answer, 0 may mean no number.
func tolerance(asked, answered walletfi.Slippage) walletfi.Slippage {
	if _, fixed := asked.Bps(); fixed {
		return asked
	}
	if bps, _ := answered.Bps(); bps > 0 {
		return answered
	}
	return walletfi.Slippage{}
}

// held holds the floors of an answer against t.min after fees. Only a tolerance that the
// request states may allow a floor of 0.
func (t trade) held(asked walletfi.Slippage, quoted string, fees []walletfi.Asset, floors ...slippage.Stated) error {
	least := t.after(fees)
	if _, fixed := asked.Bps(); !fixed {
		least = max(least, 1)
	}
	return slippage.Floors(slippage.Stated{Field: quoted, Amount: t.out.Amount}, least, floors...)
}

// floors holds the two floors of a quote.
func (a *askedFor) floors(q *Quote) error {
	t := trade{
		in:  walletfi.Asset{Mint: a.InputMint, Amount: a.Amount},
		out: walletfi.Asset{Mint: a.OutputMint, Amount: q.OutAmount},
		min: slippage.Least(q.OutAmount, tolerance(a.Slippage, q.Slippage)),
	}
	var fees []walletfi.Asset
	if a.PlatformFeeBps != nil {
		fees = t.platformFee(*a.PlatformFeeBps, a.PlatformFeeMode)
	}
	return t.held(a.Slippage, "outAmount", fees,
		slippage.Stated{Field: "minOutAmount", Amount: q.MinOutAmount},
		slippage.Stated{Field: "otherAmountThreshold", Amount: q.OtherAmountThreshold},
	)
}

// trade returns the trade of an order with the least that the request allows, and the
// largest platform fee.
func (r OrderRequest) trade(quote *OrderQuote) (trade, []walletfi.Asset) {
	t := trade{
		in:  walletfi.Asset{Mint: r.InputMint, Amount: r.Amount},
		out: walletfi.Asset{Mint: r.OutputMint, Amount: quote.OutAmount},
		min: r.least(quote.OutAmount),
	}
	if r.PlatformFeeBps == nil {
		return t, nil
	}
	return t, t.platformFee(*r.PlatformFeeBps, "")
}

// floor holds the floor of an order, whatever its mode.
func (r OrderRequest) floor(quote *OrderQuote) error {
	t, fees := r.trade(quote)
	return t.held(r.Slippage, "outAmount", fees,
		slippage.Stated{Field: "minOutAmount", Amount: quote.MinOutAmount})
}

// trade returns the trade of an intent with the least that the request allows.
func (r IntentRequest) trade(i *BuiltIntent) trade {
	return trade{
		in:  walletfi.Asset{Mint: r.InputMint, Amount: r.Amount},
		out: walletfi.Asset{Mint: r.OutputMint, Amount: i.EstimatedOutAmount},
		min: slippage.Least(i.EstimatedOutAmount, tolerance(r.Slippage, i.Slippage)),
	}
}

// floor holds what an intent guarantees.
func (r IntentRequest) floor(i *BuiltIntent) error {
	return r.trade(i).held(r.Slippage, "estimatedOutAmount", nil,
		slippage.Stated{Field: "guaranteedOutAmount", Amount: i.GuaranteedOutAmount})
}
