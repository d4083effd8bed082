package wire

import (
	"reflect"
	"strings"
	"unsafe"
)

// alphabet has the letters that a text may have. A table costs less than the set that package
// strings makes of them for each text.
type alphabet [256]bool

func alphabetOf(letters string) *alphabet {
	a := new(alphabet)
	for i := range len(letters) {
		a[letters[i]] = true
	}
	return a
}

// spell reports whether a text has no other letters.
func (a *alphabet) spell(text string) bool {
	for i := range len(text) {
		if !a[text[i]] {
			return false
		}
	}
	return true
}

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

var (
	base58Letters     = alphabetOf("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
	base64Letters     = alphabetOf(alphanumeric + "+/")
	codeLetters       = alphabetOf(alphanumeric + "+/-_=")
	hexLetters        = alphabetOf("0123456789abcdefABCDEF")
	identifierLetters = alphabetOf(alphanumeric + "+/-_.:=~@#")
)

// transactionOf reads a text that holds a transaction, if it is in the encoding. An empty
// one says nothing.
func transactionOf[T ~string](isEncoded func(string) bool) reader {
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		from, text := s.at, ""
		isText := s.Peek() == '"' || s.Peek() == 'n'
		if err := readText(s, unsafe.Pointer(&text)); err != nil || s.failed || !isText || text != "" && !isEncoded(text) {
			return misfit(s.text[from:], reflect.TypeFor[T]())
		}
		if text != "" {
			*(*string)(p) = text
		}
		return nil
	}
}

// isBase64 reports whether a text is padded, and has the letters of standard base64 alone.
func isBase64(text string) bool {
	digits := strings.TrimRight(text, "=")
	return len(text)%4 == 0 && len(text)-len(digits) <= 2 && base64Letters.spell(digits)
}

func isBase58(text string) bool { return base58Letters.spell(text) }

// How long 32 bytes are in base58. A signature has twice as many.
const shortestKey, longestKey = 32, 44

func isKeyText(text string, shortest, longest int) bool {
	return shortest <= len(text) && len(text) <= longest && isBase58(text)
}

// isIdentifier reports whether a text, whatever it identifies, has only letters, digits
// and signs that identifiers have.
func isIdentifier(text string) bool { return identifierLetters.spell(text) }
