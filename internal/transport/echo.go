package transport

import (
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Echo makes a Call's Echo of a function that returns a
// [walletfi.MismatchError] if the result names other mints, amounts or ids than
// the request. Package echo has the comparisons.
func Echo[T any](mismatch func(result *T) error) func(result any) error {
	return func(result any) error {
		r, ok := result.(*T)
		if !ok {
			return fmt.Errorf("a %T cannot be held against the request: its Echo is for a %T", result, r)
		}
		return mismatch(r)
	}
}

// held is the last step of decoding.
func (c Call) held(result any) error {
	if c.Echo == nil {
		return nil
	}
	return c.Echo(result)
}

// mismatched types a success that contradicts the request. What a Create
// answers exists, whatever it contradicts. Of a Relay the answer may be about
// other bytes, so that the outcome of these is unknown.
func (x *exchange) mismatched(a *answer, cause error) error {
	r := x.response(a, x.mask())
	r.Kind, r.Cause = walletfi.ErrMismatch, cause
	if x.call.Effect != Relay {
		return r
	}
	x.progress.doubt = true
	return x.end(r)
}

// resultWith returns what a method returns with err: nothing, or what was
// created although the answer contradicts the request.
func resultWith[T any](call Call, result *T, err error) (*T, error) {
	if !wire.Usable(err) && !(call.Effect == Create && errors.Is(err, walletfi.ErrMismatch)) {
		return nil, err
	}
	return result, err
}
