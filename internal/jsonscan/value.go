package jsonscan

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
)

// maxSkipDepth bounds the recursion over what is passed over.
const maxSkipDepth = 64

// Null passes a null, if one is next.
func (s *Scanner) Null() bool {
	if s.Peek() != 'n' {
		return false
	}
	s.literal("null")
	return true
}

func (s *Scanner) literal(word string) {
	if end := s.at + len(word); end <= len(s.text) && s.text[s.at:end] == word {
		s.at = end
		return
	}
	s.Fail()
}

// String reads a text into what is still empty; a null leaves it so.
func (s *Scanner) String(into *string) {
	if *into != "" {
		s.Fail()
	}
	if !s.Null() {
		*into = s.unquoted()
	}
}

// Strings reads an array of texts into what is still nil; a null leaves it so.
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

// Time reads a time of RFC 3339 into what is still zero; an empty text or a
// null leaves it so.
func (s *Scanner) Time(into *walletfi.Time) {
	if !into.IsZero() {
		s.Fail()
	}
	if s.Null() {
		return
	}
	text := s.plain()
	if text == "" {
		return
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		s.Fail()
	}
	into.Time = t
}

// Scalar reads a text or a number as it stands in the JSON, quotes and all. It
// fails on a text with escapes, and on what is neither.
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

// Other passes over the value of a member that is not ours. It fails where
// encoding/json, which compares names without regard to case, might take the
// name for one of ours.
func (s *Scanner) Other(name string, ours ...string) {
	for i := range len(name) {
		if name[i] >= 0x80 { // some of these fold to ASCII letters
			s.Fail()
			return
		}
	}
	for _, own := range ours {
		if len(own) == len(name) && strings.EqualFold(own, name) {
			s.Fail()
			return
		}
	}
	s.Skip()
}

// OtherLower is Other where all names that are ours lack upper case: it fails
// on a name that has some, which spares the comparisons.
func (s *Scanner) OtherLower(name string) {
	for i := range len(name) {
		if c := name[i]; c >= 'A' && c <= 'Z' || c >= 0x80 {
			s.Fail()
			return
		}
	}
	s.Skip()
}

// Skip passes over a value, and checks that it is one.
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
