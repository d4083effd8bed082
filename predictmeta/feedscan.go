package predictmeta

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// The functions of this file read JSON at b[i], behind white space, and return
// the index behind it: none where it does not stand there in its plain form.
// Indexes are passed along, rather than kept in a struct, because that keeps
// them in registers.
const none = -1

// space returns the index of the next byte that is not white space.
func space(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// take passes over c.
func take(b []byte, i int, c byte) int {
	if i < len(b) && b[i] == c {
		return i + 1
	}
	return takeFar(b, i, c)
}

//go:noinline
func takeFar(b []byte, i int, c byte) int {
	if i = space(b, i); i < len(b) && b[i] == c {
		return i + 1
	}
	return none
}

// quoted reads a string of ASCII without escapes.
func quoted(b []byte, i int) (text []byte, end int) {
	if i = take(b, i, '"'); i < 0 {
		return nil, none
	}
	n := i
	for ; n+8 <= len(b); n += 8 {
		if hits := special(binary.LittleEndian.Uint64(b[n:])); hits != 0 {
			if n += bits.TrailingZeros64(hits) / 8; b[n] == '"' {
				return b[i:n], n + 1
			}
			return nil, none
		}
	}
	for ; n < len(b); n++ {
		switch c := b[n]; {
		case c == '"':
			return b[i:n], n + 1
		case c == '\\' || c < ' ' || c >= 0x80:
			return nil, none
		}
	}
	return nil, none
}

// special looks at eight bytes at once. The lowest of the marked ones is a
// quote, a backslash, a control character or not ASCII; those above it may be
// marked by a borrow.
func special(word uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, backslash := word^ones*'"', word^ones*'\\'
	return ((quote-ones)&^quote | (backslash-ones)&^backslash | (word-ones*' ')&^word | word) & tops
}

// number reads a number as JSON writes it.
func number(b []byte, i int) (digits []byte, end int) {
	from := space(b, i)
	i = from
	if i < len(b) && b[i] == '-' {
		i++
	}
	whole := i
	if i = run(b, i); i == whole || i > whole+1 && b[whole] == '0' {
		return nil, none
	}
	if i < len(b) && b[i] == '.' {
		point := i + 1
		if i = run(b, point); i == point {
			return nil, none
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i = exponent(b, i+1); i < 0 {
			return nil, none
		}
	}
	return b[from:i], i
}

// exponent reads what stands behind an e.
func exponent(b []byte, i int) int {
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		i++
	}
	end := run(b, i)
	if end == i {
		return none
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

// count reads a number from 0 to 2^64-1 without fraction or exponent.
func count(b []byte, i int) (n uint64, end int) {
	i = space(b, i)
	end = i
	for end < len(b) && b[end]-'0' <= 9 {
		n = n*10 + uint64(b[end]-'0')
		end++
	}
	if len(b)-end > 0 && (b[end] == '.' || b[end]|0x20 == 'e') {
		return 0, none
	}
	const safe = 19 // so many digits fit whatever they are
	switch digits := end - i; {
	case digits == 0 || digits > 1 && b[i] == '0':
		return 0, none
	case digits > safe:
		var err error
		if n, err = strconv.ParseUint(string(b[i:end]), 10, 64); err != nil {
			return 0, none
		}
	}
	return n, end
}

// scalar passes over a value that holds no others.
func scalar(b []byte, i int) (end int) {
	if i = space(b, i); i == len(b) {
		return none
	}
	switch b[i] {
	case '"':
		_, end = quoted(b, i)
	case 't':
		end = literal(b, i, "true")
	case 'f':
		end = literal(b, i, "false")
	case 'n':
		end = literal(b, i, "null")
	default:
		_, end = number(b, i)
	}
	return end
}

func literal(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return none
	}
	return i + len(word)
}
