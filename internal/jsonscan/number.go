package jsonscan

import "github.com/walletfi/walletfi-go"

// Decimal reads a number, bare or quoted, into what is still zero; an empty
// text or a null leaves it so.
func (s *Scanner) Decimal(into *walletfi.Decimal) {
	if !into.IsZero() {
		s.Fail()
	}
	switch s.Peek() {
	case 'n':
		s.Null()
	case '"':
		s.at++
		if s.Peek() != '"' {
			*into = s.number()
		}
		if s.Peek() != '"' {
			s.Fail()
			return
		}
		s.at++
	default:
		*into = s.number()
	}
}

// number reads a bare number.
func (s *Scanner) number() walletfi.Decimal {
	d, rest, ok := walletfi.CutDecimal(s.text[s.at:])
	if !ok {
		s.Fail()
		return d
	}
	s.at = len(s.text) - len(rest)
	return d
}

// maxDigits is how many digits an integer may have that is read by hand: none
// of so many is beyond an int64.
const maxDigits = 18

// Integer reads a bare integer that is not negative, of 18 digits at most. A
// fraction or exponent behind it is left for the next step to fail on.
func (s *Scanner) Integer() int64 {
	start, n := s.at, int64(0)
	for s.at < len(s.text) && s.text[s.at]-'0' <= 9 {
		n = 10*n + int64(s.text[s.at]-'0')
		s.at++
	}
	digits := s.at - start
	if digits == 0 || digits > maxDigits || digits > 1 && s.text[start] == '0' {
		s.Fail()
		return 0
	}
	return n
}

// Count reads an Integer into what is still 0; a null leaves it so.
func (s *Scanner) Count(into *int) {
	if *into != 0 {
		s.Fail()
	}
	if s.Null() {
		return
	}
	n := s.Integer()
	if *into = int(n); int64(*into) != n {
		s.Fail()
	}
}
