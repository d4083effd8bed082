package onchaindata

import (
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"unicode/utf8"
)

// scanner reads the few answers that come often and large without reflection:
// pages of pools, candles, trades. It takes what the service sends as a rule
// and fails on all else, such as a field of another type, a key that comes
// twice or one that differs from ours in case alone. A failure is no verdict:
// the body is decoded the ordinary way then, which decides. What it does not
// fail on it reads as that way does.
//
// A reader of a field fails where the field was set before, because what
// encoding/json makes of a key that comes twice depends on the field's type.
type scanner struct {
	body   []byte
	text   string // body once more; texts and decimals are cut from it
	at     int
	failed bool

	counts []TransactionCount // room for the next
}

// scan runs read over the one value that body must be.
func scan(body []byte, read func(*scanner)) bool {
	if !utf8.Valid(body) {
		return false
	}
	s := &scanner{body: body, text: string(body)}
	read(s)
	s.space()
	return !s.failed && s.at == len(s.text)
}

// fail makes everything that follows fail too.
func (s *scanner) fail() {
	s.failed = true
	s.at = len(s.text)
}

// peek returns the next byte, 0 at the end, which is no byte of any JSON.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) space() {
	for s.at < len(s.text) && s.text[s.at] <= ' ' {
		switch s.text[s.at] {
		case ' ', '\n', '\t', '\r':
			s.at++
		default:
			s.fail()
		}
	}
}

// open enters an object or array, by its opening bracket, and reports whether
// it holds anything.
func (s *scanner) open(bracket byte) bool {
	s.space()
	if s.peek() != bracket {
		s.fail()
		return false
	}
	s.at++
	s.space()
	if s.peek() == closing(bracket) {
		s.at++
		return false
	}
	return true
}

// next passes the comma behind an item, or leaves at the closing bracket.
func (s *scanner) next(bracket byte) bool {
	s.space()
	switch s.peek() {
	case ',':
		s.at++
		return true
	case closing(bracket):
		s.at++
	default:
		s.fail()
	}
	return false
}

// closing is the bracket that ends what the given one begins.
func closing(bracket byte) byte { return bracket + 2 }

// key reads a member's name and the colon.
func (s *scanner) key() string {
	s.space()
	name := s.ourName()
	if name == "" {
		name = s.plain()
	}
	s.space()
	if s.peek() != ':' {
		s.fail()
		return ""
	}
	s.at++
	s.space()
	return name
}

// ourName reads a name of the characters that our own have. It reads nothing
// where another comes first.
func (s *scanner) ourName() string {
	start := s.at + 1
	end := start
	for end < len(s.text) && inName[s.text[end]] {
		end++
	}
	if s.peek() != '"' || end >= len(s.text) || s.text[end] != '"' {
		return ""
	}
	s.at = end + 1
	return s.text[start:end]
}

// inName tells the bytes that the names of the attributes are made of.
var inName = func() (in [256]bool) {
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789_" {
		in[c] = true
	}
	return in
}()

// null passes a null, if one is next.
func (s *scanner) null() bool {
	if s.peek() != 'n' {
		return false
	}
	s.literal("null")
	return true
}

func (s *scanner) literal(word string) {
	if end := s.at + len(word); end <= len(s.text) && s.text[s.at:end] == word {
		s.at = end
		return
	}
	s.fail()
}

// plain reads a string without escapes.
func (s *scanner) plain() string {
	token, escaped := s.quoted()
	if escaped || len(token) < 2 {
		s.fail()
		return ""
	}
	return token[1 : len(token)-1]
}

// unquoted reads a string.
func (s *scanner) unquoted() string {
	token, escaped := s.quoted()
	switch {
	case len(token) < 2:
		return ""
	case !escaped:
		return token[1 : len(token)-1]
	}
	var text string
	if json.Unmarshal([]byte(token), &text) != nil {
		s.fail()
	}
	return text
}

// quoted reads a string as it stands, quotes and escapes and all. The escapes
// were not looked at.
func (s *scanner) quoted() (token string, escaped bool) {
	if s.peek() != '"' {
		s.fail()
		return "", false
	}
	start := s.at
	for i := start + 1; ; i++ {
		i = s.ordinary(i)
		if i >= len(s.text) || s.text[i] < ' ' {
			s.fail()
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

// ordinary returns the index of the first byte from s.text[i] on that is more
// than a character of a string: a quote, a backslash or a control character.
func (s *scanner) ordinary(i int) int {
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
// be wrong: the subtractions borrow.
func special(word uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, backslash := word^(ones*'"'), word^(ones*'\\')
	return ((quote-ones) & ^quote | (backslash-ones) & ^backslash | (word-ones*' ') & ^word) & tops
}
