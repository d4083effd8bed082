package walletfi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Amount counts a token's smallest unit: lamports for SOL, 10^-6 USDC for
// USDC. It holds every value from 0 to 2^64-1 exactly.
//
// It marshals to digits in quotes; a request writes bare ones where the service wants
// a number. It unmarshals from an integer, bare or quoted. A
// fraction, an exponent, a sign or a value above 2^64-1 is an error, never a
// rounded amount.
type Amount uint64

// ParseAmount converts a quantity as a person writes it, such as "1.5", of a
// token with the given decimals. More fraction digits than the token has are an
// error unless they are zeros: an amount is never rounded.
func ParseAmount(ui string, decimals int) (Amount, error) {
	if decimals < 0 || decimals > 255 {
		return 0, &ValidationError{Field: "decimals", Problem: "must be 0 to 255"}
	}
	whole, fraction, _ := strings.Cut(ui, ".")
	if whole == "" && fraction == "" || !allDigits(whole) || !allDigits(fraction) {
		return 0, &ValidationError{Field: "amount", Problem: fmt.Sprintf("%.40q is not a decimal number", ui)}
	}
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > decimals {
		return 0, &ValidationError{Field: "amount", Problem: fmt.Sprintf("%.40q has more than %d decimals", ui, decimals)}
	}
	digits := strings.TrimLeft(whole+fraction+strings.Repeat("0", decimals-len(fraction)), "0")
	if digits == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, &ValidationError{Field: "amount", Problem: fmt.Sprintf("%.40q is more than 2^64-1 smallest units", ui)}
	}
	return Amount(n), nil
}

// UI returns the amount as a person reads it, for a token with the given
// decimals and without trailing zeros: Amount(1500000).UI(6) is "1.5".
func (a Amount) UI(decimals int) string {
	digits := strconv.FormatUint(uint64(a), 10)
	if decimals <= 0 {
		return digits
	}
	if len(digits) <= decimals {
		digits = strings.Repeat("0", decimals-len(digits)+1) + digits
	}
	whole, fraction := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// String returns the amount in smallest units.
func (a Amount) String() string { return strconv.FormatUint(uint64(a), 10) }

// MarshalJSON writes the digits in quotes, because JavaScript rounds a number above
// 2^53.
func (a Amount) MarshalJSON() ([]byte, error) {
	return append(strconv.AppendUint([]byte{'"'}, uint64(a), 10), '"'), nil
}

// UnmarshalJSON reads an integer, bare or quoted. A null leaves the amount
// as it is.
func (a *Amount) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	text := unquoted(b)
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || !allDigits(string(text)) {
		return fmt.Errorf("walletfi: %.40q is not an amount in smallest units", text)
	}
	*a = Amount(n)
	return nil
}

// unquoted removes the quotes of a JSON string of plain characters and returns
// any other text unchanged.
func unquoted(b []byte) []byte {
	if len(b) >= 2 && b[0] == '"' && b[len(b)-1] == '"' {
		return b[1 : len(b)-1]
	}
	return b
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Mints tells the decimals and symbols of mints. rpcnode's Client and Pool read the decimals
// from the chain, onchaindata.Mints asks that service, a [MintList] is the program's own, and
// [NamedMints] takes the decimals of one and the symbols of another.
type Mints interface {
	// Mint returns the mint at an address, base58. If there is none, the error is
	// [ErrNotFound].
	Mint(ctx context.Context, address string) (Mint, error)
}

// Mint is the mint of a token.
type Mint struct {
	Address string `json:"address"` // base58; it alone says which token it is
	// Decimals are 0 to 255. The mint's account states them, and they never change.
	Decimals int `json:"decimals"`
	// Proven says that they were read in that account, as a node showed it. Else a list or a
	// service says so.
	Proven bool `json:"proven,omitempty"`
	// Symbol is the name that a list or a service gives the token, empty if it has none. Anyone can
	// make a mint with the symbol of another: see Text.
	Symbol string `json:"symbol,omitempty"`
}

// Parse converts a quantity of the token as a person writes it: see [ParseAmount].
func (m Mint) Parse(ui string) (Amount, error) { return ParseAmount(ui, m.Decimals) }

// Text writes an amount of the token for people, with the mint behind the symbol:
// "25.5 USDC (EPjF...)", or "25.5 of EPjF..." without one.
func (m Mint) Text(a Amount) string {
	if m.Symbol == "" {
		return a.UI(m.Decimals) + " of " + m.Address
	}
	return fmt.Sprintf("%s %s (%s)", a.UI(m.Decimals), m.Symbol, m.Address)
}

// MintList is a [Mints] of the program's own. Its mints count as not proven.
type MintList []Mint

// Mint implements [Mints].
func (l MintList) Mint(_ context.Context, address string) (Mint, error) {
	for _, m := range l {
		if m.Address == address {
			m.Proven = false
			return m, nil
		}
	}
	return Mint{}, fmt.Errorf("%w: mint %s is not in the list", ErrNotFound, address)
}

// NamedMints is a [Mints] with the decimals of Chain, such as rpcnode's Client, and the symbols
// of Names, where that has them. If they state different decimals, the error is [ErrMismatch]:
// what Names calls so is another token.
type NamedMints struct{ Chain, Names Mints }

// Mint implements [Mints].
func (n NamedMints) Mint(ctx context.Context, address string) (Mint, error) {
	m, err := n.Chain.Mint(ctx, address)
	if err != nil {
		return Mint{}, err
	}
	named, err := n.Names.Mint(ctx, address)
	switch {
	case errors.Is(err, ErrNotFound):
		return m, nil
	case err != nil:
		return Mint{}, err
	case named.Address != m.Address || named.Decimals != m.Decimals:
		return Mint{}, fmt.Errorf("%w: mint %s has %d decimals, not the %d of its name", ErrMismatch,
			address, m.Decimals, named.Decimals)
	}
	m.Symbol = named.Symbol
	return m, nil
}
