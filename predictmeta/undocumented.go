package predictmeta

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// guess decodes an answer of undocumented shape as a T, the shape of the nearest
// documented route: at the top level, or in the usual wrappers. A list instead of
// the object, or under an alias, fills the member named list. If the answer does
// not fit or has no list, guess returns the zero T with an error: the caller has the document.
func guess[T any](doc walletfi.Document, waive func(wire.Breach) bool, list string, aliases ...string) (*T, error) {
	doc = unwrapped(doc)
	if isArray(doc) {
		return fit[T](object(list, doc), waive)
	}
	members := membersOf(doc)
	other, _ := wire.ListOf(members, append([]string{list}, aliases...)...)
	named, isNamed := members[list]
	switch {
	case other == nil && !isNamed:
		return new(T), fmt.Errorf("predictmeta: %w: the answer has no %s", walletfi.ErrDecode, list)
	case other == nil, isNamed && (wire.IsEmptyList(other) || bytes.Equal(named, other)):
		return fit[T](doc, waive)
	}
	members[list] = other
	whole, err := json.Marshal(members)
	if err != nil {
		return fit[T](doc, waive)
	}
	return fit[T](whole, waive)
}

// fit decodes doc into a T, and lets the breaches through which waive does, unless it is nil.
// It returns the zero T if doc does not fit. The error is nil or
// a [*walletfi.UnreadError], also of an object whose members have the names of T's and
// other kinds.
func fit[T any](doc walletfi.Document, waive func(wire.Breach) bool) (*T, error) {
	v := new(T)
	err := wire.UnmarshalWaiving(doc, v, waive)
	switch {
	case wire.Usable(err):
		return v, err
	case !isObject(doc):
		return new(T), nil
	}
	return new(T), &walletfi.UnreadError{Records: []*walletfi.RecordError{{Raw: doc, Err: err}}}
}

// unwrapped returns the answer without an object that wraps it.
func unwrapped(doc walletfi.Document) walletfi.Document {
	members := membersOf(doc)
	wrappers := []string{"data", "result", "results"}
	if list, ok := wire.ListOf(members, wrappers...); ok && list != nil && !wire.IsEmptyList(list) {
		return list
	}
	for _, name := range wrappers {
		if inner := members[name]; isArray(inner) || isObject(inner) {
			return inner
		}
	}
	return doc
}

// membersOf returns the members of an object, nil if doc is not an object.
func membersOf(doc walletfi.Document) map[string]walletfi.Document {
	var members map[string]walletfi.Document
	if !isObject(doc) || json.Unmarshal(doc, &members) != nil {
		return nil
	}
	return members
}

func object(name string, value walletfi.Document) walletfi.Document {
	doc, err := json.Marshal(map[string]walletfi.Document{name: value})
	if err != nil {
		return nil
	}
	return doc
}

func isArray(doc walletfi.Document) bool { return bytes.HasPrefix(bytes.TrimSpace(doc), []byte("[")) }

func isObject(doc walletfi.Document) bool { return bytes.HasPrefix(bytes.TrimSpace(doc), []byte("{")) }

// isEmpty reports whether v points to a zero value.
func isEmpty(v any) bool { return reflect.ValueOf(v).Elem().IsZero() }
