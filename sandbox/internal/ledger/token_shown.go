package ledger

import (
	"math"
	"strconv"
	"strings"
)

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
