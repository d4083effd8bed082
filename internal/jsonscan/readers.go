package jsonscan

import (
	"reflect"
	"unsafe"

	"github.com/walletfi/walletfi-go"
)

type decimal = walletfi.Decimal

// kind says which reader a field has. The most frequent ones are called
// without a function pointer.
type kind uint8

const (
	_ kind = iota
	isDecimal
	isText
	isOther
)

// standard are the readers of types by name.
var standard = map[reflect.Type]reader{
	reflect.TypeFor[walletfi.Time]():   typed((*Scanner).Time),
	reflect.TypeFor[walletfi.Amount](): typed((*Scanner).Amount),
	reflect.TypeFor[int]():             typed((*Scanner).Count),
	reflect.TypeFor[bool]():            typed((*Scanner).Bool),
	reflect.TypeFor[uint64]():          typed((*Scanner).Uint64),
	reflect.TypeFor[[]string]():        typed((*Scanner).Strings),
}

// readerOf returns the reader for fields of type t. Its kind is 0 if there is
// none.
func readerOf(t reflect.Type, o *settings) (kind, reader) {
	if read, ok := o.readers[t]; ok {
		return isOther, read
	}
	if read, ok := standard[t]; ok {
		return isOther, read
	}
	switch {
	case t == reflect.TypeFor[decimal]():
		return isDecimal, nil
	case t.Kind() == reflect.String && !reflect.PointerTo(t).Implements(unmarshaler):
		return isText, nil
	case t.Kind() == reflect.Struct && !reflect.PointerTo(t).Implements(unmarshaler):
		within := membersOf(t, o)
		return isOther, func(s *Scanner, field unsafe.Pointer) {
			if !s.Null() {
				within.read(s, field)
			}
		}
	}
	return 0, nil
}

var unmarshaler = reflect.TypeFor[interface{ UnmarshalJSON([]byte) error }]()
