package burnclose

import (
	"bytes"
	"encoding/json"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// members holds the members of a JSON object whose names are not documented. It
// is nil for any other JSON value.
type members map[string]walletfi.Document

// readMembers leaves out a name that comes twice.
func readMembers(text []byte) members {
	m, _ := wire.Members(text)
	return m
}

// readDeciding fails on a name that comes twice.
func readDeciding(text []byte) (members, error) { return wire.Members(text) }

// text returns the first of the named members that is a string and not empty.
func (m members) text(names ...string) string {
	for _, name := range names {
		if s := plainText(m[name]); s != "" {
			return s
		}
	}
	return ""
}

// count returns the first of the named members that is a whole number, bare or
// in quotes, and not negative.
func (m members) count(names ...string) (int, bool) {
	for _, name := range names {
		var n json.Number
		if absent(m[name]) || json.Unmarshal(m[name], &n) != nil {
			continue
		}
		if i, err := n.Int64(); err == nil && i >= 0 && int64(int(i)) == i {
			return int(i), true
		}
	}
	return 0, false
}

// list returns the first of the named members that is an array.
func (m members) list(names ...string) ([]json.RawMessage, bool) {
	for _, name := range names {
		if items, ok := readList(m[name]); ok {
			return items, true
		}
	}
	return nil, false
}

func readList(text []byte) ([]json.RawMessage, bool) {
	var items []json.RawMessage
	if json.Unmarshal(text, &items) != nil || items == nil {
		return nil, false
	}
	return items, true
}

// plainText returns the text of a JSON string, and "" for any other value.
func plainText(text []byte) string {
	var s string
	if json.Unmarshal(text, &s) != nil {
		return ""
	}
	return s
}

func absent(text []byte) bool { return len(text) == 0 || bytes.Equal(text, []byte("null")) }
