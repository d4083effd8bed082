package onchaindata

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/walletfi/walletfi-go/internal/transport"
)

// accept is transport.Config.Accept: it finds the errors that come under HTTP
// 200. The members that make a refusal all hold the word "error", which next
// to no answer does: most need no second reading.
func accept(body []byte) ([]byte, bool) {
	return body, !bytes.Contains(body, []byte("error")) || readRefusal(body) == nil
}

// readRefusal returns the error that body is, without its HTTP side, or nil.
// An empty errors array and an error_code of 0 refuse nothing.
func readRefusal(body []byte) *Error {
	var shape struct {
		Errors json.RawMessage `json:"errors"`
		Status json.RawMessage `json:"status"`
	}
	if json.Unmarshal(body, &shape) != nil {
		return nil
	}
	return cmp.Or(listedErrors(shape.Errors), statusError(shape.Status))
}

// listedErrors reads [{status, title}], and a text or texts in its place.
func listedErrors(raw json.RawMessage) *Error {
	switch string(bytes.Join(bytes.Fields(raw), nil)) {
	case "", "null", "[]", "{}", `""`, "false":
		return nil
	}
	var list many[Problem]
	if transport.Unmarshal(raw, &list) == nil {
		return &Error{Problems: list, Message: titles(list)}
	}
	var texts many[string]
	if transport.Unmarshal(raw, &texts) != nil {
		var text string
		_ = json.Unmarshal(raw, &text) // whatever else it is, it refuses
		texts = many[string]{text}
	}
	return &Error{Message: strings.Join(texts, "; ")}
}

func titles(list []Problem) string {
	texts := make([]string, 0, len(list))
	for _, p := range list {
		if text := cmp.Or(p.Title, p.Detail, p.Status); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}

// statusError reads {error_code, error_message}.
func statusError(raw json.RawMessage) *Error {
	var shape struct {
		Code    string `json:"error_code"`
		Message string `json:"error_message"`
	}
	if len(raw) == 0 || transport.Unmarshal(raw, &shape) != nil {
		return nil
	}
	if shape.Code == "0" {
		shape.Code = ""
	}
	if shape.Code == "" && shape.Message == "" {
		return nil
	}
	return &Error{Code: shape.Code, Message: shape.Message}
}
