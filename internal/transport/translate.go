package transport

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// wordTable translates JSON one way.
type wordTable struct {
	keys   words
	values map[string]words // by the neutral name of their key
}

// toLive translates the keys and enumerated values of a request's JSON. The
// values of members named in keep, by neutral name, stay as they are. All
// other bytes, white space and the text of numbers included, stay too; body
// is not changed, and is returned itself if no word of it is translated or if it
// is not JSON.
func (v *vocabulary) toLive(body []byte, keep ...string) []byte {
	if v == nil {
		return body
	}
	return translate(body, &v.outward, false, keep)
}

// toNeutral is toLive the other way, for a response.
func (v *vocabulary) toNeutral(body []byte, keep ...string) []byte {
	if v == nil {
		return body
	}
	return translate(body, &v.inward, true, keep)
}

// accepting has a Config.Accept read the neutral words of a body in the live
// ones. What it leaves whole stays as it came.
func (v *vocabulary) accepting(accept func([]byte) ([]byte, bool)) func([]byte) ([]byte, bool) {
	return func(body []byte) ([]byte, bool) {
		neutral := v.toNeutral(body)
		payload, ok := accept(neutral)
		if len(payload) == len(neutral) && len(payload) > 0 && &payload[0] == &neutral[0] {
			return body, ok
		}
		return payload, ok
	}
}

type translator struct {
	jsontext.Patch
	*wordTable
	inward bool // the keys of src are live words
	keep   []string
}

func translate(body []byte, table *wordTable, inward bool, keep []string) []byte {
	if len(table.keys)+len(table.values) == 0 || !utf8.Valid(body) || !json.Valid(body) {
		return body
	}
	t := &translator{jsontext.Patch{Src: body}, table, inward, keep}
	t.value(jsontext.SkipSpace(body, 0), nil)
	return t.Bytes()
}

// value translates the value at src[i] and returns the index after it. A
// string, also one in a list, is looked up in enumeration.
func (t *translator) value(i int, enumeration words) int {
	end := 0
	switch t.Src[i] {
	case '{':
		end, _ = jsontext.Members(t.Src, i, func(from, to, at int) (int, error) { return t.member(from, to, at), nil })
	case '[':
		end, _ = jsontext.Elements(t.Src, i, func(_, at int) (int, error) { return t.value(at, enumeration), nil })
	default:
		end = jsontext.ValueEnd(t.Src, i)
		if t.Src[i] == '"' && len(enumeration) > 0 {
			t.word(i, end, enumeration)
		}
	}
	return end
}

func (t *translator) member(from, to, at int) int {
	other := t.word(from, to, t.keys)
	if len(t.values)+len(t.keep) == 0 {
		return t.value(at, nil)
	}
	neutral := string(jsontext.Unquote(t.Src[from:to]))
	if t.inward && other != "" {
		neutral = other
	}
	if slices.Contains(t.keep, neutral) {
		return jsontext.ValueEnd(t.Src, at)
	}
	return t.value(at, t.values[neutral])
}

// word replaces the string between from and to by its translation, which it
// returns; empty if there is none.
func (t *translator) word(from, to int, table words) string {
	other, ok := table[string(jsontext.Unquote(t.Src[from:to]))]
	if !ok {
		return ""
	}
	quoted, err := json.Marshal(other)
	if err != nil {
		return ""
	}
	t.Replace(from, to, quoted)
	return other
}
