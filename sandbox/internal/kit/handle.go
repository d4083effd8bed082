package kit

import (
	"net/http"
	"reflect"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// Endpoint reads the input of a route and handles well-formed requests.
type Endpoint struct {
	Input  *inputSpec
	invoke func(c *Call, input any) (any, error)
}

// Nothing is the input of a route without parameters or body.
type Nothing struct{}

// Handle makes an endpoint from a handler. The tags of In's fields declare what
// the request may carry; see inputSpec. A handler, or what it calls, refuses the
// request by panicking with a [Failure].
func Handle[In, Out any](handler func(c *Call, in In) Out) Endpoint {
	return Endpoint{
		Input: newInputSpec(reflect.TypeFor[In]()),
		invoke: func(c *Call, input any) (answer any, err error) {
			err = Attempt(func() { answer = handler(c, *input.(*In)) })
			return answer, err
		},
	}
}

// Attempt calls f and returns the Failure that it panicked with, if any.
func Attempt(f func()) error {
	if err := Caught[Failure](f); err != nil {
		return err
	}
	return nil
}

// Caught calls f and returns the error of a type that it panicked with, if any.
func Caught[E any](f func()) (err *E) {
	defer func() {
		p := recover()
		known := false
		if err, known = p.(*E); p != nil && !known {
			panic(p)
		}
	}()
	f()
	return nil
}

// RefuseIf refuses the request if a condition holds.
func RefuseIf(is bool, status int, code, format string, args ...any) {
	if is {
		panic(Refuse(status, code, format, args...))
	}
}

// Bad returns the Failure of a request that the present state does not allow.
func Bad(format string, args ...any) *Failure {
	return Refuse(http.StatusBadRequest, "", format, args...)
}

// BadIf refuses the request as Bad does if a condition holds.
func BadIf(is bool, format string, args ...any) {
	RefuseIf(is, http.StatusBadRequest, "", format, args...)
}

// Check refuses the request if err is not nil: with err if it is a Failure, else as
// an error of the sandbox's own.
func Check(err error) {
	if err == nil {
		return
	}
	f, ok := err.(*Failure)
	if !ok {
		f = &Failure{Status: http.StatusInternalServerError, Message: err.Error()}
	}
	panic(f)
}

// Must returns v, unless err refuses the request as in Check.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Key reads an address that a request names.
func (c *Call) Key(text, field string) solana.PublicKey {
	key, err := solana.PublicKeyFromBase58(text)
	BadIf(err != nil || len(text) > 44, "%s is no address", field)
	return key
}

// Found returns what a request names, and refuses the request with 404 if there is none.
func Found[T any](found *T, format string, args ...any) *T {
	RefuseIf(found == nil, http.StatusNotFound, "", format, args...)
	return found
}

// Or is the value that was sent, or else a default.
func Or[T any](sent *T, otherwise T) T {
	if sent == nil {
		return otherwise
	}
	return *sent
}

// List writes each element. It is not nil, which JSON would show.
func List[T, R any](all []T, write func(T) R) []R {
	list := make([]R, 0, len(all))
	for _, x := range all {
		list = append(list, write(x))
	}
	return list
}

// Find returns the first element that fits, or the zero value.
func Find[T any](all []T, fits func(T) bool) (found T) {
	if at := slices.IndexFunc(all, fits); at >= 0 {
		found = all[at]
	}
	return found
}

// Either answers the one or the other, as Shape says: how it is written is not
// documented.
func (c *Call) Either(one, other any) any {
	if c.Shape(2) == 0 {
		return one
	}
	return other
}
