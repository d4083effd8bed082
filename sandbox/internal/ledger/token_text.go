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
