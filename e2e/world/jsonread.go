package world

import (
	"encoding/json"
	"errors"
	"strconv"
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
	text []byte   // the raw bytes; a string's without quotes
	keys []string // of an object, in step with items
	item []value
}

// get returns a member of an object.
func (v *value) get(key string) *value {
	if v != nil && v.kind == jsonObject {
		for i := range v.keys {
			if v.keys[i] == key {
				return &v.item[i]
			}
		}
	}
	return &value{}
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

// jsonReader reads values from bytes.
type jsonReader struct {
	b  []byte
	at int
}

// parseJSON reads one value and nothing after it.
func parseJSON(b []byte) (value, error) {
	r := jsonReader{b: b}
	v, ok := r.read(0)
	r.space()
	if !ok || r.at != len(b) {
		return value{}, errJSON
	}
	return v, nil
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

func (r *jsonReader) read(depth int) (value, bool) {
	if depth > jsonDeep {
		return value{}, false
	}
	switch r.next() {
	case '{':
		return r.object(depth)
	case '[':
		return r.array(depth)
	case '"':
		text, ok := r.string()
		return value{kind: jsonString, text: text}, ok
	case 't':
		return r.word("true", jsonBool)
	case 'f':
		return r.word("false", jsonBool)
	case 'n':
		return r.word("null", jsonNull)
	}
	return r.number()
}

func (r *jsonReader) word(word string, kind byte) (value, bool) {
	end := r.at + len(word)
	if end > len(r.b) || string(r.b[r.at:end]) != word {
		return value{}, false
	}
	v := value{kind: kind, text: r.b[r.at:end]}
	r.at = end
	return v, true
}

func (r *jsonReader) number() (value, bool) {
	start := r.at
	for r.at < len(r.b) {
		c := r.b[r.at]
		if (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
			break
		}
		r.at++
	}
	return value{kind: jsonNumber, text: r.b[start:r.at]}, r.at > start
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

func (r *jsonReader) array(depth int) (value, bool) {
	v := value{kind: jsonArray}
	start := r.at
	r.at++
	if r.next() == ']' {
		r.at++
		v.text = r.b[start:r.at]
		return v, true
	}
	for {
		item, ok := r.read(depth + 1)
		if !ok {
			return value{}, false
		}
		v.item = append(v.item, item)
		c := r.next()
		r.at++
		if c == ']' {
			v.text = r.b[start:r.at]
			return v, true
		}
		if c != ',' {
			return value{}, false
		}
	}
}

func (r *jsonReader) object(depth int) (value, bool) {
	v := value{kind: jsonObject}
	r.at++
	if r.next() == '}' {
		r.at++
		return v, true
	}
	v.keys, v.item = make([]string, 0, 4), make([]value, 0, 4)
	for {
		if r.next() != '"' {
			return value{}, false
		}
		key, ok := r.string()
		if !ok || r.next() != ':' {
			return value{}, false
		}
		r.at++
		item, ok := r.read(depth + 1)
		if !ok {
			return value{}, false
		}
		v.keys = append(v.keys, string(key))
		v.item = append(v.item, item)
		c := r.next()
		r.at++
		if c == '}' {
			return v, true
		}
		if c != ',' {
			return value{}, false
		}
	}
}
