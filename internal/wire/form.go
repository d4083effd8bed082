package wire

import (
	"reflect"
	"strings"
	"unsafe"
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
	return len(text)%4 == 0 && len(text)-len(digits) <= 2 && strings.Trim(digits, base64Letters) == ""
}

func isBase58(text string) bool { return strings.Trim(text, base58Letters) == "" }

// How long 32 bytes are in base58. A signature has twice as many.
const shortestKey, longestKey = 32, 44

func isKeyText(text string, shortest, longest int) bool {
	return shortest <= len(text) && len(text) <= longest && isBase58(text)
}

// isIdentifier reports whether a text, whatever it identifies, has only letters, digits
// and signs that identifiers have.
func isIdentifier(text string) bool { return strings.Trim(text, base64Letters+"-_.:=~@#") == "" }
