package dialect

import (
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// named makes an array of objects of an object, each with one of its members: its name is
// the first of names, its value the second. It makes one object of an array of two.
func named(value []byte, names []string) ([]byte, bool) {
	first, second := append(quote(names[0]), ':'), append(quote(names[1]), ':')
	object := func(a, b []byte) []byte {
		return slices.Concat([]byte("{"), first, a, []byte(","), second, b, []byte("}"))
	}
	switch value[0] {
	case '[':
		var both [][]byte
		_, _ = jsontext.Elements(value, 0, func(_, at int) (int, error) {
			end := jsontext.ValueEnd(value, at)
			both = append(both, value[at:end])
			return end, nil
		})
		if len(both) != 2 {
			return nil, false
		}
		return object(both[0], both[1]), true
	case '{':
		out, seen, twice := []byte("["), map[string]bool{}, false
		_, _ = jsontext.Members(value, 0, func(from, to, at int) (int, error) {
			end, name := jsontext.ValueEnd(value, at), string(jsontext.Unquote(value[from:to]))
			if len(seen) > 0 {
				out = append(out, ',')
			}
			twice, seen[name] = twice || seen[name], true
			out = append(out, object(value[from:to], value[at:end])...)
			return end, nil
		})
		return append(out, ']'), !twice
	}
	return nil, false
}

var one = walletfi.MustDecimal("1")

// complement is 1 - p for a number p from 0 to 1, a string if p is one.
func complement(value []byte) ([]byte, bool) {
	text, isText := value, value[0] == '"'
	if isText {
		text = jsontext.Unquote(value)
	}
	p, err := walletfi.NewDecimal(string(text))
	if err != nil || !p.Valid() || p.Sign() < 0 || p.Cmp(one) > 0 {
		return nil, false
	}
	rest := one.Sub(p).String()
	if isText {
		return quote(rest), true
	}
	return []byte(rest), true
}
