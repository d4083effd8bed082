package wire

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/number"
)

// token reads a number, a bool or a text; of a text what is in the quotes, without escapes.
// It is not ok if the value does not fit: if it is an object or an array. A null and an empty text are no token.
func (s *Scanner) token() (text string, ok bool) {
	from := s.at
	switch s.Peek() {
	case '{', '[':
		return "", false
	case 'n':
		s.literal("null")
		return "", true
	}
	s.Skip()
	if s.failed {
		return "", true
	}
	text = s.text[from:s.at]
	if text[0] == '"' {
		text = string(jsontext.Unquote([]byte(text)))
	}
	return text, true
}

var stringType = reflect.TypeFor[string]()

// readText reads a text, or a number or a bool as one.
func readText(s *Scanner, p unsafe.Pointer) *FieldError {
	switch s.Peek() {
	case '"':
		*(*string)(p) = s.unquoted()
		return nil
	case 'n':
		s.literal("null")
		return nil
	}
	text, ok := s.token()
	if !ok {
		return misfit(s.text[s.at:], stringType)
	}
	*(*string)(p) = text
	return nil
}

func stringOf(t reflect.Type) reader {
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		if err := readText(s, p); err != nil {
			return misfit(s.text[s.at:], t)
		}
		return nil
	}
}

// textOf leaves a text to the type's UnmarshalText.
func textOf(t reflect.Type) reader {
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		from, text := s.at, ""
		if s.Null() {
			return nil
		}
		err := readText(s, unsafe.Pointer(&text))
		if err != nil || s.failed {
			return misfit(s.text[from:], t)
		}
		if reflect.NewAt(t, p).Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)) != nil {
			return misfit(s.text[from:], t)
		}
		return nil
	}
}

func boolOf(t reflect.Type) reader {
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		from := s.at
		switch text, ok := s.token(); {
		case !ok:
			return misfit(s.text[from:], t)
		case text == "":
		case text == "true" || text == "1":
			*(*bool)(p) = true
		case text == "false" || text == "0":
			*(*bool)(p) = false
		default:
			return misfit(s.text[from:], t)
		}
		return nil
	}
}

// numberOf reads a number, bare or in quotes, into any kind of it.
func numberOf(t reflect.Type) reader {
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		from := s.at
		text, ok := s.token()
		if ok && text == "" {
			return nil
		}
		if ok && setNumber(reflect.NewAt(t, p).Elem(), text) {
			return nil
		}
		return misfit(s.text[from:], t)
	}
}

func setNumber(v reflect.Value, text string) bool {
	if v.CanFloat() {
		f, err := strconv.ParseFloat(text, v.Type().Bits())
		if err == nil && number.End(text) == len(text) {
			v.SetFloat(f)
			return true
		}
		return false
	}
	whole, ok := integral(text)
	if !ok {
		return false
	}
	if v.CanInt() {
		n, err := strconv.ParseInt(whole, 10, v.Type().Bits())
		v.SetInt(n)
		return err == nil
	}
	n, err := strconv.ParseUint(whole, 10, v.Type().Bits())
	v.SetUint(n)
	return err == nil
}

// integral writes a number without fraction or exponent if that is exact.
func integral(text string) (string, bool) {
	// No integer that fits is longer, even with a fraction of zeros. The bound
	// on the exponent keeps 1e999999999 from becoming that many digits.
	const longest, longestExponent = 64, len("+99")
	if number.End(text) != len(text) || len(text) > longest {
		return "", false
	}
	_, exponent, isExponent := strings.Cut(strings.ToLower(text), "e")
	if !isExponent && !strings.Contains(text, ".") && text != "-0" {
		return text, true
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if !isExponent && strings.Trim(fraction, "0") == "" && whole != "-0" {
		return whole, true
	}
	if len(exponent) > longestExponent {
		return "", false
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || !r.IsInt() {
		return "", false
	}
	return r.Num().String(), true
}

// bytesOf reads base64, as encoding/json does.
func bytesOf(t reflect.Type) reader {
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		from := s.at
		switch {
		case s.Peek() == '[' && !s.isEmpty():
			s.Skip()
			v := reflect.NewAt(t, p).Interface()
			if s.failed || json.Unmarshal(bytes.Clone(s.body[from:s.at]), v) == nil {
				return nil
			}
			return misfit(s.text[from:], t)
		case s.Peek() == '[':
			s.Skip()
			reflect.NewAt(t, p).Elem().Set(reflect.MakeSlice(t, 0, 0))
			return nil
		case s.Peek() != '"':
			return s.orNull(t)
		}
		data, err := base64.StdEncoding.DecodeString(s.unquoted())
		if err != nil {
			return misfit(s.text[from:], t)
		}
		reflect.NewAt(t, p).Elem().SetBytes(data)
		return nil
	}
}
