package dialect

import (
	"bytes"
	"encoding/json"
)

// part is a member of an object or an element of an array. Raw texts are parts of the
// text that was split, which is valid JSON.
type part struct {
	name       string // of a member
	key        []byte // as it is written
	value      []byte
	at         int // where the key begins
	begin, end int // of the value
}

// parts splits an object or an array, in order, doubled members included.
func parts(raw []byte) []part {
	var all []part
	object := raw[space(raw, 0)] == '{'
	for i := space(raw, space(raw, 0)+1); raw[i] != '}' && raw[i] != ']'; i = space(raw, i) {
		if raw[i] == ',' {
			i = space(raw, i+1)
		}
		var p part
		if object {
			end := skip(raw, i)
			p.at, p.key = i, raw[i:end]
			p.name = unquote(p.key)
			i = space(raw, space(raw, end)+1) // past the colon
		}
		p.begin, p.end = i, skip(raw, i)
		p.value = raw[p.begin:p.end]
		all = append(all, p)
		i = p.end
	}
	return all
}

// space returns the first place from i on that is no white space.
func space(raw []byte, i int) int {
	for i < len(raw) && bytes.IndexByte([]byte(" \t\r\n"), raw[i]) >= 0 {
		i++
	}
	return i
}

// skip returns the end of the value that begins at i.
func skip(raw []byte, i int) int {
	switch raw[i] {
	case '"':
		for i++; raw[i] != '"'; i++ {
			if raw[i] == '\\' {
				i++
			}
		}
		return i + 1
	case '{', '[':
		for depth := 0; ; {
			switch raw[i] {
			case '"':
				i = skip(raw, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(raw) && bytes.IndexByte([]byte(",]} \t\r\n"), raw[i]) < 0 {
		i++
	}
	return i
}

// is reports whether a value begins with a character.
func is(raw []byte, first byte) bool {
	i := space(raw, 0)
	return i < len(raw) && raw[i] == first
}

func unquote(raw []byte) (text string) {
	if json.Unmarshal(raw, &text) != nil {
		panic("sandbox: a text that is none: " + string(raw))
	}
	return text
}

func quote(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic("sandbox: a text that cannot be written: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
