package number

import (
	"math/big"
	"strconv"
	"strings"
)

// MaxDigits bounds what arithmetic reads and writes: 1e1000000000 is eleven bytes
// of text and half a gigabyte of integer.
const MaxDigits = 1000

// decimal is coefficient / 10^scale; the scale is not negative.
type decimal struct {
	coefficient *big.Int
	scale       int
}

// parse reads a JSON number of at most MaxDigits digits, written out.
func parse(text string) (d decimal, ok bool) {
	if text == "" || End(text) != len(text) {
		return d, false
	}
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		n, err := strconv.Atoi(text[i+1:])
		if err != nil || n > MaxDigits || n < -MaxDigits {
			return d, false
		}
		mantissa, exponent = text[:i], n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if len(whole)+len(fraction) > MaxDigits+1 {
		return d, false
	}
	d.coefficient, ok = new(big.Int).SetString(whole+fraction, 10)
	d.scale = len(fraction) - exponent
	if d.scale < 0 {
		d.coefficient.Mul(d.coefficient, powerOfTen(-d.scale))
		d.scale = 0
	}
	return d, ok
}

func powerOfTen(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// text writes d as plain digits, "" if there are more than MaxDigits.
func (d decimal) text() string {
	digits := new(big.Int).Abs(d.coefficient).String()
	if len(digits) <= d.scale {
		digits = strings.Repeat("0", d.scale-len(digits)+1) + digits
	}
	if len(digits) > MaxDigits {
		return ""
	}
	sign := ""
	if d.coefficient.Sign() < 0 {
		sign = "-"
	}
	if d.scale == 0 {
		return sign + digits
	}
	return sign + digits[:len(digits)-d.scale] + "." + digits[len(digits)-d.scale:]
}

// trimmed is text without zeros at the end of the fraction.
func (d decimal) trimmed() string {
	text := d.text()
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Plain writes a JSON number without an exponent, and returns it as it is if it
// has none. It is "" if that takes more than MaxDigits digits.
func Plain(text string) string {
	if !strings.ContainsAny(text, "eE") {
		return text
	}
	d, ok := parse(text)
	if !ok {
		return ""
	}
	return d.text()
}

// aligned reads two numbers and gives them the same scale.
func aligned(a, b string) (x, y decimal, ok bool) {
	x, ok = parse(a)
	if ok {
		y, ok = parse(b)
	}
	if !ok {
		return x, y, false
	}
	for _, d := range []*decimal{&x, &y} {
		if up := max(x.scale, y.scale) - d.scale; up > 0 {
			d.coefficient.Mul(d.coefficient, powerOfTen(up))
			d.scale += up
		}
	}
	return x, y, true
}

// Add returns a + b exactly, "" if a, b or the sum has more than MaxDigits digits.
func Add(a, b string) string {
	x, y, ok := aligned(a, b)
	if !ok {
		return ""
	}
	x.coefficient.Add(x.coefficient, y.coefficient)
	return x.trimmed()
}

// Sub returns a - b as Add does.
func Sub(a, b string) string {
	x, y, ok := aligned(a, b)
	if !ok {
		return ""
	}
	x.coefficient.Sub(x.coefficient, y.coefficient)
	return x.trimmed()
}

// Mul returns a * b as Add does.
func Mul(a, b string) string {
	x, ok := parse(a)
	y, ok2 := parse(b)
	if !ok || !ok2 {
		return ""
	}
	x.coefficient.Mul(x.coefficient, y.coefficient)
	x.scale += y.scale
	return x.trimmed()
}

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
	x, y, ok := aligned(a, tick)
	if !ok || y.coefficient.Sign() <= 0 {
		return ""
	}
	// Euclidean: the rest is never negative.
	ticks, rest := new(big.Int).DivMod(x.coefficient, y.coefficient, new(big.Int))
	up := to == Up && rest.Sign() > 0
	if to == Nearest {
		half := rest.Lsh(rest, 1).Cmp(y.coefficient)
		up = half > 0 || half == 0 && x.coefficient.Sign() > 0
	}
	if up {
		ticks.Add(ticks, big.NewInt(1))
	}
	x.coefficient.Mul(ticks, y.coefficient)
	return x.trimmed()
}
