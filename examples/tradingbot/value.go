package main

import (
	"math/big"

	"github.com/walletfi/walletfi-go"
)

const (
	usdcDecimals = 6
	solDecimals  = 9
)

// worth returns the value of units of a token with these decimals at a price, in
// smallest units of USDC, rounded down. Exact: prices are decimals.
func worth(units walletfi.Amount, price walletfi.Decimal, decimals int) int64 {
	if price.IsZero() {
		return 0
	}
	value := new(big.Rat).SetInt(new(big.Int).SetUint64(uint64(units)))
	value.Mul(value, price.Rat())
	ten := func(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
	value.Mul(value, new(big.Rat).SetFrac(ten(usdcDecimals), ten(decimals)))
	return new(big.Int).Quo(value.Num(), value.Denom()).Int64()
}

// equity is the value of the bot's USDC and its positions, less what was
// paid in lamports for fees, tips and rents. The SOL that the wallet had at the start
// is not in it, so that its price does not count as profit. An open order has changed
// nothing yet.
func (b *book) equity(p prices) int64 {
	sum := int64(b.holds.Tokens[b.usdc])
	for name, held := range b.positions {
		sum += worth(held.Units, p[name], b.known[name].Decimals)
	}
	return sum - worth(b.fees+b.tips, p["SOL"], solDecimals) - worth(walletfi.Amount(max(b.rents, 0)),
		p["SOL"], solDecimals)
}

// exposure is the price paid for all positions, and the most that open purchases may pay.
func (b *book) exposure() (sum walletfi.Amount) {
	for _, p := range b.positions {
		sum += p.Cost
	}
	for _, o := range b.pending {
		if o.Side == buy {
			sum += o.Amount
		}
	}
	return sum
}

// busy reports whether an order of an instrument is not settled.
func (b *book) busy(name string) bool {
	for _, o := range b.pending {
		if o.Instrument == name {
			return true
		}
	}
	return false
}
