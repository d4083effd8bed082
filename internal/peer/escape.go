package peer

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// reader is a way in which a text can spell a secret: as it is, in one escape,
// or in one escape within a JSON string, as when a message quotes a request.
type reader uint8

const (
	asIs reader = iota
	inJSON
	inPath
	inQuery // as inPath, and a plus sign is a blank
	inHTML
	jsonInJSON
	pathInJSON
	queryInJSON
	htmlInJSON
	readers
)

// quoting turns a reader into that of the same escape within a JSON string.
const quoting = jsonInJSON - inJSON

// parent is the reader that agrees with another one except near the escapes
// that the other alone undoes. It comes before the other in number.
var parent = [readers]reader{
	inQuery: inPath, jsonInJSON: inJSON, pathInJSON: inJSON, queryInJSON: pathInJSON, htmlInJSON: inJSON,
}

// piece is what one escape spells: a byte, or the bytes of one character, the
// first lowest.
type piece struct {
	bytes   uint32
	n, size uint8 // of the bytes, and of the escape in the text
}

func plainByte(b byte) piece { return piece{uint32(b), 1, 1} }

func runePiece(r rune, size int) piece {
	var b [utf8.UTFMax]byte
	n := utf8.EncodeRune(b[:], r)
	return piece{binary.LittleEndian.Uint32(b[:]), uint8(n), uint8(size)}
}

// prefixes reports whether secret begins with the bytes of p.
func (p piece) prefixes(secret []byte) bool {
	if len(secret) < int(p.n) {
		return false
	}
	for i := range int(p.n) {
		if secret[i] != byte(p.bytes>>(8*i)) {
			return false
		}
	}
	return true
}

// at reads one piece at the start of text, which is not empty. What is not a
// whole escape is read as it is.
func (r reader) at(text []byte) piece {
	switch c := text[0]; {
	case escapes[c]&(1<<r) == 0:
		return plainByte(c)
	case r < jsonInJSON:
		return r.unescape(text)
	}
	return r.within(text, inJSON.unescape(text))
}

// within is at for a reader within JSON: outer is what the JSON alone spells.
func (r reader) within(text []byte, outer piece) piece {
	inner := r - quoting
	if outer.n > 1 || escapes[byte(outer.bytes)]&(1<<inner) == 0 {
		return outer // the inner escape does not begin here
	}
	if inner == inJSON {
		if next := text[outer.size:]; len(next) > 0 && next[0] != 'u' {
			return jsonTwice(outer, inJSON.at(next))
		}
	}
	var plain [longestPlain + utf8.UTFMax]byte
	var ends [longestPlain + utf8.UTFMax]int
	n := 0
	for at := 0; at < len(text) && (n == 0 || inner.unfinished(plain[:n])); {
		p := inJSON.at(text[at:])
		at += int(p.size)
		for i := range int(p.n) {
			plain[n], ends[n] = byte(p.bytes>>(8*i)), at
			n++
		}
	}
	p := inner.unescape(plain[:n])
	p.size = uint8(ends[p.size-1])
	return p
}

// jsonTwice is what a backslash and the piece after it spell in a JSON string
// within another, if they are no \u escape.
func jsonTwice(backslash, next piece) piece {
	if next.n == 1 {
		if char := simpleJSON(byte(next.bytes)); char != 0 {
			return piece{uint32(char), 1, backslash.size + next.size}
		}
	}
	return backslash
}

// longestPlain is the length of the longest escape, and longestEscape that of
// the longest within JSON.
const (
	longestPlain  = len(`\ud83d\ude00`)
	longestEscape = longestPlain * len(`\u00XX`)
)

// unfinished reports whether an escape can go on after escape.
func (r reader) unfinished(escape []byte) bool {
	n := len(escape)
	switch r {
	case inPath, inQuery:
		return escape[0] == '%' && n < len("%41")
	case inHTML:
		return n < longestEntity && (n == 1 || wordByte(escape[n-1]))
	}
	switch {
	case n < 2 || escape[1] != 'u':
		return n < 2
	case n < 6:
		return true
	}
	return n < longestPlain && escape[2]|0x20 == 'd' // the first of two surrogates
}

