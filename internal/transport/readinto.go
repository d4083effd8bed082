package transport

import (
	"cmp"

	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/lenient"
)

// decodeInto decodes the body of a success into v. An empty one, which only a
// Silent call has, is as good as an object without members. If no shape is
// documented, JSON that does not fit leaves v as it was.
func decodeInto[T any](call *Call, body []byte, v *T, w *lenient.Walk) error {
	var err error
	if len(body) > 0 {
		err = lenient.DecodeWalked(body, v, w)
	}
	if _, misfit := err.(*lenient.FieldError); misfit && call.Answer.Form != declared.FormSays {
		*v = *new(T)
		return nil
	}
	if lenient.Usable(err) {
		err = cmp.Or(lenient.Missing(v), err)
	}
	return err
}

// read decodes the body of a success into v and holds it against the request.
func read[T any](call *Call, body []byte, v *T, w *lenient.Walk) error {
	err := decodeInto(call, body, v, w)
	if lenient.Usable(err) {
		err = cmp.Or(call.held(v), err)
	}
	return err
}
