package world

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"
)

// The kinds of JSON values. A missing value is of kind absent.
const (
	absent = byte(iota)
	jsonNull
	jsonBool
	jsonNumber
	jsonString
	jsonArray
	jsonObject
)

// jsonDeep bounds nesting.
const jsonDeep = 16

var errJSON = errors.New("invalid JSON")

// value is a JSON value: a reader of its own, because every request is read
// by it and reflection would cost more than all the rest.
type value struct {
	kind byte
	key  []byte  // its name, if it is a member of an object
	text []byte  // the raw bytes; a string's without quotes
	item []value // of an array or an object
}

// nothing is the value that is not there. It is not changed.
var nothing value

// get returns a member of an object.
func (v *value) get(key string) *value {
	if v != nil && v.kind == jsonObject {
		for i := range v.item {
			if string(v.item[i].key) == key {
				return &v.item[i]
			}
		}
	}
	return &nothing
}

// member is an object with one member.
func member(key string, v *value) *value {
	one := *v
	one.key = []byte(key)
	return &value{kind: jsonObject, item: []value{one}}
}

// missing reports whether there is no value, or null.
func (v *value) missing() bool { return v.kind <= jsonNull }

func (v *value) isTrue() bool { return v.kind == jsonBool && v.text[0] == 't' }

// uint returns a whole number.
func (v *value) uint() (uint64, bool) {
	if v.kind != jsonNumber {
		return 0, false
	}
	n, err := strconv.ParseUint(string(v.text), 10, 64)
	return n, err == nil
}

// jsonReader reads values from bytes. Those whose array or object has not
// ended yet lie on a stack, so that each list is allocated once.
type jsonReader struct {
	b     []byte
	at    int
	stack []value
}

// readers keeps the stacks of readers that are done.
var readers = sync.Pool{New: func() any { return new(jsonReader) }}

// parseJSON reads one value and nothing after it.
func parseJSON(b []byte) (value, error) {
	r := readers.Get().(*jsonReader)
	defer readers.Put(r)
	r.b, r.at, r.stack = b, 0, r.stack[:0]
	ok := r.read(0)
	r.space()
	if !ok || r.at != len(b) {
		return value{}, errJSON
	}
	return r.stack[0], nil
}

func (r *jsonReader) space() {
	for r.at < len(r.b) {
		switch r.b[r.at] {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return
		}
	}
}

// next skips space and returns the next byte, or zero at the end.
func (r *jsonReader) next() byte {
	r.space()
	if r.at >= len(r.b) {
		return 0
	}
	return r.b[r.at]
}

// push puts a value onto the stack.
func (r *jsonReader) push(kind byte, text []byte, item []value) bool {
	r.stack = append(r.stack, value{kind: kind, text: text, item: item})
	return true
}

// read reads a value onto the stack.
func (r *jsonReader) read(depth int) bool {
	if depth > jsonDeep {
		return false
	}
	switch r.next() {
	case '{':
		return r.list(depth, '}', jsonObject)
	case '[':
		return r.list(depth, ']', jsonArray)
	case '"':
		text, ok := r.string()
		return ok && r.push(jsonString, text, nil)
	case 't':
		return r.word("true", jsonBool)
	case 'f':
		return r.word("false", jsonBool)
	case 'n':
		return r.word("null", jsonNull)
	}
	return r.number()
}

func (r *jsonReader) word(word string, kind byte) bool {
	end := r.at + len(word)
	if end > len(r.b) || string(r.b[r.at:end]) != word {
		return false
	}
	r.push(kind, r.b[r.at:end], nil)
	r.at = end
	return true
}

func (r *jsonReader) number() bool {
	start := r.at
	for r.at < len(r.b) {
		c := r.b[r.at]
		if (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
			break
		}
		r.at++
	}
	return json.Valid(r.b[start:r.at]) && r.push(jsonNumber, r.b[start:r.at], nil)
}

// string reads a string. One with escapes is unquoted by encoding/json.
func (r *jsonReader) string() ([]byte, bool) {
	start := r.at
	plain := true
	for r.at++; r.at < len(r.b); r.at++ {
		switch c := r.b[r.at]; {
		case c == '\\':
			plain = false
			r.at++
		case c == '"':
			r.at++
			if plain {
				return r.b[start+1 : r.at-1], true
			}
			var text string
			err := json.Unmarshal(r.b[start:r.at], &text)
			return []byte(text), err == nil
		case c < ' ':
			return nil, false
		}
	}
	return nil, false
}

// list reads an array, or an object, whose items have keys.
func (r *jsonReader) list(depth int, end, kind byte) bool {
	start, base := r.at, len(r.stack)
	r.at++
	for r.next() != end {
		if len(r.stack) > base {
			if r.next() != ',' {
				return false
			}
			r.at++
		}
		var key []byte
		if kind == jsonObject {
			var ok bool
			if key, ok = r.key(); !ok {
				return false
			}
		}
		if !r.read(depth + 1) {
			return false
		}
		r.stack[len(r.stack)-1].key = key
	}
	r.at++
	item := slices.Clone(r.stack[base:])
	r.stack = r.stack[:base]
	return r.push(kind, r.b[start:r.at], item)
}

// key reads the name of a member and the colon after it.
func (r *jsonReader) key() ([]byte, bool) {
	if r.next() != '"' {
		return nil, false
	}
	key, ok := r.string()
	if !ok || r.next() != ':' {
		return nil, false
	}
	r.at++
	return key, true
}
