package lenient

import "github.com/walletfi/walletfi-go/internal/jsontext"

// shadowed returns for each field of the object at src[i] whether a name that is
// written as declared wins over one in another case. Of two names that are written
// alike, encoding/json takes both, one after the other; a strict field, or a list of
// records, that comes twice is an error. twice has all of them.
func shadowed(src []byte, i int, known *structFields) (exact, twice marked, err error) {
	var other, otherTwice marked
	_, _ = jsontext.Members(src, i, func(from, to, at int) (int, error) {
		n, isExact := known.find(jsontext.Unquote(src[from:to]))
		seen, again := &other, &otherTwice
		if isExact {
			seen, again = &exact, &twice
		}
		if n >= 0 && seen.has(n) {
			again.add(n)
		}
		if n >= 0 {
			seen.add(n)
		}
		return jsontext.ValueEnd(src, at), nil
	})
	for n := range known.list {
		isTwice := known.list[n].once && (twice.has(n) || !exact.has(n) && otherTwice.has(n))
		if !isTwice {
			twice.drop(n)
			continue
		}
		twice.add(n)
		if err == nil {
			err = &FieldError{known.list[n].name, "comes twice", true}
		}
	}
	return exact, twice, err
}

// marked is a set of fields of a struct, of the first mostMarked.
type marked [4]uint64

const mostMarked = 4 * 64

func (m *marked) has(n int) bool { return n < mostMarked && m[n/64]&(1<<(n%64)) != 0 }

func (m *marked) add(n int) {
	if n < mostMarked {
		m[n/64] |= 1 << (n % 64)
	}
}

func (m *marked) drop(n int) {
	if n < mostMarked {
		m[n/64] &^= 1 << (n % 64)
	}
}
