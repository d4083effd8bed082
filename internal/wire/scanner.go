package wire

import (
	"encoding/json"
	"strings"
	"unsafe"

	"github.com/walletfi/walletfi-go"
)

// MaxDepth is how deep the objects and arrays of a body may nest.
const MaxDepth = 1000

// Scanner reads one JSON text. After a failure, which means that the text is not JSON,
// it is at the end of the text, and every further step fails too.
type Scanner struct {
	body   []byte
	text   string         // a copy of body: strings that are read share its memory
	base   unsafe.Pointer // of text in memory
	at     int
	depth  int    // of the objects and arrays that are open
	name   string // that seek has read
	maps   int    // of those, how many are read into a map
	failed bool
	deep   bool // failed because of MaxDepth
	simple bool // the body has neither escapes nor control characters, and is ASCII
	tells  bool // what came from a service: opaque texts that are odd are said
	owned  bool // the body does not change: what is kept may share its memory

	takesAll bool  // see DecodeCreated
	notes    bool  // the breaches of what takesAll takes: see Created
	lost     bool  // a value did not fit, and no Raw has it yet
	spoilt   Fault // of the values of a map, until the member that has it is read
	unread   []*walletfi.RecordError
	broken   []*FieldError // the breaches that belong to no record yet
	rooms    []*room
	report   Reporter  // nil if there is none
	watch    int       // how deep the members are that report gets
	misfit   *member   // whose value did not fit, until it is judged
	path     []string  // the members that are open, as far as watch
	names    [3]string // room for path
	inside   bool      // the members of the latest value were reported
	reported bool      // report has got all members
	doubted  bool      // report has got members that were read again
	strange  int       // see Strange
}

func (s *Scanner) fail() {
	s.failed = true
	s.at = len(s.text)
}

// Peek returns the first byte of the value that is next, 0 at the end.
func (s *Scanner) Peek() byte { return *(*byte)(unsafe.Add(s.base, s.at)) }

// Offset returns how many bytes of the body were read.
func (s *Scanner) Offset() int { return s.at }

// Strange returns how many members were passed over so far that no field is declared for.
func (s *Scanner) Strange() int { return s.strange }

// Kept returns the bytes of the body that were read from the given offset on.
func (s *Scanner) Kept(from int) walletfi.Document {
	if s.owned {
		return s.body[from:s.at:s.at]
	}
	return append(walletfi.Document{}, s.body[from:s.at]...)
}

// space passes over white space, of which most answers have none.
func (s *Scanner) space() {
	if s.Peek() <= ' ' {
		s.at = Space(s.body, s.at)
	}
}

// Open reads an opening bracket and reports whether the object or array holds
// anything. If it does, the first name or element is next.
func (s *Scanner) Open(bracket byte) bool {
	if s.Peek() != bracket {
		s.fail()
		return false
	}
	s.at++
	s.space()
	if s.Peek() == closing(bracket) {
		s.at++
		return false
	}
	if s.depth++; s.depth > MaxDepth {
		s.deep = true
		s.fail()
	}
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
		s.fail()
	}
	return false
}

// closing is the bracket that ends what the given one begins.
func closing(bracket byte) byte { return bracket + 2 }

// Key reads a member's name and the colon; its value is next.
func (s *Scanner) Key() string {
	name := s.unquoted()
	s.colon()
	return name
}

func (s *Scanner) colon() {
	s.space()
	if s.Peek() != ':' {
		s.fail()
		return
	}
	s.at++
	s.space()
}

// naming says how an object goes on.
type naming uint8

const (
	ended      naming = iota
	asExpected        // the expected name was read, and its value is next
	otherwise         // a name is next
)

// enter reads the opening bracket of an object, and the name of a member if that is its
// first.
func (s *Scanner) enter(own *member) naming {
	if !s.Open('{') {
		return ended
	}
	return s.take(own)
}

// next goes on to the next member, and reads its name if it is that of a member.
func (s *Scanner) next(own *member) naming {
	if s.Peek() == ',' && s.begins(s.at+1, &own.opens) {
		s.at += 1 + own.opens.length
		s.space()
		return asExpected
	}
	if !s.Next('{') {
		return ended
	}
	return s.take(own)
}

// take passes over the name of a member and its colon, if they are next.
func (s *Scanner) take(own *member) naming {
	if !s.begins(s.at, &own.opens) {
		return otherwise
	}
	s.at += own.opens.length
	s.space()
	return asExpected
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
		s.fail()
	}
	return text
}
