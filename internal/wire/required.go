package wire

import (
	"reflect"
	"strconv"
	"sync"
)

// A field tagged wire:"required" is one that the caller acts on: a builder's
// transaction, a token, a signature. It is Missing if it is absent, null or
// empty: an empty text, list or map, a nil pointer or one to an empty value, a
// struct that is zero (by its IsZero, if it has that), the number 0. A bool
// cannot be Missing.

var requiredCache sync.Map // reflect.Type -> bool

// hasRequired reports whether t holds a required field at any depth.
func hasRequired(t reflect.Type) bool {
	if known, ok := requiredCache.Load(t); ok {
		return known.(bool)
	}
	has := search(t, map[reflect.Type]bool{}, func(reflect.Type) (found, ends bool) { return false, false },
		func(tag Tag) (found, ends bool) { return tag.Required, false })
	requiredCache.Store(t, has)
	return has
}

// Missing returns an error that names the first required field which is empty
// in what v points to, nil if none is.
func Missing(v any) error {
	t := reflect.TypeOf(v)
	if t == nil || !hasRequired(t) {
		return nil
	}
	if e := missingIn(reflect.ValueOf(v)); e != nil {
		return e
	}
	return nil
}

func missingIn(v reflect.Value) *FieldError {
	if !hasRequired(v.Type()) {
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return missingIn(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if e := missingIn(v.Index(i)); e != nil {
				return e.within("[" + strconv.Itoa(i) + "]")
			}
		}
	case reflect.Map:
		for _, inner := range v.Seq2() {
			if e := missingIn(inner); e != nil {
				return e.within("*")
			}
		}
	case reflect.Struct:
		return missingField(v)
	}
	return nil
}

func missingField(v reflect.Value) *FieldError {
	for _, f := range fieldsOf(v.Type()) {
		inner, err := v.FieldByIndexErr(f.index)
		absent := err != nil // in an embedded pointer that is nil
		if f.tag.Required && (absent || isBlank(inner)) {
			return &FieldError{f.name, `required, and missing (wire:"required")`, true}
		}
		if absent {
			continue
		}
		if e := missingIn(inner); e != nil {
			return e.within(f.name)
		}
	}
	return nil
}

// isBlank reports whether v is a value that a required field must not have.
func isBlank(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Bool:
		return false
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Pointer, reflect.Interface:
		return v.IsNil() || isBlank(v.Elem())
	}
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}
