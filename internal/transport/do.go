package transport

import (
	"context"
	"reflect"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/lenient"
)

// Do runs a call and decodes its answer into a new T. If some records of a list in
// it cannot be read, the error is a [*walletfi.UnreadError], and the result has the
// others.
func Do[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) (*T, error) {
	v := new(T)
	call.result = reflect.TypeFor[T]()
	err := c.run(ctx, call, opts, reader{decode: func(body []byte, _ *outcome, w *lenient.Walk) error { return read(&call, body, v, w) }})
	return resultWith(call, v, err)
}

// DoRaw is Do for a T that also keeps the whole answer: keep gets it in the
// documentation's words, otherwise as it came, after it was decoded.
func DoRaw[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption, keep func(*T, walletfi.Document)) (*T, error) {
	return doKept(ctx, c, call, opts, func(v *T, last *outcome) { keep(v, last.payload) })
}

// DoEcho is Do for a T of which the service wants the answer back: keep gets that as it
// came, in the deployment's words.
func DoEcho[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption, keep func(*T, walletfi.Document)) (*T, error) {
	return doKept(ctx, c, call, opts, func(v *T, last *outcome) { keep(v, last.came) })
}

func doKept[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption, keep func(*T, *outcome)) (*T, error) {
	v := new(T)
	call.result = reflect.TypeFor[T]()
	err := c.run(ctx, call, opts, reader{decode: func(body []byte, last *outcome, w *lenient.Walk) error {
		err := read(&call, body, v, w)
		keep(v, last)
		return err
	}})
	return resultWith(call, v, err)
}

// DoRawFast is DoRaw for a T that has a decoder of its own: see DoFast.
func DoRawFast[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption, fast func(body []byte, v *T) bool, keep func(*T, walletfi.Document)) (*T, error) {
	v := new(T)
	call.result = reflect.TypeFor[T]()
	err := c.run(ctx, call, opts, fastReader(&call, v, fast, func(whole []byte) { keep(v, whole) }))
	return resultWith(call, v, err)
}

// DoDocument runs a call whose answer has no documented shape and returns its
// JSON. The empty answer of a Silent call is an empty document.
func DoDocument(ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) (walletfi.Document, error) {
	var doc walletfi.Document
	err := c.run(ctx, call, opts, reader{decode: func(body []byte, _ *outcome, _ *lenient.Walk) error {
		if len(body) == 0 {
			return nil
		}
		doc = body
		return lenient.WellFormed(doc)
	}})
	return doc, err
}

// DoBytes runs a call whose answer is not JSON and returns it as it came.
func DoBytes(ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) ([]byte, error) {
	var kept []byte
	err := c.run(ctx, call, opts, reader{decode: func(_ []byte, last *outcome, _ *lenient.Walk) error { kept = last.came; return nil }})
	return kept, err
}

// DoEmpty runs a call and discards the body of a successful answer.
func DoEmpty(ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) error {
	return c.run(ctx, call, opts, reader{decode: func([]byte, *outcome, *lenient.Walk) error { return nil }})
}

// DoFast is Do for a T that has a decoder of its own: fast reads the body into v
// as decoding would, or returns false if the body holds anything that it does
// not know. Then the body is decoded like any other. What fast takes is no refusal:
// it must know each member at the top whose name is success, error, errors or status,
// in any case, or return false. Accept of its service returns all of a body.
func DoFast[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption, fast func(body []byte, v *T) bool) (*T, error) {
	v := new(T)
	call.result = reflect.TypeFor[T]()
	err := c.run(ctx, call, opts, fastReader(&call, v, fast, func([]byte) {}))
	return resultWith(call, v, err)
}

// fastReader reads a body into v by fast, and by decoding if that declines.
func fastReader[T any](call *Call, v *T, fast func(body []byte, v *T) bool, keep func(whole []byte)) reader {
	taken := func(body []byte) bool { return fast(body, v) && lenient.Missing(v) == nil }
	return reader{fast: taken, decode: func(body []byte, last *outcome, w *lenient.Walk) (err error) {
		if body == nil {
			err = call.held(v)
		} else {
			*v = *new(T)
			err = read(call, body, v, w)
		}
		keep(last.payload)
		return err
	}}
}
