package transport

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
)

// Keep returns a copy of b: for the UnmarshalJSON of a type that also holds its
// JSON as it came.
func Keep(b []byte) walletfi.Document { return slices.Clone(b) }

// Decode reads b into v as leniently as any response, for the UnmarshalJSON of a
// type. Its errors name fields and never content.
func Decode(b []byte, v any) error { return decode(b, v) }

// decodeInto decodes the body of a success into v. An empty one, which only a
// Silent call has, is as good as an object without members. If no shape is
// documented, JSON that does not fit leaves v as it was.
func decodeInto[T any](call *Call, body []byte, v *T) error {
	if len(body) > 0 {
		err := decode(body, v)
		if _, misfit := err.(*fieldError); misfit && call.Answer.Form != FormSays {
			*v = *new(T)
			return nil
		}
		if err != nil {
			return err
		}
	}
	return missing(v)
}

// wellFormed returns what is wrong with a body that is kept as JSON.
func wellFormed(body []byte) error {
	if !utf8.Valid(body) {
		return errUTF8
	}
	if json.Valid(body) {
		return nil
	}
	var text json.RawMessage
	return syntaxError(body, json.Unmarshal(body, &text))
}
