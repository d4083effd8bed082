package predictmeta

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// guess reads an answer of undocumented shape as a T, the shape of the route
// beside it: at the top, or in the usual wrappers. Where a list stands for the
// object, or under another of its names, it fills the member of the first name.
// What does not fit leaves the zero T: the caller has the document.
func guess[T any](doc walletfi.Document, list string, aliases ...string) *T {
	doc = unwrapped(doc)
	if isArray(doc) {
		return fit[T](object(list, doc))
	}
	members := membersOf(doc)
	if _, named := members[list]; !named {
		for _, alias := range aliases {
			if other, ok := members[alias]; ok {
				members[list] = other
				if whole, err := json.Marshal(members); err == nil {
					return fit[T](whole)
				}
			}
		}
	}
	return fit[T](doc)
}

// fit decodes doc into a T, the zero one where it is none.
func fit[T any](doc walletfi.Document) *T {
	v := new(T)
	if transport.Unmarshal(doc, v) != nil {
		return new(T)
	}
	return v
}

// unwrapped takes off an object that holds nothing but the answer.
func unwrapped(doc walletfi.Document) walletfi.Document {
	members := membersOf(doc)
	for _, name := range []string{"data", "result", "results"} {
		if inner := members[name]; isArray(inner) || isObject(inner) {
			return inner
		}
	}
	return doc
}

// membersOf returns the members of an object, nil where doc is none.
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

// isEmpty reports whether nothing of v was filled.
func isEmpty(v any) bool { return reflect.ValueOf(v).Elem().IsZero() }
