package transport

import (
	"bytes"
	"html"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// reader reads one character at the start of text, which is not empty, and
// says how many bytes it took.
type reader func(text []byte) (char rune, size int)

// asIs reads UTF-8. Bytes that are none are told apart by negative values.
func asIs(text []byte) (rune, int) {
	if text[0] < utf8.RuneSelf {
		return rune(text[0]), 1
	}
	char, size := utf8.DecodeRune(text)
	if char == utf8.RuneError && size == 1 {
		return -rune(text[0]), 1
	}
	return char, size
}

func eitherAlphabet(text []byte) (rune, int) {
	switch text[0] {
	case '-':
		return '+', 1
	case '_':
		return '/', 1
	}
	return asIs(text)
}

// unescapeQuery differs from unescapePath in that a plus sign is a blank.
func unescapeQuery(text []byte) (rune, int) {
	if text[0] == '+' {
		return ' ', 1
	}
	return unescapePath(text)
}

func unescapePath(text []byte) (rune, int) {
	var raw [utf8.UTFMax]byte
	n := 0
	for ; n < len(raw) && len(text) >= 3*n+3 && text[3*n] == '%'; n++ {
		value, err := strconv.ParseUint(string(text[3*n+1:3*n+3]), 16, 8)
		if err != nil {
			break
		}
		raw[n] = byte(value)
	}
	if n == 0 {
		return asIs(text)
	}
	char, size := asIs(raw[:n])
	return char, 3 * size
}

func unescapeJSON(text []byte) (rune, int) {
	if text[0] != '\\' || len(text) < 2 {
		return asIs(text)
	}
	if text[1] != 'u' {
		if i := bytes.IndexByte([]byte(`"\/bfnrt`), text[1]); i >= 0 {
			return rune("\"\\/\b\f\n\r\t"[i]), 2
		}
		return asIs(text)
	}
	char, ok := hex4(text)
	if !ok {
		return asIs(text)
	}
	if utf16.IsSurrogate(char) {
		if low, ok := hex4(text[6:]); ok {
			return utf16.DecodeRune(char, low), 12
		}
	}
	return char, 6
}

// hex4 reads \uXXXX.
func hex4(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	value, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(value), err == nil
}

func unescapeHTML(text []byte) (rune, int) {
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
	return char, end + 1
}
