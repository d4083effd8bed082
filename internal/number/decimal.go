package number

import (
	"math/big"
	"strconv"
	"strings"
)

// MaxDigits bounds what arithmetic reads and writes: 1e1000000000 is eleven bytes
// of text and half a gigabyte of integer.
const MaxDigits = 1000

// parse reads a JSON number of at most MaxDigits digits, written out. The scale is how
// many of them come after the point. The value of any other text is nil.
func parse(text string) (value *big.Rat, scale int) {
	if text == "" || End(text) != len(text) {
		return nil, 0
	}
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		n, err := strconv.Atoi(text[i+1:])
		if err != nil || n > MaxDigits || n < -MaxDigits {
			return nil, 0
		}
		mantissa, exponent = text[:i], n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if len(whole)+len(fraction) > MaxDigits+1 {
		return nil, 0
	}
	value, _ = new(big.Rat).SetString(text)
	return value, max(0, len(fraction)-exponent)
}

// written is plain digits, "" if there are more than MaxDigits.
func written(value *big.Rat, scale int) string {
	text := value.FloatString(scale)
	if len(text)-strings.Count(text, "-")-strings.Count(text, ".") > MaxDigits {
		return ""
	}
	return text
}

// Plain writes a JSON number without an exponent, and returns it as it is if it
// has none. It is "" if that takes more than MaxDigits digits.
func Plain(text string) string {
	if !strings.ContainsAny(text, "eE") {
		return text
	}
	value, scale := parse(text)
	if value == nil {
		return ""
	}
	return written(value, scale)
}

// compute writes the result of op, without zeros at the end of the fraction. It is "" if
// op returns nil.
func compute(a, b string, op func(z, x, y *big.Rat) *big.Rat) string {
	x, _ := parse(a)
	y, _ := parse(b)
	if x == nil || y == nil {
		return ""
	}
	z := op(new(big.Rat), x, y)
	if z == nil {
		return ""
	}
	scale, _ := z.FloatPrec() // exact: the denominator is a divisor of a power of ten
	return written(z, scale)
}

// Add returns a + b exactly, "" if a, b or the sum has more than MaxDigits digits.
func Add(a, b string) string { return compute(a, b, (*big.Rat).Add) }

// Sub returns a - b as Add does.
func Sub(a, b string) string { return compute(a, b, (*big.Rat).Sub) }

// Mul returns a * b as Add does.
func Mul(a, b string) string { return compute(a, b, (*big.Rat).Mul) }

// Rounding says to which multiple a number is rounded.
type Rounding uint8

// The roundings.
const (
	Down    Rounding = iota // towards minus infinity
	Up                      // towards infinity
	Nearest                 // a half away from 0
)

// Round returns the multiple of tick that is next to a, "" if tick is not
// positive, and as Add does.
func Round(a, tick string, to Rounding) string {
	return compute(a, tick, func(z, x, y *big.Rat) *big.Rat {
		if y.Sign() <= 0 {
			return nil
		}
		z.Quo(x, y)
		// Euclidean: the rest is never negative.
		ticks, rest := new(big.Int).DivMod(z.Num(), z.Denom(), new(big.Int))
		up := to == Up && rest.Sign() > 0
		if to == Nearest {
			half := rest.Lsh(rest, 1).Cmp(z.Denom())
			up = half > 0 || half == 0 && x.Sign() > 0
		}
		if up {
			ticks.Add(ticks, big.NewInt(1))
		}
		return z.Mul(z.SetInt(ticks), y)
	})
}
