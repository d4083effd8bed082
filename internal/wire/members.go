package wire

import (
	"encoding/json"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// Members returns the members of an object by their names, nil if b is no object:
// for answers of which the names are not documented. A name that comes twice says
// nothing, since encoding/json would take the last one: it is left out, and the
// error, a [*FieldError], names the first of them.
func Members(b []byte) (map[string]walletfi.Document, error) {
	start := jsontext.SkipSpace(b, 0)
	if start == len(b) || b[start] != '{' || !json.Valid(b) {
		return nil, nil
	}
	members, seen := map[string]walletfi.Document{}, map[string]bool{}
	var twice error
	_, _ = jsontext.Members(b, start, func(from, to, at int) (int, error) {
		name, end := string(jsontext.Unquote(b[from:to])), jsontext.ValueEnd(b, at)
		switch {
		case !seen[name]:
			members[name] = Keep(b[at:end])
		case twice == nil:
			twice = &FieldError{name, "comes twice", true}
			fallthrough
		default:
			delete(members, name)
		}
		seen[name] = true
		return end, nil
	})
	return members, twice
}

// SaySomething reports whether one of an answer's members says anything besides success.
func SaySomething(members map[string]walletfi.Document) bool {
	for name, value := range members {
		if is := string(value); name != "success" && is != "null" && is != "{}" && is != `""` {
			return true
		}
	}
	return false
}

// ListOf returns the list that an object has under one of several names: of two the one that has
// elements, since an empty one says that there are none. It reports false if two have. Without a
// list it returns nil.
func ListOf(members map[string]walletfi.Document, names ...string) (list walletfi.Document, ok bool) {
	for _, name := range names {
		switch member := members[name]; {
		case len(member) == 0 || member[0] != '[':
		case list == nil || IsEmptyList(list):
			list = member
		case !IsEmptyList(member):
			return nil, false
		}
	}
	return list, true
}

// IsEmptyList reports whether an array has no element.
func IsEmptyList(list walletfi.Document) bool { return list[jsontext.SkipSpace(list, 1)] == ']' }

// Once returns an error, a [*FieldError], if any object in b, which is valid JSON,
// has a name twice.
func Once(b []byte) error {
	_, err := once(b, jsontext.SkipSpace(b, 0), func(name string) string { return name })
	return err
}

// OnceInAnyCase is [Once] for which names that differ in case alone are one, as
// they are for encoding/json: for what a decoder of somebody else's reads.
func OnceInAnyCase(b []byte) error {
	_, err := once(b, jsontext.SkipSpace(b, 0), strings.ToLower)
	return err
}

func once(b []byte, i int, key func(string) string) (end int, err error) {
	switch {
	case i >= len(b):
		return i, nil
	case b[i] == '[':
		return jsontext.Elements(b, i, func(_, at int) (int, error) { return once(b, at, key) })
	case b[i] != '{':
		return jsontext.ValueEnd(b, i), nil
	}
	seen := map[string]bool{}
	return jsontext.Members(b, i, func(from, to, at int) (int, error) {
		name := string(jsontext.Unquote(b[from:to]))
		if seen[key(name)] {
			return 0, &FieldError{name, "comes twice", true}
		}
		seen[key(name)] = true
		return once(b, at, key)
	})
}
