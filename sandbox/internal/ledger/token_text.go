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
	decimals := int(m.Decimals())
	text := fmt.Sprintf("%0*d", decimals+1, amount)
	text = text[:len(text)-decimals] + "." + text[len(text)-decimals:]
	if scale, ok := m.scale(x.clock.Now().Unix()); ok {
		text = strconv.FormatFloat(float64(amount)*scale, 'f', decimals, 64)
	}
	text = trimmed(text)
	x.spendOnText(text, m)
	x.returned = []byte(text)
}

// spendOnText uses the units of writing an amount: of its digits, its point and of the logarithms of interest.
func (x *Invocation) spendOnText(text string, m Mint) {
	point := strings.Contains(text, ".")
	switch {
	case extension(m, extensionInterest) != nil:
		x.spend(8050)
	case point && x.extended():
		x.spend(540)
	case point:
		x.spend(170)
	}
	if !x.extended() {
		x.spend(15 * uint64(len(text)))
	}
}

// tokenFromText returns the amount that a text says.
func tokenFromText(x *Invocation, r *reader) {
	FailIf(!utf8.Valid(r.rest), tokenInvalid)
	text := string(r.rest)
	if !x.extended() {
		x.spend(55 * uint64(len(text)))
	}
	x.owned(0)
	m := x.someMint(0)
	if scale, ok := m.scale(x.clock.Now().Unix()); ok {
		x.spend(parseUnits)
		v, err := strconv.ParseFloat(text, 64)
		v /= scale
		FailIf(err != nil || v > math.MaxUint64 || v < 0 || math.IsNaN(v), errArgument)
		x.returned = binary.LittleEndian.AppendUint64(nil, uint64(v))
		return
	}
	decimals := int(m.Decimals())
	parts := strings.Split(text, ".")
	whole, fraction := parts[0], ""
	if len(parts) > 1 {
		fraction = strings.TrimRight(parts[1], "0")
	}
	FailIf(whole+fraction == "" || len(parts) > 2 || len(fraction) > decimals, errArgument)
	digits := strings.TrimPrefix(whole+fraction+strings.Repeat("0", decimals-len(fraction)), "+")
	amount, err := strconv.ParseUint(digits, 10, 64)
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

// scale is the factor for a smallest unit.
func (m Mint) scale(now int64) (float64, bool) {
	factor, ok := m.factor(now)
	return factor * math.Pow10(-int(m.Decimals())), ok
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

// trimmed leaves out the zeros at the end of a fraction.
func trimmed(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
