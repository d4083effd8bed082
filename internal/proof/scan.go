package proof

import (
	"bytes"
	"encoding/json"

	"github.com/walletfi/walletfi-go/internal/jsonscan"
)

// stringEnd returns the index after the string whose opening quote is b[i], or
// len(b) if it does not end.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(b)
}

// valueEnd returns the index after the value that starts at b[i], or len(b) if it
// does not end.
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
	for depth := 0; i < len(b); i++ {
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
	return len(b)
}

func skipSpace(b []byte, i int) int { return jsonscan.Space(b, i) }

// unquoted returns the text of a string in quotes.
func unquoted(token []byte) []byte {
	if bytes.IndexByte(token, '\\') < 0 {
		return token[1 : len(token)-1]
	}
	var text string
	if json.Unmarshal(token, &text) != nil {
		return token[1 : len(token)-1]
	}
	return []byte(text)
}

func isNumber(text []byte) bool {
	return len(text) > 0 && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && json.Valid(text)
}

// kindOf names what a value is.
func kindOf(value []byte) string {
	switch value[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "bool"
	}
	return "number"
}
