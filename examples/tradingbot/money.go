package main

import (
	"math/big"

	"github.com/walletfi/walletfi-go"
)

// decimals writes units as a number of whole tokens with the given digits after the
// point, rounded towards zero.
func decimals(units int64, of, digits int) string {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(of-digits)), nil)
	n := new(big.Int).Quo(big.NewInt(units), scale)
	sign := ""
	if n.Sign() < 0 {
		sign = "-"
	}
	return sign + fixed(walletfi.Amount(n.Abs(n).Uint64()), digits)
}

// fixed writes an amount with all its digits.
func fixed(n walletfi.Amount, digits int) string {
	text := n.String()
	for len(text) <= digits {
		text = "0" + text
	}
	return text[:len(text)-digits] + "." + text[len(text)-digits:]
}

// dollars writes smallest units of USDC to the cent.
func dollars(n int64) string { return decimals(n, usdcDecimals, 2) }

// signed is dollars with a sign.
func signed(n int64) string {
	if n < 0 {
		return dollars(n)
	}
	return "+" + dollars(n)
}

// sol writes lamports.
func sol(lamports int64) string { return decimals(lamports, solDecimals, 6) }
