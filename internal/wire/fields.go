package wire

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/walletfi/walletfi-go"
)

// field is a JSON member of a struct type, its own or promoted.
type field struct {
	name   string
	index  []int // for reflect.Value.FieldByIndex
	typ    reflect.Type
	tag    Tag
	strict bool // a value that does not fit is an error
	once   bool // an error if it comes twice
}

var fieldCache sync.Map // reflect.Type -> []field

// fieldsOf lists the JSON members of struct type t in their order.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldCache.Load(t); ok {
		return known.([]field)
	}
	var list []field
	var apart [][]int // the embedded structs whose fields are not promoted
	for _, f := range reflect.VisibleFields(t) {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		within := slices.ContainsFunc(apart, func(i []int) bool {
			return slices.Equal(i, f.Index[:min(len(i), len(f.Index))])
		})
		promotes := f.Anonymous && inner.Kind() == reflect.Struct && tag == ""
		if f.Anonymous && !promotes {
			apart = append(apart, f.Index)
		}
		if !within && !promotes && f.IsExported() && f.Tag.Get("json") != "-" {
			list = append(list, fieldOf(f, tag))
		}
	}
	list = slices.DeleteFunc(list, func(f field) bool { return hidden(f, list) })
	known, _ := fieldCache.LoadOrStore(t, list)
	return known.([]field)
}

// hidden reports whether a field of the same name is less deep.
func hidden(f field, among []field) bool {
	return slices.ContainsFunc(among, func(g field) bool { return g.name == f.name && len(g.index) < len(f.index) })
}

func fieldOf(f reflect.StructField, name string) field {
	tag := TagOf(f)
	made := field{name: name, index: f.Index, typ: f.Type, tag: tag}
	if name == "" {
		made.name = f.Name
	}
	made.strict = tag.Holds() || !tag.Records && isStrict(f.Type)
	made.once = made.strict || tag.Records || tag.Once
	return made
}

var strictTypes = map[reflect.Type]bool{
	reflect.TypeFor[walletfi.Amount]():            true,
	reflect.TypeFor[walletfi.Base64Transaction](): true,
	reflect.TypeFor[walletfi.Base58Transaction](): true,
}

// isStrict reports whether t is or holds a type that money hangs on.
func isStrict(t reflect.Type) bool {
	return search(t, map[reflect.Type]bool{}, func(t reflect.Type) (found, ends bool) { return strictTypes[t], false },
		func(tag Tag) (found, ends bool) { return tag.Holds(), tag.Records })
}

// search looks for a type, or for a field by its tag, in t and in all that it holds.
func search(
	t reflect.Type, seen map[reflect.Type]bool,
	byType func(reflect.Type) (found, ends bool), byTag func(Tag) (found, ends bool),
) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if found, ends := byType(t); found || ends {
		return found
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return search(t.Elem(), seen, byType, byTag)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Tag.Get("json") == "-" || !f.IsExported() && !f.Anonymous {
				continue
			}
			found, ends := byTag(TagOf(f))
			if found || !ends && search(f.Type, seen, byType, byTag) {
				return true
			}
		}
	}
	return false
}
