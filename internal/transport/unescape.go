package transport

import (
	"bytes"
	"html"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// reader undoes one kind of escape at the start of text, which is not empty:
// it returns what stands there and how many bytes of text that took.
type reader func(text []byte) (p piece, size int)

// piece is one byte, or the bytes of one character.
type piece struct {
	bytes [utf8.UTFMax]byte
	n     int
}

func byteOf(b byte) piece { return piece{[utf8.UTFMax]byte{b}, 1} }

func runeOf(r rune) (p piece) {
	p.n = utf8.EncodeRune(p.bytes[:], r)
	return p
}

// escapes are the ways in which a text can spell a secret: one escape, or one
// within a JSON string, as where a message quotes a request.
var escapes = []reader{
	asIs, unescapeJSON, unescapeQuery, unescapePath, unescapeHTML,
	quotedIn(unescapeJSON), quotedIn(unescapeQuery), quotedIn(unescapePath), quotedIn(unescapeHTML),
}

// quotedIn reads what was escaped for inner first and for JSON then.
func quotedIn(inner reader) reader {
	return func(text []byte) (piece, int) {
		first, size := unescapeJSON(text)
		if first.n > 1 {
			return first, size // no escape begins with such a character
		}
		const longest = len(`\ud83d\ude00`)
		var plain [longest + utf8.UTFMax]byte
		var ends [longest + utf8.UTFMax]int
		n := 0
		for at := 0; n < longest && at < len(text); {
			p, size := unescapeJSON(text[at:])
			at += size
			for _, b := range p.bytes[:p.n] {
				plain[n], ends[n] = b, at
				n++
			}
		}
		p, used := inner(plain[:n])
		return p, ends[used-1]
	}
}

func asIs(text []byte) (piece, int) { return byteOf(text[0]), 1 }

// eitherAlphabet reads both alphabets of base64 as the standard one.
func eitherAlphabet(text []byte) (piece, int) {
	switch text[0] {
	case '-':
		return byteOf('+'), 1
	case '_':
		return byteOf('/'), 1
	}
	return asIs(text)
}

func unescapePath(text []byte) (piece, int) {
	if text[0] == '%' && len(text) >= 3 {
		if value, err := strconv.ParseUint(string(text[1:3]), 16, 8); err == nil {
			return byteOf(byte(value)), 3
		}
	}
	return asIs(text)
}

// unescapeQuery differs from unescapePath in that a plus sign is a blank.
func unescapeQuery(text []byte) (piece, int) {
	if text[0] == '+' {
		return byteOf(' '), 1
	}
	return unescapePath(text)
}

func unescapeJSON(text []byte) (piece, int) {
	if text[0] != '\\' || len(text) < 2 {
		return asIs(text)
	}
	if i := bytes.IndexByte([]byte(`"\/bfnrt`), text[1]); i >= 0 {
		return byteOf("\"\\/\b\f\n\r\t"[i]), 2
	}
	char, ok := hex4(text)
	if !ok {
		return asIs(text)
	}
	if utf16.IsSurrogate(char) {
		if low, ok := hex4(text[6:]); ok {
			return runeOf(utf16.DecodeRune(char, low)), 12
		}
	}
	return runeOf(char), 6
}

// hex4 reads \uXXXX.
func hex4(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	value, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(value), err == nil
}

func unescapeHTML(text []byte) (piece, int) {
	const longest = len("&#x10ffff;")
	if text[0] != '&' {
		return asIs(text)
	}
	end := bytes.IndexByte(text[:min(len(text), longest)], ';')
	if end < 0 {
		return asIs(text)
	}
	plain := html.UnescapeString(string(text[:end+1]))
	char, size := utf8.DecodeRuneInString(plain)
	if size != len(plain) {
		return asIs(text)
	}
	return runeOf(char), end + 1
}
