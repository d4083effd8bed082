package transport

import (
	"bytes"
	"context"

	"github.com/walletfi/walletfi-go"
)

// Do runs a call and decodes its answer into a new T.
func Do[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) (*T, error) {
	v := new(T)
	err := c.run(ctx, call, opts, func(body []byte) error {
		if err := c.decodeInto(body, v); err != nil {
			return err
		}
		return call.held(v)
	})
	return resultWith(call, v, err)
}

// DoRaw is Do for a T that also keeps the answer as it came: keep gets the
// bytes, untranslated, after they were decoded.
func DoRaw[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption, keep func(*T, walletfi.Document)) (*T, error) {
	v := new(T)
	err := c.run(ctx, call, opts, func(body []byte) error {
		if err := c.decodeInto(body, v); err != nil {
			return err
		}
		keep(v, body)
		return call.held(v)
	})
	return resultWith(call, v, err)
}

// DoDocument runs a call whose answer has no documented shape and returns its
// JSON. An empty answer is an empty document.
func DoDocument(ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) (walletfi.Document, error) {
	var doc walletfi.Document
	err := c.run(ctx, call, opts, func(body []byte) error {
		if len(bytes.TrimSpace(body)) == 0 {
			return nil
		}
		doc = c.words.toNeutral(body)
		return wellFormed(doc)
	})
	return doc, err
}

// DoBytes runs a call whose answer is not JSON and returns it as it came.
func DoBytes(ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) ([]byte, error) {
	var kept []byte
	err := c.run(ctx, call, opts, func(body []byte) error { kept = body; return nil })
	return kept, err
}

// DoEmpty runs a call and discards the body of a successful answer. An HTML body
// is an error: a proxy answered instead of the service.
func DoEmpty(ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) error {
	return c.run(ctx, call, opts, func(body []byte) error {
		if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
			return errSyntax
		}
		return nil
	})
}

// DoFast is Do for a T that has a decoder of its own: fast reads the body into v
// as decoding would, or returns false if the body holds anything that it does
// not know. Then the body is decoded like any other.
func DoFast[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption, fast func(body []byte, v *T) bool) (*T, error) {
	v := new(T)
	err := c.run(ctx, call, opts, func(body []byte) error {
		if fast(c.words.toNeutral(body), v) {
			if err := missing(v); err != nil {
				return err
			}
			return call.held(v)
		}
		*v = *new(T)
		if err := c.decodeInto(body, v); err != nil {
			return err
		}
		return call.held(v)
	})
	return resultWith(call, v, err)
}
