package lenient

import (
	"reflect"
	"sync"

	"github.com/walletfi/walletfi-go"
)

// A value that does not fit its field leaves the field at zero, unless money hangs
// on it. A field is strict if it is tagged wire:"strict", wire:"required" or wire:"present", or if
// its type is or holds an amount or a transaction, or a struct with such a field. A
// value that does not fit a strict field makes the answer unreadable, or the record
// of a list that is tagged wire:"records".

var strictTypes = map[reflect.Type]bool{
	reflect.TypeFor[walletfi.Amount]():            true,
	reflect.TypeFor[walletfi.Base64Transaction](): true,
	reflect.TypeFor[walletfi.Base58Transaction](): true,
}

var strictCache sync.Map // reflect.Type -> bool

// isStrict reports whether t is or holds a type that money hangs on.
func isStrict(t reflect.Type) bool {
	if known, ok := strictCache.Load(t); ok {
		return known.(bool)
	}
	has := searchStrict(t, map[reflect.Type]bool{})
	strictCache.Store(t, has)
	return has
}

func searchStrict(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch {
	case strictTypes[t]:
		return true
	case t.Kind() == reflect.Pointer, isList(t), t.Kind() == reflect.Map:
		return searchStrict(t.Elem(), seen)
	case t.Kind() != reflect.Struct:
		return false
	}
	for i := range t.NumField() {
		switch f := t.Field(i); f.Tag.Get("wire") {
		case "records":
		case "required", "present", "strict":
			return true
		default:
			if f.Tag.Get("json") != "-" && (f.IsExported() || f.Anonymous) && searchStrict(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
