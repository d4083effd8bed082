// Package jsonscan reads JSON without reflection, for the few bodies that come
// often and large.
//
// A [Scanner] accepts what a service usually sends and fails on all else: a
// value of another type, a member that comes twice, a member whose name differs
// from a known one in case alone. A failure decides nothing: the caller then
// decodes the body with encoding/json. What a Scanner does accept, it reads as
// encoding/json does.
//
// A [Shape] reads an object by the json tags of a struct. The functions that
// take a text and an index, such as [Take], are for messages that are so short
// and frequent that a Scanner costs too much.
package jsonscan

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Scanner reads one JSON text. After a failure it is at the end of the text and
// every further step fails too, so that only the result of [Scan] needs to be
// checked.
type Scanner struct {
	// Room is for the readers of the caller, for what they need in addition to the
	// text.
	Room any

	body   []byte
	text   string // a copy of body: strings that are read share its memory
	at     int
	depth  int // of the objects and arrays that are open
	failed bool
	simple bool // the body has neither escapes nor control characters, and is ASCII
}

// Scan runs read over the one value that body must be, and reports whether read
// accepted all of it. Of what read does not know it refuses members at the top that
// can make a refusal of an answer: success, error, errors, status.
func Scan(body []byte, read func(*Scanner)) bool {
	simple := allPlain(body)
	if !simple && !utf8.Valid(body) {
		return false
	}
	s := &Scanner{body: body, text: string(body), simple: simple}
	s.space()
	read(s)
	s.space()
	return !s.failed && s.at == len(s.text)
}

// Fail makes the scan fail.
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

// Offset returns how many bytes of the body were read.
func (s *Scanner) Offset() int { return s.at }

// Since returns the bytes of the body that were read from the given offset on.
func (s *Scanner) Since(offset int) []byte { return s.body[offset:s.at:s.at] }

// Rest returns what is still to be read.
func (s *Scanner) Rest() []byte { return s.body[s.at:] }

// space passes over white space, of which most answers have none.
func (s *Scanner) space() {
	if s.at < len(s.text) && s.text[s.at] <= ' ' {
		s.at = Space(s.body, s.at)
	}
}

// Open reads an opening bracket and reports whether the object or array holds
// anything. If it does, the first name or element is next.
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
	s.depth++
	return true
}

// Next goes on to the next name or element. At the closing bracket it returns
// false.
func (s *Scanner) Next(bracket byte) bool {
	s.space()
	switch s.Peek() {
	case ',':
		s.at++
		s.space()
		return true
	case closing(bracket):
		s.at++
		s.depth--
	default:
		s.Fail()
	}
	return false
}

// closing is the bracket that ends what the given one begins.
func closing(bracket byte) byte { return bracket + 2 }

// Key reads a member's name and the colon; its value is next.
func (s *Scanner) Key() string {
	name := s.unquoted()
	s.space()
	if s.Peek() != ':' {
		s.Fail()
		return ""
	}
	s.at++
	s.space()
	return name
}

// take passes over a name with its quotes and colon, if it is next; its value is next
// then. No name is empty.
func (s *Scanner) take(text string) bool {
	if text == "" || !strings.HasPrefix(s.text[s.at:], text) {
		return false
	}
	s.at += len(text)
	s.space()
	return true
}

// plain reads a string without escapes.
func (s *Scanner) plain() string {
	text, ok := s.ifPlain()
	if !ok {
		s.Fail()
	}
	return text
}

// ifPlain reads a string without escapes, if one is next.
func (s *Scanner) ifPlain() (text string, ok bool) {
	if s.Peek() != '"' {
		return "", false
	}
	start := s.at + 1
	if s.simple {
		n := strings.IndexByte(s.text[start:], '"')
		if n < 0 {
			return "", false
		}
		s.at = start + n + 1
		return s.text[start : start+n], true
	}
	end := s.ordinary(start)
	if end == len(s.text) || s.text[end] != '"' {
		return "", false
	}
	s.at = end + 1
	return s.text[start:end], true
}

// quoted reads a string and returns it with its quotes and escapes. It does not
// check the escapes.
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
	if text, ok := s.ifPlain(); ok {
		return text
	}
	return s.unescaped()
}

// unescaped reads a string that may hold escapes.
func (s *Scanner) unescaped() (text string) {
	token, _ := s.quoted()
	if !s.failed && json.Unmarshal([]byte(token), &text) != nil {
		s.Fail()
	}
	return text
}
