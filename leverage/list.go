package leverage

import (
	"bytes"
	"errors"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

var errNoList = errors.New("leverage: no list in the answer")

// listIn reads the items of an answer whose envelope is not documented: an
// array, or an object that holds one. Where no list can be told, that is an
// error: positions that are not seen must not pass for none.
func listIn[T any](b []byte, raw *walletfi.Document, name string) ([]T, error) {
	*raw = slices.Clone(b)
	list, err := findList(b, name, maxEnvelopes)
	if list == nil || err != nil {
		return nil, err
	}
	var items []T
	return items, transport.Keep(list, &items, new(walletfi.Document))
}

// maxEnvelopes is how many objects may lie around a list.
const maxEnvelopes = 3

// findList returns the array in b, nil for an answer that is empty.
func findList(b []byte, name string, depth int) (walletfi.Document, error) {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0 || bytes.Equal(b, []byte("null")):
		return nil, nil
	case b[0] == '[':
		return b, nil
	case b[0] != '{' || depth == 0:
		return nil, errNoList
	}
	var object map[string]walletfi.Document
	if err := transport.Keep(b, &object, new(walletfi.Document)); err != nil {
		return nil, err
	}
	if len(object) == 0 {
		return nil, nil
	}
	for _, key := range []string{name, "data", "items", "results"} {
		if member, ok := object[key]; ok {
			return findList(member, name, depth-1)
		}
	}
	return soleList(object)
}

// soleList returns the one member that is an array.
func soleList(object map[string]walletfi.Document) (walletfi.Document, error) {
	var found walletfi.Document
	for _, member := range object {
		if len(member) > 0 && member[0] == '[' {
			if found != nil {
				return nil, errNoList
			}
			found = member
		}
	}
	if found == nil {
		return nil, errNoList
	}
	return found, nil
}
