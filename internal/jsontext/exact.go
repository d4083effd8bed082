package jsontext

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Exact checks that the objects of b, which is valid JSON, have only members of the
// structs of t that they are decoded into, by their exact names, and no member twice.
// encoding/json takes other cases for the same name and lets the last member win, so that
// two readers can differ about what a text says.
func Exact(b []byte, t reflect.Type) error {
	_, err := exact(b, SkipSpace(b, 0), t)
	return err
}

// exact checks the value at b[i] and returns the index after it.
func exact(b []byte, i int, t reflect.Type) (int, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	own := reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
	switch {
	case own || b[i] != '{' && b[i] != '[':
		return ValueEnd(b, i), nil
	case b[i] == '[':
		return Elements(b, i, func(_, value int) (int, error) { return exact(b, value, t.Elem()) })
	}
	seen := map[string]bool{}
	return Members(b, i, func(from, to, value int) (int, error) {
		name := string(Unquote(b[from:to]))
		of := memberType(t, name)
		switch {
		case of == nil:
			return 0, fmt.Errorf("member %.64q is unknown", name)
		case seen[name]:
			return 0, fmt.Errorf("member %.64q comes twice", name)
		}
		seen[name] = true
		return exact(b, value, of)
	})
}

// memberType is the type of the member of a struct or a map, nil if it has no such member.
func memberType(t reflect.Type, name string) reflect.Type {
	if t.Kind() == reflect.Map {
		return t.Elem()
	}
	for i := range t.NumField() {
		if tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); tag == name {
			return t.Field(i).Type
		}
	}
	return nil
}
