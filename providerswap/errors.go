package providerswap

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// accept is transport.Config.Accept. It quotes a bare text, which may be a
// transaction, and detects a refusal with a 2xx status.
func accept(body []byte) (payload []byte, ok bool) {
	trimmed := bytes.TrimSpace(body)
	if isBareText(trimmed) {
		return strconv.AppendQuote(nil, string(trimmed)), true
	}
	var says struct {
		Success json.RawMessage `json:"success"`
		Error   json.RawMessage `json:"error"`
	}
	if len(trimmed) == 0 || trimmed[0] != '{' || json.Unmarshal(trimmed, &says) != nil {
		return body, true
	}
	switch string(says.Success) {
	case "false", `"false"`, "0":
		return nil, false
	}
	switch string(says.Error) {
	case "", "null", "false", `""`, "{}", "[]", "0":
		return body, true
	}
	return nil, false
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
