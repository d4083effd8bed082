package transport

import (
	"context"

	"github.com/walletfi/walletfi-go"
)

// DoFast is Do for a T of which so many come that reading them by hand pays:
// fast reads the body into v, or returns false where it met what it does not
// take, however little, whereupon the body is decoded as any other. It must
// leave v as decoding would.
func DoFast[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption, fast func(body []byte, v *T) bool) (*T, error) {
	v := new(T)
	err := c.run(ctx, call, opts, func(body []byte) error {
		if fast(c.words.toNeutral(body), v) {
			return missing(v)
		}
		*v = *new(T)
		return c.decodeInto(body, v)
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}
