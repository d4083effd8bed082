package transport

import (
	"cmp"
	"context"
	"reflect"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/observe"
)

// A Keep gets the whole answer, after it was decoded: in the documentation's words, and
// as it came, in the deployment's words, for a service that wants it back.
type Keep[T any] func(v *T, neutral, came walletfi.Document)

// Do runs a call and decodes its answer into a new T. If some records of a list in
// it cannot be read, the error is a [*walletfi.UnreadError], and the result has the
// others.
func Do[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption, keep ...Keep[T]) (*T, error) {
	v := new(T)
	call.result = reflect.TypeFor[T]()
	err := c.run(ctx, call, opts, reader{v, func(body []byte, last *outcome, err error) error {
		if why, misfit := err.(*wire.FieldError); misfit && call.Answer.Form != declared.FormSays && !call.Answer.Judged {
			*v, err = *new(T), nil // no shape is documented
			c.tellUnread(ctx, &call, why)
		} else if wire.Usable(err) {
			err = cmp.Or(wire.Missing(v), err)
		}
		for _, keep := range keep {
			keep(v, last.payload, last.came)
		}
		if wire.Usable(err) {
			err = cmp.Or(call.held(v), err)
		}
		return err
	}})
	return resultWith(call, v, err)
}

// tellUnread notifies the observer of a member because of which an answer without a
// documented shape was not read, the first time.
func (c *Client) tellUnread(ctx context.Context, call *Call, why *wire.FieldError) {
	path := call.Path.template
	if c.drift == nil || !c.drift.First(call.Method+" "+path, why.Path, why.Problem) {
		return
	}
	observing.Tell(ctx, c.observer, observe.Drift{
		Service: c.service, Op: call.Op, Route: path, Member: why.Path, Fault: why.Problem,
	})
}

// DoDocument runs a call whose answer has no documented shape and returns its
// JSON. The empty answer of a Silent call is an empty document.
func DoDocument(
	ctx context.Context, c *Client, call Call, opts []walletfi.CallOption,
) (doc walletfi.Document, err error) {
	err = c.run(ctx, call, opts, reader{nil, func(body []byte, _ *outcome, err error) error {
		doc = body
		return cmp.Or(err, call.held(&doc))
	}})
	return doc, err
}

// DoBytes runs a call whose answer is not JSON and returns it as it came.
func DoBytes(ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) (kept []byte, err error) {
	err = c.run(ctx, call, opts, reader{nil, func(_ []byte, last *outcome, _ error) error {
		kept = last.came
		return nil
	}})
	return kept, err
}

// DoEmpty runs a call and discards the body of a successful answer.
func DoEmpty(ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) error {
	return c.run(ctx, call, opts, reader{nil, func([]byte, *outcome, error) error { return nil }})
}
