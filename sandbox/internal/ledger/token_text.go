package ledger

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokenToText returns an amount as people read it.
func tokenToText(x *Invocation, r *reader) {
	amount := r.uint64()
	x.end(r)
	x.owned(0)
	m := x.someMint(0)
	text, scaled := m.Shown(amount, x.clock.Now().Unix())
	if !scaled {
		whole := plainText(amount, int(m.Decimals()))
		text = trimmed(whole)
		x.spendOnText(amount, whole, text)
	} else {
		x.spendOnScaled(m, text)
	}
	x.returned = []byte(text)
}

// plainText is an amount with all of its decimals.
func plainText(amount uint64, decimals int) string {
	text := fmt.Sprintf("%0*d", decimals+1, amount)
	if decimals == 0 {
		return text
	}
	return text[:len(text)-decimals] + "." + text[len(text)-decimals:]
}

// tokenFromText returns the amount that a text says.
func tokenFromText(x *Invocation, r *reader) {
	FailIf(!utf8.Valid(r.rest), tokenInvalid)
	text := string(r.rest)
	x.owned(0)
	m := x.someMint(0)
	if factor, ok := m.factor(x.clock.Now().Unix()); ok {
		x.spendOnParsing(m, text)
		v, err := strconv.ParseFloat(text, 64)
		v /= factor / math.Pow10(int(m.Decimals()))
		FailIf(err != nil || strings.ContainsAny(text, "_xX"), errArgument) // which Go reads
		FailIf(v > math.MaxUint64 || v < 0 || math.IsNaN(v), errArgument)
		x.returned = binary.LittleEndian.AppendUint64(nil, m.unshown(v))
		return
	}
	decimals := int(m.Decimals())
	parts := strings.Split(text, ".")
	whole, fraction := parts[0], ""
	if len(parts) > 1 {
		fraction = strings.TrimRight(parts[1], "0")
	}
	FailIf(whole+fraction == "" || len(parts) > 2 || len(fraction) > decimals, errArgument)
	padded := whole + fraction + strings.Repeat("0", decimals-len(fraction))
	x.spendOnDigits(text, len(whole), len(padded), decimals)
	amount, err := strconv.ParseUint(strings.TrimPrefix(padded, "+"), 10, 64)
	FailIf(err != nil, errArgument)
	x.returned = binary.LittleEndian.AppendUint64(nil, amount)
}

// factor is by how much more a mint's amounts are shown as, of mints with an extension for it.
func (m Mint) factor(now int64) (float64, bool) {
	if v := extension(m, extensionInterest); v != nil {
		rate := func(at int) float64 { return float64(int16(uint16(v[at]) | uint16(v[at+1])<<8)) }
		time := func(at int) int64 { return int64(getUint64(v[at:])) }
		const year = 60 * 60 * 24 * 365.24 * 10_000
		before := rate(40) * float64(time(42)-time(32)) / year
		since := rate(50) * float64(now-time(42)) / year
		return math.Exp(before) * math.Exp(since), true
	}
	if v := extension(m, extensionScaled); v != nil {
		at := 32
		if now >= int64(getUint64(v[40:])) {
			at = 48
		}
		return math.Float64frombits(getUint64(v[at:])), true
	}
	return 0, false
}

// Shown is an amount as nodes write it at a Unix time: with the interest of the mint, rounded, or
// multiplied by its multiplier, cut off; "inf" if it is too large. It reports false of mints that
// show what there is.
func (m Mint) Shown(amount uint64, now int64) (string, bool) {
	factor, ok := m.factor(now)
	if !ok {
		return "", false
	}
	decimals := int(m.Decimals())
	shown := float64(amount) * (factor / math.Pow10(decimals))
	if extension(m, extensionInterest) == nil {
		shown = math.Trunc(float64(amount)*factor) / math.Pow10(decimals)
	}
	if math.IsInf(shown, 1) {
		return "inf", true
	}
	return trimmed(strconv.FormatFloat(shown, 'f', decimals, 64)), true
}

// unshown is an amount that is not whole: rounded if the mint bears interest, otherwise cut off.
func (m Mint) unshown(v float64) uint64 {
	if extension(m, extensionInterest) != nil {
		v = math.Round(v)
	}
	if v >= math.MaxUint64 {
		return math.MaxUint64
	}
	return uint64(v)
}

