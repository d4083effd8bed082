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

var errJSON = errors.New("invalid JSON")

// value is a JSON value.
type value struct {
	kind   byte
	text   []byte           // as written; a string's without quotes
	item   []value          // of an array
	member map[string]value // of an object
}

// nothing is the value that is not there. It is not changed.
var nothing value

// get returns a member of an object.
func (v *value) get(key string) *value {
	if m, ok := v.member[key]; ok {
		return &m
	}
	return &nothing
}

// member is an object with one member.
func member(key string, v *value) *value {
	return &value{kind: jsonObject, member: map[string]value{key: *v}}
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

// parseJSON reads one value and nothing after it.
func parseJSON(b []byte) (v value, err error) {
	if json.Unmarshal(b, &v) != nil {
		return value{}, errJSON
	}
	return v, nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *value) UnmarshalJSON(b []byte) error {
	v.text = b // of a request, which is kept
	switch b[0] {
	case '{':
		v.kind = jsonObject
		return json.Unmarshal(b, &v.member)
	case '[':
		v.kind = jsonArray
		return json.Unmarshal(b, &v.item)
	case '"':
		v.kind = jsonString
		var text string
		err := json.Unmarshal(b, &text)
		v.text = []byte(text)
		return err
	case 't', 'f':
		v.kind = jsonBool
	case 'n':
		v.kind = jsonNull
	default:
		v.kind = jsonNumber
	}
	return nil
}
