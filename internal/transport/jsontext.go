package transport

import (
	"bytes"
	"encoding/json"
)

// The functions below walk JSON that was found valid before: they check
// nothing again, and index without looking for the end.

// skipSpace returns the index of the first byte at or after i that is not
// white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// stringEnd returns the index after the string whose opening quote is b[i].
func stringEnd(b []byte, i int) int {
	for i++; b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// valueEnd returns the index after the value that starts at b[i].
func valueEnd(b []byte, i int) int {
	switch b[i] {
	case '"':
		return stringEnd(b, i)
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
			i = stringEnd(b, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}

// members calls visit for each member of the object that starts at b[i], with
// the bounds of its quoted key and the start of its value. visit returns the
// index after the value.
func members(b []byte, i int, visit func(from, to, value int) (int, error)) (int, error) {
	i = skipSpace(b, i+1)
	for b[i] != '}' {
		from, to := i, stringEnd(b, i)
		end, err := visit(from, to, skipSpace(b, skipSpace(b, to)+1))
		if err != nil {
			return 0, err
		}
		i = nextItem(b, end)
	}
	return i + 1, nil
}

// elements calls visit for each element of the array that starts at b[i].
func elements(b []byte, i int, visit func(n, value int) (int, error)) (int, error) {
	i = skipSpace(b, i+1)
	for n := 0; b[i] != ']'; n++ {
		end, err := visit(n, i)
		if err != nil {
			return 0, err
		}
		i = nextItem(b, end)
	}
	return i + 1, nil
}

// nextItem passes the comma after an item, or stops at the closing bracket.
func nextItem(b []byte, i int) int {
	i = skipSpace(b, i)
	if b[i] == ',' {
		return skipSpace(b, i+1)
	}
	return i
}

// isEmptyNest reports whether token is an object or array without members.
func isEmptyNest(token []byte) bool {
	return skipSpace(token, 1) == len(token)-1
}

// plain returns the text of a quoted string, undone of its escapes.
func plain(token []byte) []byte {
	if bytes.IndexByte(token, '\\') < 0 {
		return token[1 : len(token)-1]
	}
	var text string
	if json.Unmarshal(token, &text) != nil {
		return token[1 : len(token)-1]
	}
	return []byte(text)
}

// patch rewrites parts of src, in order, into a copy that is made at the first
// change. src itself stays as it is.
type patch struct {
	src, out []byte
	copied   int // src is in out up to here
}

func (p *patch) replace(from, to int, with []byte) {
	if p.out == nil {
		p.out = make([]byte, 0, len(p.src)+len(p.src)/8+len(with))
	}
	p.out = append(append(p.out, p.src[p.copied:from]...), with...)
	p.copied = to
}

// bytes returns the rewritten text, src if nothing was replaced.
func (p *patch) bytes() []byte {
	if p.out == nil {
		return p.src
	}
	p.out = append(p.out, p.src[p.copied:]...)
	p.copied = len(p.src)
	return p.out
}
