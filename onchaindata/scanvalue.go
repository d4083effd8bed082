package onchaindata

import (
	"encoding/json"
	"time"

	"github.com/walletfi/walletfi-go"
)

// maxSkipDepth bounds the recursion over what is passed over.
const maxSkipDepth = 64

// string reads a text or null.
func (s *scanner) string(into *string) {
	if *into != "" {
		s.fail()
	}
	if !s.null() {
		*into = s.unquoted()
	}
}

// strings reads an array of texts, or null.
func (s *scanner) strings(into *[]string) {
	if *into != nil {
		s.fail()
	}
	if s.null() {
		return
	}
	list := []string{}
	for more := s.open('['); more; more = s.next('[') {
		s.space()
		list = append(list, s.unquoted())
	}
	*into = list
}

// decimal reads a number, bare or quoted, an empty text or null.
func (s *scanner) decimal(into *walletfi.Decimal) {
	if !into.IsZero() {
		s.fail()
	}
	switch s.peek() {
	case 'n':
		s.null()
	case '"':
		s.at++
		if s.peek() != '"' {
			*into = s.number()
		}
		if s.peek() != '"' {
			s.fail()
			return
		}
		s.at++
	default:
		*into = s.number()
	}
}

// number reads a bare number.
func (s *scanner) number() walletfi.Decimal {
	d, rest, ok := walletfi.CutDecimal(s.text[s.at:])
	if !ok {
		s.fail()
		return d
	}
	s.at = len(s.text) - len(rest)
	return d
}

// maxDigits is how many digits an integer may have that is read by hand: none
// of so many is beyond an int64.
const maxDigits = 18

// integer reads a bare integer that is not negative. A fraction or exponent
// behind it is left for the next reader to fail on.
func (s *scanner) integer() int64 {
	start, n := s.at, int64(0)
	for s.at < len(s.text) && s.text[s.at]-'0' <= 9 {
		n = 10*n + int64(s.text[s.at]-'0')
		s.at++
	}
	digits := s.at - start
	if digits == 0 || digits > maxDigits || digits > 1 && s.text[start] == '0' {
		s.fail()
		return 0
	}
	return n
}

// count reads an integer or null.
func (s *scanner) count(into *int) {
	if *into != 0 {
		s.fail()
	}
	if s.null() {
		return
	}
	n := s.integer()
	if *into = int(n); int64(*into) != n {
		s.fail()
	}
}

// time reads an RFC 3339 text, an empty text or null.
func (s *scanner) time(into *walletfi.Time) {
	if !into.IsZero() {
		s.fail()
	}
	if s.null() {
		return
	}
	text := s.plain()
	if text == "" {
		return
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		s.fail()
	}
	into.Time = t
}

// other passes over a member that is not ours. A name that might be one of
// ours in another case is not passed over.
func (s *scanner) other(name string) {
	for i := range len(name) {
		if c := name[i]; c >= 'A' && c <= 'Z' || c >= 0x80 {
			s.fail()
			return
		}
	}
	s.skip(maxSkipDepth)
}

// skip passes over a value, and checks that it is one.
func (s *scanner) skip(depth int) {
	s.space()
	switch s.peek() {
	case '"':
		if token, escaped := s.quoted(); escaped && !json.Valid([]byte(token)) {
			s.fail()
		}
	case '{', '[':
		s.skipNested(s.peek(), depth)
	case 'n':
		s.literal("null")
	case 't':
		s.literal("true")
	case 'f':
		s.literal("false")
	default:
		s.number()
	}
}

func (s *scanner) skipNested(bracket byte, depth int) {
	if depth == 0 {
		s.fail()
	}
	for more := s.open(bracket); more; more = s.next(bracket) {
		if bracket == '{' {
			s.key()
		}
		s.skip(depth - 1)
	}
}