// wordByte reports whether c can be within an HTML entity.
func wordByte(c byte) bool {
	return c == '#' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// escapes holds for each byte the readers, as bits, for which it can begin an
// escape.
var escapes = [256]uint16{
	'\\': 1<<inJSON | 1<<jsonInJSON | 1<<pathInJSON | 1<<queryInJSON | 1<<htmlInJSON,
	'%':  1<<inPath | 1<<inQuery | 1<<pathInJSON | 1<<queryInJSON,
	'+':  1<<inQuery | 1<<queryInJSON,
	'&':  1<<inHTML | 1<<htmlInJSON,
}

// unescape undoes one escape of one kind.
func (r reader) unescape(text []byte) piece {
	switch c := text[0]; {
	case r == inJSON && c == '\\':
		return unescapeJSON(text)
	case r == inQuery && c == '+':
		return plainByte(' ')
	case (r == inQuery || r == inPath) && c == '%' && len(text) >= 3:
		if high, low := hexDigit(text[1]), hexDigit(text[2]); high|low < 16 {
			return piece{uint32(high<<4 | low), 1, 3}
		}
	case r == inHTML && c == '&':
		return unescapeHTML(text)
	}
	return plainByte(text[0])
}

func unescapeJSON(text []byte) piece {
	if len(text) < 2 {
		return plainByte(text[0])
	}
	if char := simpleJSON(text[1]); char != 0 {
		return piece{uint32(char), 1, 2}
	}
	char, ok := hex4(text)
	if !ok {
		return plainByte(text[0])
	}
	if utf16.IsSurrogate(char) {
		if low, ok := hex4(text[6:]); ok {
			return runePiece(utf16.DecodeRune(char, low), 12)
		}
	}
	return runePiece(char, 6)
}

// simpleJSON returns what a backslash and c spell, 0 if they are no escape.
func simpleJSON(c byte) byte {
	switch c {
	case '"', '\\', '/':
		return c
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return 0
}

// hex4 reads \uXXXX.
func hex4(text []byte) (char rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:6] {
		digit := hexDigit(c)
		if digit >= 16 {
			return 0, false
		}
		char = char<<4 | rune(digit)
	}
	return char, true
}

// hexDigit returns the value of a digit, 16 or more for other bytes.
func hexDigit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 0xff
}

const longestEntity = len("&#x10ffff;")

// unescapeHTML reads &name; and &#number;.
func unescapeHTML(text []byte) piece {
	end := 1
	for end < min(len(text), longestEntity) && wordByte(text[end]) {
		end++
	}
	if end == min(len(text), longestEntity) || text[end] != ';' {
		return plainByte(text[0])
	}
	if name := text[1:end]; len(name) > 1 && name[0] == '#' {
		return numbered(text, name[1:], end+1)
	}
	return named(text, end+1)
}

// numbered reads the digits of a numbered character.
func numbered(text, digits []byte, size int) piece {
	base := 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	value := 0
	for _, c := range digits {
		digit := int(hexDigit(c))
		if digit >= base {
			return plainByte(text[0])
		}
		value = value*base + digit
	}
	if len(digits) == 0 || value == 0 || value > utf8.MaxRune {
		return plainByte(text[0])
	}
	return runePiece(rune(value), size)
}

// named knows the names of the ASCII characters that are not letters.
func named(text []byte, size int) piece {
	char := asciiName(text[1 : size-1])
	if char == 0 {
		return plainByte(text[0])
	}
	return piece{uint32(char), 1, uint8(size)}
}

func asciiName(name []byte) byte {
	switch string(name) {
	case "amp", "AMP":
		return '&'
	case "lt", "LT":
		return '<'
	case "gt", "GT":
		return '>'
	case "quot", "QUOT":
		return '"'
	case "apos":
		return '\''
	case "sol":
		return '/'
	case "bsol":
		return '\\'
	case "plus":
		return '+'
	case "equals":
		return '='
	case "percnt":
		return '%'
	case "period":
		return '.'
	case "comma":
		return ','
	case "colon":
		return ':'
	case "semi":
		return ';'
	case "lowbar":
		return '_'
	case "num":
		return '#'
	case "commat":
		return '@'
	case "excl":
		return '!'
	case "quest":
		return '?'
	case "dollar":
		return '$'
	case "ast":
		return '*'
	case "lpar":
		return '('
	case "rpar":
		return ')'
	case "grave":
		return '`'
	case "verbar":
		return '|'
	case "Hat":
		return '^'
	}
	return 0
}
