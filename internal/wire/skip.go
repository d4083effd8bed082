package wire

import "github.com/walletfi/walletfi-go/internal/number"

// Skip passes over a value and checks its syntax.
func (s *Scanner) Skip() {
	switch c := s.Peek(); c {
	case '"':
		s.skipText()
	case '{', '[':
		for more := s.Open(c); more; more = s.Next(c) {
			if c == '{' {
				s.skipText()
				s.colon()
			}
			s.Skip()
		}
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

// Walk checks that a body is JSON, and calls report for each member of its object.
func Walk(body []byte, report Reporter) error {
	s, err := scan(body)
	if err != nil {
		return err
	}
	if s.Peek() != '{' {
		s.Skip()
		return s.end()
	}
	for more := s.Open('{'); more; more = s.Next('{') {
		name, from := s.Key(), s.at
		if s.Skip(); !s.failed {
			report.Member([]string{name}, from, s.at, false)
		}
	}
	return s.end()
}

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
		s.fail()
		return
	}
	s.at = end
}

// number reads a bare number.
func (s *Scanner) number() string {
	text := s.text[s.at:]
	end := number.End(text)
	if end == 0 {
		s.fail()
		return ""
	}
	s.at += end
	return text[:end]
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
				s.fail()
				return
			}
			i += 4
		default:
			s.fail()
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