// trimmed leaves out the zeros at the end of a fraction.
func trimmed(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// What the token programs use for amounts in words, measured on LiteSVM 1.5: it depends on how many digits there
// are, on how many zeros are cut off, and on how often the text outgrows its room.

// fewDigits is how many bytes fit into a text before Rust makes more room for it.
const fewDigits = 8

// spendOnText uses the units of writing an amount: whole is the text with all its decimals, text what is left of it.
func (x *Invocation) spendOnText(amount uint64, whole, text string) {
	digits := len(strings.TrimLeft(strings.Replace(whole, ".", "", 1), "0"))
	before, _, point := strings.Cut(whole, ".")
	cut := uint64(len(whole) - len(text))
	switch {
	case x.extended():
		x.spendOnText2022(uint64(digits), uint64(len(whole)), cut, point)
	case amount == 0:
		x.spend(10)
	case !point:
		x.spend(30 + 14*uint64(digits))
	default:
		x.spend(153 + 14*uint64(digits) + 16*cut)
		if n := uint64(len(before)); n >= 16 {
			x.spend(8*n - 88)
		} else if before != "0" {
			x.spend(9 * n)
		}
	}
}

// spendOnText2022 does it for Token-2022, which makes a text and puts zeros and the point into it.
func (x *Invocation) spendOnText2022(digits, length, cut uint64, point bool) {
	if !point {
		x.spend(8 * digits)
		return
	}
	x.spend(358 + 9*max(digits, 1) + 12*cut)
	if zeros := length - 1 - max(digits, 1); zeros > 0 {
		x.spend(22 + 28*zeros)
	}
	if length > fewDigits {
		x.spend(150)
	}
}

// spendOnScaled uses the units of writing an amount of a mint that shows another. Rust writes most floating-point
// numbers fast, but not those of few binary places and not those of more digits than they can tell.
func (x *Invocation) spendOnScaled(m Mint, text string) {
	decimals := uint64(m.Decimals())
	x.spend(860 + 118*decimals)
	x.spendOnInterest(m)
	digits := strings.Trim(strings.Replace(text, ".", "", 1), "0")
	if digits == "" {
		return
	}
	shown, _ := strconv.ParseFloat(text, 64) // as it was written
	shown *= math.Pow10(int(decimals))
	x.spend(700 + 15*uint64(math.Log10(max(shown, 1))))
	switch n := uint64(len(digits)); {
	case shown > 3<<60 && n > fewDigits:
		x.spend(6200)
	case fewBits(text) && n <= fewDigits:
		x.spend(1050 + 190*n)
	}
}

// fewBits reports whether a decimal number is one of few binary places.
func fewBits(text string) bool {
	_, fraction, _ := strings.Cut(text, ".")
	switch fraction {
	case "", "5", "25", "75", "125", "375", "625", "875":
		return true
	}
	return false
}

// spendOnInterest uses the units of the powers by which interest is counted.
func (x *Invocation) spendOnInterest(m Mint) {
	if extension(m, extensionInterest) == nil {
		return
	}
	x.spend(700)
	if factor, _ := m.factor(x.clock.Now().Unix()); factor != 1 {
		x.spend(1900)
	}
}

// spendOnParsing uses the units of reading a floating-point number.
func (x *Invocation) spendOnParsing(m Mint, text string) {
	x.spend(1280 + 21*uint64(len(text)) + 82*uint64(m.Decimals()))
	x.spendOnInterest(m)
}

// spendOnDigits uses the units of reading an amount whose digits are padded to the decimals of the mint. Rust
// looks for an overflow at each of more than 16 digits.
func (x *Invocation) spendOnDigits(text string, whole, padded, decimals int) {
	point, checked := strings.Contains(text, "."), padded > 16
	if !x.extended() {
		if x.spend(19 + 29*uint64(len(text)) + 8*uint64(decimals)); point {
			x.spend(50)
		}
		if checked {
			x.spend(72 * uint64(padded))
		}
		return
	}
	x.spend(390 + 28*uint64(len(text)))
	if decimals > 0 {
		x.spend(182 + 20*uint64(decimals))
		if padded > max(fewDigits, 2*whole) {
			x.spend(180)
		}
	}
	if point {
		x.spend(50)
	}
	if checked {
		x.spend(60 * uint64(padded))
	}
}
