package wire

import (
	"reflect"
	"unsafe"

	"github.com/walletfi/walletfi-go"
)

// kind says which type a value has, if it is one of the most frequent ones.
type kind uint8

const (
	_ kind = iota
	isText
	isDecimal
	isAmount
	isCount // an integer of 64 bits
	isOther
)

// asKind are the types for which [Plain] was called. It is filled before main.
var asKind = map[reflect.Type]bool{}

// Plain says that a type with an UnmarshalJSON, a text or an integer, is read as its kind is
// if a text without escapes comes, or digits. UnmarshalJSON is not called then.
func Plain[T ~string | ~int64 | ~uint64]() { asKind[reflect.TypeFor[T]()] = true }

func kindOf(t reflect.Type) kind {
	switch k := t.Kind(); {
	case t == reflect.TypeFor[walletfi.Decimal]():
		return isDecimal
	case t == reflect.TypeFor[walletfi.Amount]():
		return isAmount
	case !asKind[t] && readsItself(t), standard[t] != nil:
		return isOther
	case k == reflect.String:
		return isText
	case k == reflect.Int64, k == reflect.Uint64, k == reflect.Int && t.Size() == 8:
		return isCount
	}
	return isOther
}

// readsItself reports whether a type has a reader or a decoder of its own.
func readsItself(t reflect.Type) bool {
	pointer := reflect.PointerTo(t)
	return own[t] != nil || t.Implements(selfCompiling) || pointer.Implements(selfReading) ||
		pointer.Implements(jsonUnmarshaler) || pointer.Implements(textUnmarshaler)
}

// quick reads what a value of the kind is as a rule, or returns false and has read
// nothing.
func (k kind) quick(s *Scanner, p unsafe.Pointer) (ok bool) {
	switch k {
	case isText:
		var text string
		if text, ok = s.ifPlain(); ok {
			*(*string)(p) = text
		}
	case isDecimal:
		ok = s.decimal((*walletfi.Decimal)(p))
	case isAmount:
		ok = s.amount((*walletfi.Amount)(p))
	case isCount:
		n := s.digits()
		if ok = n >= 0; ok {
			*(*int64)(p) = n
		}
	}
	return ok
}
