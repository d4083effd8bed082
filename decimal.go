package walletfi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/walletfi/walletfi-go/internal/number"
)

// Decimal is a price, ratio, percentage or balance exactly as the service wrote
// it: it keeps the digits, so a float loses nothing. The zero value means that
// the service sent null or nothing.
//
// A client keeps the text of what is no number, such as "50%". It is not [Decimal.Valid],
// nor is a number of more than 1,000 digits or with an exponent beyond 400 or -400:
// 1e1000000000 is twelve bytes of text and half a gigabyte of integer.
type Decimal struct{ text string }

// NewDecimal returns the Decimal of a text that is a JSON number ("1.50", "-3",
// "2e-9").
func NewDecimal(text string) (Decimal, error) {
	if !isNumber(text) {
		return Decimal{}, fmt.Errorf("walletfi: %.40q is not a decimal number", text)
	}
	return Decimal{text}, nil
}

// MustDecimal is [NewDecimal] for a constant of the program: it panics if text is
// not a number.
func MustDecimal(text string) Decimal {
	d, err := NewDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// IsZero reports whether the service sent no value. It is false for a value of
// 0: see [Decimal.Sign].
func (d Decimal) IsZero() bool { return d.text == "" }

// Valid reports whether d is a number within the bounds of [Decimal]. The zero value is
// not valid.
func (d Decimal) Valid() bool { return number.Valid(d.text) }

// String returns the text as it came; it is empty for the zero value.
func (d Decimal) String() string { return d.text }

// Plain returns the value without an exponent, as requests have it. It is empty
// for the zero value, and for a value that takes more than 1,000 digits.
func (d Decimal) Plain() string { return number.Plain(d.text) }

// Add returns d + e. Arithmetic is exact. It gives the zero Decimal, which has no
// value, if an operand has none, and if an operand or the result takes more than
// 1,000 digits: check the result with [Decimal.IsZero].
func (d Decimal) Add(e Decimal) Decimal { return Decimal{number.Add(d.text, e.text)} }

// Sub returns d - e; see [Decimal.Add].
func (d Decimal) Sub(e Decimal) Decimal { return Decimal{number.Sub(d.text, e.text)} }

// Mul returns d * e; see [Decimal.Add].
func (d Decimal) Mul(e Decimal) Decimal { return Decimal{number.Mul(d.text, e.text)} }

// Floor returns the greatest multiple of tick that is not above d; see
// [Decimal.Add]. It has no value unless tick is more than 0.
func (d Decimal) Floor(tick Decimal) Decimal {
	return Decimal{number.Round(d.text, tick.text, number.Down)}
}

// Ceil returns the smallest multiple of tick that is not below d; see
// [Decimal.Floor].
func (d Decimal) Ceil(tick Decimal) Decimal {
	return Decimal{number.Round(d.text, tick.text, number.Up)}
}

// Round returns the multiple of tick that is nearest to d, a half away from 0;
// see [Decimal.Floor].
func (d Decimal) Round(tick Decimal) Decimal {
	return Decimal{number.Round(d.text, tick.text, number.Nearest)}
}

// Float64 returns the nearest float64, for display and statistics. It is 0 for
// the zero value, and NaN for any other that is not valid.
func (d Decimal) Float64() float64 {
	if d.text != "" && !d.Valid() {
		return math.NaN()
	}
	f, _ := strconv.ParseFloat(d.text, 64)
	return f
}

// Rat returns the exact value, 0 for the zero value. It is nil for any other that is
// not valid.
func (d Decimal) Rat() *big.Rat {
	if d.text == "" {
		return new(big.Rat)
	}
	if !d.Valid() {
		return nil
	}
	r, _ := new(big.Rat).SetString(d.text)
	return r
}

// Cmp compares the exact values: -1 if d is less than e, 0 if equal, +1 if
// greater. "1.50" equals "1.5". The zero value counts as 0. What is no number is below
// all numbers: see [Decimal.Valid].
func (d Decimal) Cmp(e Decimal) int { return number.Compare(d.text, e.text) }

// Sign returns -1, 0 or +1 for a value below, at or above 0.
func (d Decimal) Sign() int { return d.Cmp(Decimal{}) }

// MarshalJSON writes a number without an exponent, null for the zero value. Only
// a number that takes more than 1,000 digits keeps its exponent. What is no number is
// written as a string.
func (d Decimal) MarshalJSON() ([]byte, error) {
	switch {
	case d.text == "":
		return []byte("null"), nil
	case !isNumber(d.text):
		return json.Marshal(d.text)
	}
	return []byte(cmp.Or(d.Plain(), d.text)), nil
}

// UnmarshalJSON reads a number or a string that holds one. Null and the empty
// string give the zero value.
func (d *Decimal) UnmarshalJSON(b []byte) error {
	text := unquoted(b)
	if bytes.Equal(b, []byte("null")) || len(text) == 0 {
		*d = Decimal{}
		return nil
	}
	n, err := NewDecimal(string(text))
	if err != nil {
		return err
	}
	*d = n
	return nil
}

// isNumber reports whether s is a JSON number.
func isNumber(s string) bool {
	end := number.End(s)
	return end > 0 && end == len(s)
}
