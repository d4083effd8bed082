// Package jsonscan reads JSON without reflection, for the few bodies that come
// often and large.
//
// A Scanner takes what a service sends as a rule and fails on all else: a value
// of another type, a member that comes twice, one whose name differs from ours
// in case alone. A failure is no verdict: the body is decoded the ordinary way
// then, which decides. What a Scanner does not fail on it reads as
// encoding/json does.
package jsonscan

import (
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"unicode/utf8"
)

// Scanner walks over one JSON text. After a failure it stands at the end and
// every further step fails too, so that only Scan's result needs to be looked
// at.
type Scanner struct {
	body   []byte
	text   string // body once more; what is read is cut from it
	at     int
	failed bool
}

// Scan runs read over the one value that body must be, and reports whether all
// of it was taken.
func Scan(body []byte, read func(*Scanner)) bool {
	if !utf8.Valid(body) {
		return false
	}
	s := &Scanner{body: body, text: string(body)}
	s.space()
	read(s)
	s.space()
	return !s.failed && s.at == len(s.text)
}

// Fail gives the text up.
func (s *Scanner) Fail() {
	s.failed = true
	s.at = len(s.text)
}

// Peek returns the first byte of the value that is next, 0 at the end.
func (s *Scanner) Peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// Offset is where the scanner stands in the body.
func (s *Scanner) Offset() int { return s.at }

// Since returns what was read from the given offset on, as it stands in the
// body.
func (s *Scanner) Since(offset int) []byte { return s.body[offset:s.at:s.at] }

// Rest returns what is still to be read.
func (s *Scanner) Rest() []byte { return s.body[s.at:] }

func (s *Scanner) space() {
	for s.at < len(s.text) && s.text[s.at] <= ' ' {
		switch s.text[s.at] {
		case ' ', '\n', '\t', '\r':
			s.at++
		default:
			s.Fail()
		}
	}
}

// Open enters an object or array by its opening bracket, and reports whether it
// holds anything. The first name or element is next then.
func (s *Scanner) Open(bracket byte) bool {
	if s.Peek() != bracket {
		s.Fail()
		return false
	}
	s.at++
	s.space()
	if s.Peek() == closing(bracket) {
		s.at++
		return false
	}
	return true
}

// Next goes on to the next name or element, or leaves at the closing bracket.
func (s *Scanner) Next(bracket byte) bool {
	s.space()
	switch s.Peek() {
	case ',':
		s.at++
		s.space()
		return true
	case closing(bracket):
		s.at++
	default:
		s.Fail()
	}
	return false
}

// closing is the bracket that ends what the given one begins.
func closing(bracket byte) byte { return bracket + 2 }

// Key reads a member's name and the colon; its value is next.
func (s *Scanner) Key() string {
	name := s.wordName()
	if name == "" {
		name = s.plain()
	}
	s.space()
	if s.Peek() != ':' {
		s.Fail()
		return ""
	}
	s.at++
	s.space()
	return name
}

// wordName reads a name of letters, digits and underscores, as nearly all are.
// It reads nothing where another comes first.
func (s *Scanner) wordName() string {
	start := s.at + 1
	end := start
	for end < len(s.text) && inWord[s.text[end]] {
		end++
	}
	if s.Peek() != '"' || end >= len(s.text) || s.text[end] != '"' {
		return ""
	}
	s.at = end + 1
	return s.text[start:end]
}

// inWord tells the bytes that wordName takes.
var inWord = func() (in [256]bool) {
	for _, c := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_" {
		in[c] = true
	}
	return in
}()

// plain reads a string without escapes.
func (s *Scanner) plain() string {
	token, escaped := s.quoted()
	if escaped || len(token) < 2 {
		s.Fail()
		return ""
	}
	return token[1 : len(token)-1]
}

// quoted reads a string as it stands, with quotes and escapes. The escapes were
// not looked at.
func (s *Scanner) quoted() (token string, escaped bool) {
	if s.Peek() != '"' {
		s.Fail()
		return "", false
	}
	start := s.at
	for i := start + 1; ; i++ {
		i = s.ordinary(i)
		if i >= len(s.text) || s.text[i] < ' ' {
			s.Fail()
			return "", false
		}
		if s.text[i] == '"' {
			s.at = i + 1
			return s.text[start:s.at], escaped
		}
		escaped = true
		i++
	}
}

// unquoted reads a string.
func (s *Scanner) unquoted() string {
	token, escaped := s.quoted()
	switch {
	case len(token) < 2:
		return ""
	case !escaped:
		return token[1 : len(token)-1]
	}
	var text string
	if json.Unmarshal([]byte(token), &text) != nil {
		s.Fail()
	}
	return text
}

// ordinary returns the index of the first byte from i on that is more than a
// character of a string: a quote, a backslash or a control character.
func (s *Scanner) ordinary(i int) int {
	for ; i+8 <= len(s.body); i += 8 {
		if found := special(binary.LittleEndian.Uint64(s.body[i:])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(s.body) && s.body[i] != '"' && s.body[i] != '\\' && s.body[i] >= ' ' {
		i++
	}
	return i
}

// special marks, in a word of eight bytes, those that are a quote, a backslash
// or a control character, by their highest bit. A mark above the lowest one may
// be wrong, since the subtractions borrow.
func special(word uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, backslash := word^(ones*'"'), word^(ones*'\\')
	return ((quote-ones) & ^quote | (backslash-ones) & ^backslash | (word-ones*' ') & ^word) & tops
}
