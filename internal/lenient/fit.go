package lenient

import (
	"reflect"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// fit says what a value looks like that encoding/json takes for a type: a guess by its
// first byte, and for an integer by all of it. The guess decides which way of decoding
// is tried first, and nothing else.
type fit uint8

const (
	fitsAll fit = iota
	fitsText
	fitsNumber
	fitsInteger
	fitsBool
	fitsObject
	fitsList
)

// fitOf returns the fit of type t.
func fitOf(t reflect.Type, quoted bool) fit {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch k := t.Kind(); {
	case reflect.PointerTo(t).Implements(jsonUnmarshaler), k == reflect.Interface, t == jsonNumber:
		return fitsAll
	case quoted, k == reflect.String, reflect.PointerTo(t).Implements(textUnmarshaler):
		return fitsText
	case k == reflect.Bool:
		return fitsBool
	case isInteger(k):
		return fitsInteger
	case isFloat(k):
		return fitsNumber
	case k == reflect.Struct, k == reflect.Map:
		return fitsObject
	case isList(t) && t.Elem().Kind() != reflect.Uint8:
		return fitsList
	}
	return fitsAll
}

// takes reports whether the value at text[i] looks right. Null does for every type.
func (f fit) takes(text []byte, i int) bool {
	if f == fitsAll || i >= len(text) {
		return true
	}
	c := text[i]
	switch isNumber := c == '-' || '0' <= c && c <= '9'; f {
	case fitsText:
		return c == '"' || c == 'n'
	case fitsNumber:
		return isNumber || c == 'n'
	case fitsInteger:
		return isNumber && isWhole(text[i:jsontext.ValueEnd(text, i)]) || c == 'n'
	case fitsBool:
		return c == 't' || c == 'f' || c == 'n'
	case fitsObject:
		return c == '{' || c == 'n'
	}
	return c == '[' || c == 'n'
}

// isWhole reports a number without fraction and exponent.
func isWhole(number []byte) bool {
	for _, c := range number {
		if c == '.' || c|0x20 == 'e' {
			return false
		}
	}
	return true
}
