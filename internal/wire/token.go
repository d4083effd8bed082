package wire

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// None is the index that the functions of this file return if the text at b[i],
// after white space, does not have the form that they read. If it has, they
// return the index after it. They pass indexes along, rather than keep them in a
// Scanner, because that keeps the indexes in registers.
const None = -1

// Space returns the index of the next byte that is not white space.
func Space(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// Take passes over c.
func Take(b []byte, i int, c byte) int {
	if i < len(b) && b[i] == c {
		return i + 1
	}
	return takeFar(b, i, c)
}

//go:noinline
func takeFar(b []byte, i int, c byte) int {
	if i = Space(b, i); i < len(b) && b[i] == c {
		return i + 1
	}
	return None
}

// More passes over a comma, after which there is more, or over the end of a list
// or an object.
func More(b []byte, i int, end byte) (next int, more bool) {
	if i = Space(b, i); i < len(b) && b[i] == ',' {
		return i + 1, true
	}
	return Take(b, i, end), false
}

// ASCII reads a string of ASCII without escapes.
func ASCII(b []byte, i int) (text []byte, end int) {
	if i = Take(b, i, '"'); i < 0 {
		return nil, None
	}
	n := i
	for ; n+8 <= len(b); n += 8 {
		if hits := notPlain(binary.LittleEndian.Uint64(b[n:])); hits != 0 {
			if n += bits.TrailingZeros64(hits) / 8; b[n] == '"' {
				return b[i:n], n + 1
			}
			return nil, None
		}
	}
	for ; n < len(b); n++ {
		switch c := b[n]; {
		case c == '"':
			return b[i:n], n + 1
		case c == '\\' || c < ' ' || c >= 0x80:
			return nil, None
		}
	}
	return nil, None
}

// Number reads a number as JSON writes it.
func Number(b []byte, i int) (digits []byte, end int) {
	from := Space(b, i)
	i = from
	if i < len(b) && b[i] == '-' {
		i++
	}
	whole := i
	if i = run(b, i); i == whole || i > whole+1 && b[whole] == '0' {
		return nil, None
	}
	if i < len(b) && b[i] == '.' {
		point := i + 1
		if i = run(b, point); i == point {
			return nil, None
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i = Exponent(b, i+1); i < 0 {
			return nil, None
		}
	}
	return b[from:i], i
}

// Exponent reads what follows the e of a number.
func Exponent(b []byte, i int) int {
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		i++
	}
	end := run(b, i)
	if end == i {
		return None
	}
	return end
}

// run passes over digits.
func run(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}

// Count reads a number from 0 to 2^64-1 without fraction or exponent.
func Count(b []byte, i int) (n uint64, end int) {
	i = Space(b, i)
	end = i
	for end < len(b) && b[end]-'0' <= 9 {
		n = n*10 + uint64(b[end]-'0')
		end++
	}
	if len(b)-end > 0 && (b[end] == '.' || b[end]|0x20 == 'e') {
		return 0, None
	}
	const safe = 19 // so many digits fit whatever they are
	switch digits := end - i; {
	case digits == 0 || digits > 1 && b[i] == '0':
		return 0, None
	case digits > safe:
		var err error
		if n, err = strconv.ParseUint(string(b[i:end]), 10, 64); err != nil {
			return 0, None
		}
	}
	return n, end
}

// Scalar passes over a value that is neither an object nor an array.
func Scalar(b []byte, i int) (end int) {
	if i = Space(b, i); i == len(b) {
		return None
	}
	switch b[i] {
	case '"':
		_, end = ASCII(b, i)
	case 't':
		end = Literal(b, i, "true")
	case 'f':
		end = Literal(b, i, "false")
	case 'n':
		end = Literal(b, i, "null")
	default:
		_, end = Number(b, i)
	}
	return end
}

// Literal passes over a word such as true.
func Literal(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return None
	}
	return i + len(word)
}
