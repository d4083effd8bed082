package jsonscan

import (
	"encoding/json"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/instant"
)

// maxSkipDepth is how deep a value may nest that Skip passes over.
const maxSkipDepth = 64

// Null passes over a null if it is next, and reports whether it was.
func (s *Scanner) Null() bool {
	if s.Peek() != 'n' {
		return false
	}
	s.literal("null")
	return true
}

func (s *Scanner) literal(word string) {
	end := Literal(s.body, s.at, word)
	if end < 0 {
		s.Fail()
		return
	}
	s.at = end
}

// String reads a string. A null leaves the field as it is. String fails if the
// field was set before.
func (s *Scanner) String(into *string) {
	if *into != "" {
		s.Fail()
	}
	if !s.Null() {
		*into = s.unquoted()
	}
}

// Strings reads an array of strings. A null leaves the field as it is. Strings
// fails if the field was set before.
func (s *Scanner) Strings(into *[]string) {
	if *into != nil {
		s.Fail()
	}
	if s.Null() {
		return
	}
	list := []string{}
	for more := s.Open('['); more; more = s.Next('[') {
		list = append(list, s.unquoted())
	}
	*into = list
}

// Time reads a time as walletfi.Time does, but no escapes. An empty string or a null leaves the field as
// it is. Time fails if the field was set before.
func (s *Scanner) Time(into *walletfi.Time) {
	if !into.IsZero() {
		s.Fail()
	}
	if s.Null() {
		return
	}
	text, read := "", instant.Parse[string]
	if s.Peek() == '"' {
		if text = s.plain(); text == "" {
			return
		}
	} else {
		text, read = s.number().String(), instant.Unix[string]
	}
	var ok bool
	if into.Time, ok = read(text); !ok {
		s.Fail()
	}
}

// Scalar reads a string or a number and returns it as the body has it, a string
// with its quotes. It fails on a string with escapes and on any other value.
func (s *Scanner) Scalar() string {
	if s.Peek() != '"' {
		return s.number().String()
	}
	token, escaped := s.quoted()
	if escaped {
		s.Fail()
	}
	return token
}

// Other passes over the value of an unknown member. It fails if encoding/json,
// which ignores case in names, could take the name for a known one.
func (s *Scanner) Other(name string, known ...string) {
	for i := range len(name) {
		if name[i] >= 0x80 { // some of these fold to ASCII letters
			s.Fail()
			return
		}
	}
	for _, own := range known {
		if len(own) == len(name) && strings.EqualFold(own, name) {
			s.Fail()
			return
		}
	}
	s.Skip()
}

// OtherLower is Other for known names without upper-case letters: it fails on a
// name that has one, which saves the comparisons.
func (s *Scanner) OtherLower(name string) {
	for i := range len(name) {
		if c := name[i]; c >= 'A' && c <= 'Z' || c >= 0x80 {
			s.Fail()
			return
		}
	}
	s.Skip()
}

// Skip passes over a value and checks its syntax.
func (s *Scanner) Skip() { s.skip(maxSkipDepth) }

// skip is Skip for a value that nests no deeper than depth.
func (s *Scanner) skip(depth int) {
	switch s.Peek() {
	case '"':
		if token, escaped := s.quoted(); escaped && !json.Valid([]byte(token)) {
			s.Fail()
		}
	case '{', '[':
		s.skipNested(s.Peek(), depth)
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

func (s *Scanner) skipNested(bracket byte, depth int) {
	if depth == 0 {
		s.Fail()
	}
	for more := s.Open(bracket); more; more = s.Next(bracket) {
		if bracket == '{' {
			s.skipName()
		}
		s.skip(depth - 1)
	}
}

// skipName passes over a member's name, which may hold escapes, and the colon.
func (s *Scanner) skipName() {
	if token, escaped := s.quoted(); escaped && !json.Valid([]byte(token)) {
		s.Fail()
	}
	s.space()
	if s.Peek() != ':' {
		s.Fail()
		return
	}
	s.at++
	s.space()
}
