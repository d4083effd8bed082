package peer

import (
	"bytes"
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"unicode/utf8"
)

// reading is a text as it reads once some escapes are undone.
type reading struct {
	bytes []byte
	at    []int // where in the text each byte begins, and where the last one ends
}

// asIs reads a part of a text.
func asIs(text []byte, from, to int) reading {
	r := reading{text[from:to], make([]int, to-from+1)}
	for i := range r.at {
		r.at[i] = from + i
	}
	return r
}

// end returns where in the text the byte before i ends. An escape that spells
// several bytes ends with the last of them.
func (r reading) end(i int) int {
	for i < len(r.bytes) && r.at[i] == r.at[i-1] {
		i++
	}
	return r.at[i]
}

// escape is a way to write a character in other bytes.
type escape struct {
	begins byte
	size   func(text []byte) int       // how long the escape is that text begins with
	read   func(escaped string) string // what it spells, one character if it is an escape
}

var (
	inJSON = escape{'\\', sizeInJSON, readJSON}
	inURL  = escape{'%', func([]byte) int { return len("%41") }, readURL}
	inHTML = escape{'&', sizeInHTML, html.UnescapeString}
)

func readURL(escaped string) string {
	char, _ := url.PathUnescape(escaped)
	return char
}

func sizeInJSON(text []byte) int {
	switch {
	case len(text) < 2 || text[1] != 'u':
		return len(`\n`)
	case len(text) > 3 && text[2]|0x20 == 'd' && text[3] > '7': // half of a pair
		return len(`\ud83d\ude00`)
	}
	return len(`\u0041`)
}

func readJSON(escaped string) (char string) {
	if i := strings.IndexByte(`"\/bfnrt`, escaped[1]); i >= 0 {
		return "\"\\/\b\f\n\r\t"[i : i+1]
	}
	_ = json.Unmarshal([]byte(`"`+escaped+`"`), &char)
	return char
}

func sizeInHTML(text []byte) int {
	const longest = len("&#x0000XX;")
	end := bytes.IndexByte(text[:min(len(text), longest)], ';')
	if end < 0 && len(text) < longest {
		return longest
	}
	return end + 1
}

// first returns the character at the start of text, "" if the end cuts it off, and
// how long it is there.
func (e escape) first(text []byte) (char string, size int) {
	if text[0] == e.begins {
		size = e.size(text)
		if size > len(text) && cutIn(text) {
			return "", len(text)
		}
		if size <= len(text) {
			char = e.read(string(text[:size]))
		}
		if utf8.RuneCountInString(char) == 1 {
			return char, size
		}
	}
	return string(text[:1]), 1
}

// cutIn reports whether rest, the end of a text, may be the start of an escape.
func cutIn(rest []byte) bool {
	return !bytes.ContainsFunc(rest[1:], func(r rune) bool {
		return r != '#' && r != '\\' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	})
}

// without undoes an escape throughout; it is false if there is none. An escape
// that the end of the text cuts off is left out.
func (r reading) without(e escape) (undone reading, ok bool) {
	if bytes.IndexByte(r.bytes, e.begins) < 0 {
		return r, false
	}
	undone = reading{make([]byte, 0, len(r.bytes)), make([]int, 0, len(r.at))}
	for i := 0; i < len(r.bytes); {
		char, size := e.first(r.bytes[i:])
		undone.bytes = append(undone.bytes, char...)
		for range len(char) {
			undone.at = append(undone.at, r.at[i])
		}
		ok = ok || size > 1
		i += size
	}
	undone.at = append(undone.at, r.at[len(r.bytes)])
	return undone, ok
}
