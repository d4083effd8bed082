package wire

import (
	"reflect"
	"strings"
	"time"
	"unsafe"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/instant"
	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/number"
)

// The readers of the types that most members of an answer have. Each takes what comes
// as a rule, and leaves everything else to the type's UnmarshalJSON.

// readDecimal reads a number, bare or quoted. Anything else does not fit, and into gets
// its text.
func readDecimal(s *Scanner, p unsafe.Pointer) *FieldError {
	into := (*walletfi.Decimal)(p)
	if s.decimal(into) {
		return nil
	}
	from := s.at
	switch s.Peek() {
	case 'n':
		s.literal("null")
		return nil
	case '"':
		*into = decimalOf(s.unquoted())
	default:
		s.Skip()
		*into = decimalOf(s.text[from:s.at])
	}
	text := s.text[from:s.at]
	if s.failed || into.IsZero() || text[0] == '"' && number.Valid(into.String()) {
		return nil
	}
	return misfit(s.text[from:], reflect.TypeFor[walletfi.Decimal]())
}

// decimal is readDecimal of a number. It returns false, and has read nothing, if none is
// next.
func (s *Scanner) decimal(into *walletfi.Decimal) bool {
	quotes := 0
	if s.Peek() == '"' {
		quotes = 1
	}
	text := s.text[s.at+quotes:]
	end := number.End(text)
	if end == 0 || quotes == 1 && (end == len(text) || text[end] != '"') {
		return false
	}
	*into = decimalOf(text[:end])
	s.at += end + 2*quotes
	return true
}

// decimalOf is walletfi.NewDecimal without a second check of the number, which
// would cost a third of the time that a page of candles takes. A Decimal is a
// struct of one string: TestDecimalOf holds that.
func decimalOf(text string) walletfi.Decimal {
	return *(*walletfi.Decimal)(unsafe.Pointer(&text))
}

// maxDigits is the most digits that digits reads: no integer of so many digits
// exceeds an int64.
const maxDigits = 18

// digits reads a bare integer of at most 18 digits that is not negative. It returns -1,
// and has read nothing, if that is not what comes next.
func (s *Scanner) digits() int64 {
	from, at, n := unsafe.Add(s.base, s.at), 0, int64(0)
	next := func() byte { return *(*byte)(unsafe.Add(from, at)) } // at most the 0 that ends the text
	for digit := next() - '0'; digit <= 9; digit = next() - '0' {
		n = 10*n + int64(digit)
		at++
	}
	if at == 0 || at > maxDigits || at > 1 && s.Peek() == '0' || next() == '.' || next()|0x20 == 'e' {
		return -1
	}
	s.at += at
	return n
}

// readAmount reads digits, bare or quoted. An empty text leaves the amount as it is.
func readAmount(s *Scanner, p unsafe.Pointer) *FieldError {
	into := (*walletfi.Amount)(p)
	if s.amount(into) {
		return nil
	}
	if strings.HasPrefix(s.text[s.at:], `""`) {
		s.at += len(`""`)
		return nil
	}
	return s.unmarshal(reflect.TypeFor[walletfi.Amount](), func(b []byte) error {
		if b[0] == '"' { // digits may be escaped
			b = []byte(`"` + string(jsontext.Unquote(b)) + `"`)
		}
		return into.UnmarshalJSON(b)
	})
}

// amount is readAmount of digits. It returns false, and has read nothing, if none are
// next, or more than 18.
func (s *Scanner) amount(into *walletfi.Amount) bool {
	from := s.at
	quoted := s.Peek() == '"'
	if quoted {
		s.at++
	}
	n := s.digits()
	if n < 0 || quoted && s.Peek() != '"' {
		s.at = from
		return false
	}
	if quoted {
		s.at++
	}
	*into = walletfi.Amount(n)
	return true
}

// maxSeconds is after the year 5000: a larger number is not a time in seconds.
const maxSeconds = 99_999_999_999

// readTime reads what walletfi.Time reads.
func readTime(s *Scanner, p unsafe.Pointer) *FieldError {
	from, into := s.at, (*walletfi.Time)(p)
	if n := s.digits(); n >= 0 {
		if n <= maxSeconds {
			into.Time = time.Unix(n, 0).UTC()
			return nil
		}
		s.at = from
	}
	text, read := "", instant.Parse[string]
	c := s.Peek()
	if c == '"' {
		text, _ = s.ifPlain()
	} else if c-'0' <= 9 || c == '-' {
		text, read = s.number(), instant.Unix[string]
	}
	if text != "" {
		if at, ok := read(text); ok {
			into.Time = at
			return nil
		}
	}
	if s.failed {
		return nil
	}
	s.at = from
	return s.unmarshal(reflect.TypeFor[walletfi.Time](), into.UnmarshalJSON)
}

// readDocument keeps a value as it came, null too.
func readDocument(s *Scanner, p unsafe.Pointer) *FieldError {
	from := s.at
	s.Skip()
	if !s.failed {
		*(*walletfi.Document)(p) = s.Kept(from)
	}
	return nil
}
