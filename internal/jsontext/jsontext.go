// Package jsontext walks the text of JSON that was found valid before, and
// rewrites parts of it.
package jsontext

import (
	"bytes"
	"encoding/json"
)

// The functions below walk JSON that was found valid before: they check
// nothing again, and index without looking for the end.

// SkipSpace returns the index of the first byte at or after i that is not
// white space.
func SkipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// StringEnd returns the index after the string whose opening quote is b[i].
func StringEnd(b []byte, i int) int {
	for i++; b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// ValueEnd returns the index after the value that starts at b[i].
func ValueEnd(b []byte, i int) int {
	switch b[i] {
	case '"':
		return StringEnd(b, i)
	case '{', '[':
		return nestedEnd(b, i)
	}
	for i < len(b) && bytes.IndexByte([]byte(",]} \n\t\r"), b[i]) < 0 {
		i++
	}
	return i
}

func nestedEnd(b []byte, i int) int {
	for depth := 0; ; i++ {
		switch b[i] {
		case '"':
			i = StringEnd(b, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}

// Members calls visit for each member of the object that starts at b[i], with
// the bounds of its quoted key and the start of its value. visit returns the
// index after the value.
func Members(b []byte, i int, visit func(from, to, value int) (int, error)) (int, error) {
	i = SkipSpace(b, i+1)
	for b[i] != '}' {
		from, to := i, StringEnd(b, i)
		end, err := visit(from, to, SkipSpace(b, SkipSpace(b, to)+1))
		if err != nil {
			return 0, err
		}
		i = NextItem(b, end)
	}
	return i + 1, nil
}

// Elements calls visit for each element of the array that starts at b[i].
func Elements(b []byte, i int, visit func(n, value int) (int, error)) (int, error) {
	i = SkipSpace(b, i+1)
	for n := 0; b[i] != ']'; n++ {
		end, err := visit(n, i)
		if err != nil {
			return 0, err
		}
		i = NextItem(b, end)
	}
	return i + 1, nil
}

// NextItem passes the comma after an item, or stops at the closing bracket.
func NextItem(b []byte, i int) int {
	i = SkipSpace(b, i)
	if b[i] == ',' {
		return SkipSpace(b, i+1)
	}
	return i
}

// IsEmptyNest reports whether token is an object or array without members.
func IsEmptyNest(token []byte) bool {
	return SkipSpace(token, 1) == len(token)-1
}

// Unquote returns the text of a quoted string, undone of its escapes.
func Unquote(token []byte) []byte {
	if bytes.IndexByte(token, '\\') < 0 {
		return token[1 : len(token)-1]
	}
	var text string
	if json.Unmarshal(token, &text) != nil {
		return token[1 : len(token)-1]
	}
	return []byte(text)
}

// Patch rewrites parts of Src, in order, into a copy that is made at the first
// change. Src itself stays as it is.
type Patch struct {
	Src    []byte
	out    []byte
	copied int // Src is in out up to here
}

// Replace puts with in place of Src[from:to]. Calls go from the front to the back.
func (p *Patch) Replace(from, to int, with []byte) {
	if p.out == nil {
		p.out = make([]byte, 0, len(p.Src)+len(p.Src)/8+len(with))
	}
	p.out = append(append(p.out, p.Src[p.copied:from]...), with...)
	p.copied = to
}

// Copied returns the index up to which Src has been rewritten or passed.
func (p *Patch) Copied() int { return p.copied }

// Changed reports whether anything was replaced.
func (p *Patch) Changed() bool { return p.out != nil }

// Bytes returns the rewritten text, Src if nothing was replaced.
func (p *Patch) Bytes() []byte {
	if p.out == nil {
		return p.Src
	}
	p.out = append(p.out, p.Src[p.copied:]...)
	p.copied = len(p.Src)
	return p.out
}
