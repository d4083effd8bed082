package jsonscan

import (
	"strconv"
	"unsafe"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/number"
)

// Decimal reads a number, bare or quoted. An empty string or a null leaves the
// field as it is. Decimal fails if the field was set before.
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
	text := s.text[s.at:]
	end := number.End(text)
	if end == 0 {
		s.Fail()
		return walletfi.Decimal{}
	}
	s.at += end
	return decimalOf(text[:end])
}

// decimalOf is walletfi.NewDecimal without a second check of the number, which
// would cost a third of the time that a page of candles takes. A Decimal is a
// struct of one string: TestDecimalOf holds that.
func decimalOf(number string) walletfi.Decimal {
	return *(*walletfi.Decimal)(unsafe.Pointer(&number))
}

// maxDigits is the most digits that Integer reads: no integer of so many digits
// exceeds an int64.
const maxDigits = 18

// Integer reads a bare integer of at most 18 digits that is not negative. The
// next step fails on a fraction or an exponent after it.
func (s *Scanner) Integer() int64 {
	n := s.digits()
	if n < 0 {
		s.Fail()
		return 0
	}
	return n
}

// digits reads digits; it is negative if they are no integer or too many.
func (s *Scanner) digits() int64 {
	start, n := s.at, int64(0)
	for s.at < len(s.text) && s.text[s.at]-'0' <= 9 {
		n = 10*n + int64(s.text[s.at]-'0')
		s.at++
	}
	digits := s.at - start
	if digits == 0 || digits > maxDigits || digits > 1 && s.text[start] == '0' {
		return -1
	}
	return n
}

// goesOn reports whether a fraction or an exponent is next.
func (s *Scanner) goesOn() bool {
	c := s.Peek()
	return c == '.' || c|0x20 == 'e'
}

// Uint64 reads an Integer. A null leaves the field as it is. Uint64 fails if the
// field was set before.
func (s *Scanner) Uint64(into *uint64) {
	if *into != 0 {
		s.Fail()
	}
	if !s.Null() {
		*into = uint64(s.Integer())
	}
}

// Count reads an Integer. A null leaves the field as it is. Count fails if the
// field was set before, or if the integer exceeds an int.
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

// Amount reads digits, bare or quoted. A null leaves the field as it is. Amount fails
// if the field was set before.
func (s *Scanner) Amount(into *walletfi.Amount) {
	if *into != 0 {
		s.Fail()
	}
	if s.Null() {
		return
	}
	if c := s.Peek(); c-'0' <= 9 {
		start := s.at
		if n := s.digits(); n >= 0 && !s.goesOn() {
			*into = walletfi.Amount(n)
			return
		}
		s.at = start
	}
	text := s.Scalar()
	if len(text) >= 2 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		s.Fail()
	}
	*into = walletfi.Amount(n)
}
