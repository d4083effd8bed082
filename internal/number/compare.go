package number

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// MaxExponent bounds the exponent of a number that is valid, on both sides of 0.
const MaxExponent = 400

// Valid reports whether text is a JSON number of at most MaxDigits digits, whose
// exponent is within MaxExponent.
func Valid(text string) bool {
	if text == "" || End(text) != len(text) {
		return false
	}
	mantissa, exponent := split(text)
	digits := len(mantissa) - strings.Count(mantissa, "-") - strings.Count(mantissa, ".")
	return digits <= MaxDigits && -MaxExponent <= exponent && exponent <= MaxExponent
}

// split returns the exponent of a JSON number, and what is before it. An exponent that
// is too large for any text is the largest one.
func split(text string) (mantissa string, exponent int) {
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		return text, 0
	}
	exponent, _ = strconv.Atoi(text[i+1:]) // if it is out of range, the nearest int
	return text[:i], min(max(exponent, -math.MaxInt/2), math.MaxInt/2)
}

// Compare compares two JSON numbers exactly, in the time that it takes to read them. The
// empty text is 0. A text that is no number is below all numbers.
func Compare(a, b string) int {
	if c, ok := comparePlain(a, b); ok {
		return c
	}
	x, y := partsOf(a), partsOf(b)
	if c := cmp.Compare(x.sign, y.sign); c != 0 || x.sign == 0 {
		return c
	}
	if c := cmp.Compare(x.size, y.size); c != 0 {
		return c * x.sign
	}
	return strings.Compare(x.digits, y.digits) * x.sign
}

// comparePlain compares numbers that have neither a sign nor an exponent, as most have.
func comparePlain(a, b string) (c int, ok bool) {
	x, isPlain := pointOf(a)
	y, arePlain := pointOf(b)
	if !isPlain || !arePlain {
		return 0, false
	}
	if x != y {
		return cmp.Compare(x, y), true
	}
	both := min(len(a), len(b))
	if c := strings.Compare(a[:both], b[:both]); c != 0 {
		return c, true
	}
	return saysMore(a[both:]) - saysMore(b[both:]), true
}

// saysMore is 1 if the end of a number changes its value: it has more than zeros and the point.
func saysMore(end string) int {
	for i := range len(end) {
		if end[i] > '0' {
			return 1
		}
	}
	return 0
}

// pointOf is where the whole part of a plain number ends.
func pointOf(text string) (point int, ok bool) {
	point = len(text)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '.' && point == len(text):
			point = i
		case c < '0' || c > '9':
			return 0, false
		}
	}
	// No zero stands before others, and digits follow a point.
	return point, point > 0 && point != len(text)-1 && (text[0] != '0' || point == 1)
}

// noNumber is the sign of what is no number: below that of all numbers.
const noNumber = -2

// parts are those of a number: 0.digits times 10 to the power of size.
type parts struct {
	sign, size int
	digits     string // without zeros at the start and at the end
}

func partsOf(text string) parts {
	if text == "" {
		return parts{}
	}
	if End(text) != len(text) {
		return parts{sign: noNumber}
	}
	p := parts{sign: 1}
	mantissa, exponent := split(text)
	if mantissa[0] == '-' {
		p.sign, mantissa = -1, mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	p.size = exponent + len(all) - len(fraction)
	p.digits = strings.TrimRight(all, "0")
	if p.digits == "" {
		return parts{}
	}
	return p
}
