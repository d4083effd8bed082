package walletfi

import (
	"bytes"
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
