package wire

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unsafe"
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
	w := binary.LittleEndian.Uint64(b)
	return (w ^ ones*'\\') - ones | (w - ones*' ') | w
}

// prefix is a text to compare the start of another with, eight bytes at once.
type prefix struct {
	heads, masks [2]uint64 // of the first sixteen bytes
	rest         string    // the others
	length       int
}

func prefixOf(text string) prefix {
	p := prefix{length: len(text)}
	for i := range p.heads {
		n := min(len(text), 8)
		var head [8]byte
		copy(head[:], text[:n])
		p.heads[i], p.masks[i], text = binary.LittleEndian.Uint64(head[:]), 1<<(8*n)-1, text[n:]
	}
	p.rest = text
	return p
}

// begins reports whether the text at an index begins with p.
func (s *Scanner) begins(at int, p *prefix) bool {
	return (s.word(at)^p.heads[0])&p.masks[0] == 0 && (s.word(at+8)^p.heads[1])&p.masks[1] == 0 &&
		(p.rest == "" || strings.HasPrefix(s.text[at+16:], p.rest))
}

// padding is how many zeros follow the text in memory, so that whole words can be read
// where it ends. A zero is in no JSON text.
const padding = 24

// word returns eight bytes of the text from an index on.
func (s *Scanner) word(at int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(s.base, at))[:])
}

// padded returns a copy of b, which zeros follow in memory, and the address of it.
func padded(b []byte) (text string, base unsafe.Pointer) {
	var copied strings.Builder
	copied.Grow(len(b) + padding)
	copied.Write(b)
	copied.Write(make([]byte, padding))
	text = copied.String()[:len(b)]
	return text, unsafe.Pointer(unsafe.StringData(text))
}
