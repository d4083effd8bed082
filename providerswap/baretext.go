package providerswap

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// accept is transport.Config.Accept. It quotes a bare text, which may be a
// transaction.
func accept(body []byte) (payload []byte, ok bool) {
	if text := bytes.TrimSpace(body); isBareText(text) {
		return strconv.AppendQuote(nil, string(text)), true
	}
	return body, true
}

// isBareText reports whether b is base64 or base58 without quotes. Valid JSON,
// such as a number, is not.
func isBareText(b []byte) bool {
	for _, c := range b {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '+', c == '/', c == '=':
		default:
			return false
		}
	}
	return len(b) > 0 && !json.Valid(b)
}
