package transport

import (
	"encoding/json"
	"errors"
)

// Envelop decodes the body of a failure into v, a service's envelope. A member of
// another type than is documented stays zero, or as text if it is a number where
// a text was promised: a code says what happened whatever is beside it. It is
// false if body is not JSON.
func Envelop[T any](body []byte, v *T) bool {
	if Unmarshal(body, v) == nil {
		return true
	}
	*v = *new(T)
	err := json.Unmarshal(body, v)
	_, otherType := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || otherType
}
