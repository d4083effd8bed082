// Package jsontext walks the text of JSON, and rewrites parts of it.
package jsontext

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/bits"
)

// SkipSpace, StringEnd and ValueEnd walk any text, and check nothing of it: in
// text that is not JSON their result is some index that is not past its end.
// Members, Elements and NextItem index without looking for the end: they are for
// JSON that was found valid before.

// SkipSpace returns the index of the first byte at or after i that is not
// white space.
func SkipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// StringEnd returns the index after the string whose opening quote is b[i], or
// len(b) if it does not end.
func StringEnd(b []byte, i int) int {
	for i++; ; {
		for i+8 <= len(b) {
			found := quoteOrBackslash(binary.LittleEndian.Uint64(b[i:]))
			if found != 0 {
				i += bits.TrailingZeros64(found) / 8
				break
			}
			i += 8
		}
		for i < len(b) && b[i] != '"' && b[i] != '\\' {
			i++
		}
		switch {
		case i >= len(b):
			return len(b)
		case b[i] == '"':
			return i + 1
		}
		i += 2
	}
}

// quoteOrBackslash sets the highest bit of each byte of a word that is a quote or
// a backslash. Only the lowest mark is certain: the subtractions borrow.
func quoteOrBackslash(word uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, backslash := word^(ones*'"'), word^(ones*'\\')
	return ((quote-ones) & ^quote | (backslash-ones) & ^backslash) & tops
}

// ValueEnd returns the index after the value that starts at b[i], or len(b) if it
// does not end.
func ValueEnd(b []byte, i int) int {
	if i >= len(b) {
		return len(b)
	}
	switch b[i] {
	case '"':
		return StringEnd(b, i)
	case '{', '[':
		return nestedEnd(b, i)
	}
	for ; i < len(b); i++ {
		switch b[i] {
		case ',', ']', '}', ' ', '\n', '\t', '\r':
			return i
		}
	}
	return i
}

func nestedEnd(b []byte, i int) int {
	for depth := 0; i < len(b); i++ {
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
	return len(b)
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

// IsNumber reports whether text is a number as JSON writes it.
func IsNumber(text []byte) bool {
	return len(text) > 0 && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && json.Valid(text)
}

// Kind names what a value is.
func Kind(value []byte) string {
	switch {
	case len(value) == 0 || value[0] == '"':
		return "string"
	case value[0] == '{':
		return "object"
	case value[0] == '[':
		return "array"
	case value[0] == 't' || value[0] == 'f':
		return "bool"
	}
	return "number"
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
