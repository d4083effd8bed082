package wire

import (
	"encoding/binary"
	"math/bits"
)

const ones, tops = 0x0101010101010101, 0x8080808080808080

// ordinary returns the index of the first byte from i on that is a quote, a
// backslash or a control character.
func (s *Scanner) ordinary(i int) int {
	for ; i+8 <= len(s.body); i += 8 {
		if found := special(binary.LittleEndian.Uint64(s.body[i:])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(s.body) && s.body[i] != '"' && s.body[i] != '\\' && s.body[i] >= ' ' {
		i++
	}
	return i
}

// special sets the highest bit of each byte of a word that is a quote, a
// backslash or a control character. Only the lowest mark is certain: the
// subtractions borrow, so that a mark above it can be wrong.
func special(word uint64) uint64 {
	quote, backslash := word^(ones*'"'), word^(ones*'\\')
	return ((quote-ones) & ^quote | (backslash-ones) & ^backslash | (word-ones*' ') & ^word) & tops
}

// notPlain is special that marks bytes above 0x7f too.
func notPlain(word uint64) uint64 {
	return special(word) | word&tops
}

// allPlain reports whether b is ASCII without backslash or control character: a
// string in it ends at the next quote.
func allPlain(b []byte) bool {
	for ; len(b) >= 32; b = b[32:] {
		if (odd(b)|odd(b[8:])|odd(b[16:])|odd(b[24:]))&tops != 0 {
			return false
		}
	}
	for _, c := range b {
		if c == '\\' || c < ' ' || c >= 0x80 {
			return false
		}
	}
	return true
}

// odd marks the first eight bytes of b if there is a backslash, a control character or
// a byte above 0x7f among them. It marks no others.
func odd(b []byte) uint64 {
	word := binary.LittleEndian.Uint64(b)
	return (word ^ ones*'\\') - ones | (word - ones*' ') | word
}
