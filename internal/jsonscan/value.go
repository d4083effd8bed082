package jsonscan

import (
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/instant"
)

// maxSkipDepth is how deep a value may nest that Skip passes over, somewhat less than
// encoding/json allows for the whole body.
const maxSkipDepth = 9000

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

// Bool reads true or false. A null leaves the field as it is. Bool fails if the field
// was set before.
func (s *Scanner) Bool(into *bool) {
	switch {
	case *into:
		s.Fail()
	case s.Null():
	case s.Peek() == 't':
		s.literal("true")
		*into = true
	default:
		s.literal("false")
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
// which ignores case in names, would take the name for a known one.
func (s *Scanner) Other(name string, known ...string) {
	if s.mayRefuse(name) {
		s.Fail()
		return
	}
	plain := isASCII(name)
	for _, own := range known {
		// Beyond ASCII, names of different length can be equal.
		if (len(own) == len(name) || !plain) && strings.EqualFold(own, name) {
			s.Fail()
			return
		}
	}
	s.Skip()
}

// OtherLower is Other for known names without upper-case letters: a name that has none
// either need not be compared. Without known names it fails on one that has.
func (s *Scanner) OtherLower(name string, known ...string) {
	for i := range len(name) {
		if c := name[i]; c >= 'A' && c <= 'Z' || c >= 0x80 {
			if len(known) == 0 {
				s.Fail()
			}
			s.Other(name, known...)
			return
		}
	}
	if s.mayRefuse(name) {
		s.Fail()
		return
	}
	s.Skip()
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// mayRefuse reports whether a member of that name, at the top of a body, can make a
// refusal of an answer.
func (s *Scanner) mayRefuse(name string) bool {
	if s.depth != 1 || len(name) < len("error") || len(name) > len("success") && isASCII(name) {
		return false
	}
	for _, sign := range [...]string{"success", "error", "errors", "status"} {
		if strings.EqualFold(name, sign) {
			return true
		}
	}
	return false
}

// Skip passes over a value and checks its syntax.
func (s *Scanner) Skip() { s.skip(maxSkipDepth) }

// skip is Skip for a value that nests no deeper than depth.
func (s *Scanner) skip(depth int) {
	switch s.Peek() {
	case '"':
		s.skipText()
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
	s.skipText()
	s.space()
	if s.Peek() != ':' {
		s.Fail()
		return
	}
	s.at++
	s.space()
}

// skipText passes over a string and checks its escapes.
func (s *Scanner) skipText() {
	token, escaped := s.quoted()
	for i := 0; escaped && i < len(token); i++ {
		if token[i] != '\\' {
			continue
		}
		i++
		switch token[i] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		case 'u':
			if len(token)-i < 5 || !isHex(token[i+1:i+5]) {
				s.Fail()
				return
			}
			i += 4
		default:
			s.Fail()
			return
		}
	}
}

func isHex(digits string) bool {
	for i := range len(digits) {
		c := digits[i]
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}
