package lenient

import "github.com/walletfi/walletfi-go/internal/jsontext"

// shadowed returns for each field of the object at src[i] whether a name that is
// written as declared wins over one in another case. Of two names that are written
// alike, encoding/json takes both, one after the other; a strict field, or a list of
// records, that comes twice is an error. twice has all of them.
func shadowed(src []byte, i int, known *structFields) (exact, twice []bool, err error) {
	exact = make([]bool, len(known.list))
	counts := make([][2]int, len(known.list))
	_, _ = jsontext.Members(src, i, func(from, to, at int) (int, error) {
		if n, isExact := known.find(jsontext.Unquote(src[from:to])); isExact {
			exact[n] = true
			counts[n][0]++
		} else if n >= 0 {
			counts[n][1]++
		}
		return jsontext.ValueEnd(src, at), nil
	})
	twice = make([]bool, len(known.list))
	for n, count := range counts {
		if known.list[n].once && (count[0] > 1 || count[0] == 0 && count[1] > 1) {
			twice[n] = true
			if err == nil {
				err = &FieldError{known.list[n].name, "comes twice", true}
			}
		}
	}
	return exact, twice, err
}
