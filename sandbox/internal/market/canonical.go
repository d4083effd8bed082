package market

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Canonical writes a JSON value so that two texts of equal value are equal bytes:
// without white space, members by name, strings in one spelling, numbers by
// their exact decimal value (1.50 is 1.5, 1E+2 is 100; no digit is lost). False
// means that raw is not one JSON value.
func Canonical(raw []byte) ([]byte, bool) {
	if !json.Valid(raw) {
		return nil, false
	}
	return canonical(nil, bytes.TrimSpace(raw)), true
}

func canonical(out, raw []byte) []byte {
	switch raw[0] {
	case '{':
		names, values, err := kit.Members(raw)
		if err != nil {
			panic("sandbox: an object that was valid cannot be read: " + err.Error())
		}
		members := make([][]byte, len(names))
		for i, name := range names {
			members[i] = canonical(append(kit.MustJSON(name), ':'), bytes.TrimSpace(values[i]))
		}
		slices.SortFunc(members, bytes.Compare)
		return append(append(append(out, '{'), bytes.Join(members, []byte{','})...), '}')
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			panic("sandbox: an array that was valid cannot be read: " + err.Error())
		}
		out = append(out, '[')
		for i, item := range items {
			if i > 0 {
				out = append(out, ',')
			}
			out = canonical(out, bytes.TrimSpace(item))
		}
		return append(out, ']')
	case '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			panic("sandbox: a string that was valid cannot be read: " + err.Error())
		}
		return append(out, kit.MustJSON(text)...)
	case 't', 'f', 'n':
		return append(out, raw...)
	}
	return append(out, number(string(raw))...)
}

// number writes a JSON number as its significant digits and a power of ten.
func number(text string) string {
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "-", rest
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return "0"
	}
	power := 0
	if exponent != "" {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil {
			return sign + mantissa + "e" + exponent // beyond any number that is served
		}
	}
	power += len(digits) - len(short) - len(fraction)
	return sign + short + "e" + strconv.Itoa(power)
}
