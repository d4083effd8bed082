package lenient

import "github.com/walletfi/walletfi-go/internal/jsontext"

// shadowed returns for each field of the object at src[i] whether a name that is
// written as declared wins over one in another case. Of two names that are written
// alike, encoding/json takes both, one after the other; a strict field that comes
// twice is an error.
func shadowed(src []byte, i int, known *structFields) ([]bool, error) {
	exact, counts := make([]bool, len(known.list)), make([][2]int, len(known.list))
	_, _ = jsontext.Members(src, i, func(from, to, at int) (int, error) {
		if n, isExact := known.find(jsontext.Unquote(src[from:to])); isExact {
			exact[n] = true
			counts[n][0]++
		} else if n >= 0 {
			counts[n][1]++
		}
		return jsontext.ValueEnd(src, at), nil
	})
	for n, count := range counts {
		if known.list[n].strict && (count[0] > 1 || count[0] == 0 && count[1] > 1) {
			return exact, &FieldError{known.list[n].name, "comes twice", true}
		}
	}
	return exact, nil
}
