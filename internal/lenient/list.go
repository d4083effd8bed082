package lenient

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
)

// Keep returns a copy of b: for the UnmarshalJSON of a type that also holds its
// JSON as it came.
func Keep(b []byte) walletfi.Document { return slices.Clone(b) }

// Decode reads b into v as leniently as any response, for the UnmarshalJSON of a
// type. Its errors name fields and never content.
func Decode(b []byte, v any) error { return decode(b, v) }

// DecodeWalked is [Decode] of a body through which the caller went with w.
func DecodeWalked(b []byte, v any, w *Walk) error { return decodeWalked(b, v, w) }

// DecodeCreated is [Decode] for what a call created: once its id is read, no other
// member can make an error of the creation. A value that does not fit, or that comes
// twice, leaves its field at zero, even if the field is strict.
func DecodeCreated(b []byte, v any) error {
	err := decode(b, v)
	if _, misfit := err.(*FieldError); misfit {
		return decodeAll(b, v, err)
	}
	return err
}

// Records is an answer that is a list itself.
type Records[T any] struct{ All []T }

// UnmarshalJSON reads the list with [DecodeList].
func (r *Records[T]) UnmarshalJSON(b []byte) error { return DecodeList(b, &r.All) }

// DecodeList reads a list element by element, for the UnmarshalJSON of a type. It
// leaves out the elements that cannot be read: then the error is a
// [*walletfi.UnreadError].
func DecodeList[T any](b []byte, list *[]T) error {
	var whole struct {
		List []T `json:"list" wire:"records"`
	}
	err := decode(slices.Concat([]byte(`{"list":`), b, []byte("}")), &whole)
	*list = whole.List
	if unread, ok := errors.AsType[*walletfi.UnreadError](err); ok {
		for _, record := range unread.Records {
			record.List = strings.TrimPrefix(record.List, "list")
		}
	}
	return err
}

// WellFormed returns what is wrong with a body that is kept as JSON.
func WellFormed(body []byte) error {
	if !utf8.Valid(body) {
		return ErrUTF8
	}
	if json.Valid(body) {
		return nil
	}
	var text json.RawMessage
	return syntaxError(body, json.Unmarshal(body, &text))
}
