package smartaccount

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// created is the answer to a creation. It must hold the id of what was
// created, which the same resource in a list may lack.
type created[T any] struct {
	ID       string `json:"id" wire:"required"`
	Resource T      `json:"-"`

	body []byte // of the answer, until it was held against the request
}

// ReadWire reads the id, without which nothing was created, and then what may be wrong beside it.
func (c *created[T]) ReadWire(s *wire.Scanner) error {
	from := s.Offset()
	if err := wire.Created(s, &c.Resource); err != nil {
		return err
	}
	c.body = s.Kept(from)
	type fields created[T]
	return wire.Decode(c.body, (*fields)(c))
}

// create makes a call that creates a T, and holds every member of the answer that repeats
// one of the body against it, unless the body has a secret.
func create[T any](ctx context.Context, c *Client, call transport.Call, opts []walletfi.CallOption) (*T, error) {
	if call.Secrets == nil {
		call.Echo = transport.Echo(func(made *created[T]) error { return echo.Repeats(call.Body, made.body) })
	}
	answer, err := transport.Do[created[T]](ctx, c.t, call, opts)
	if answer == nil {
		return nil, err
	}
	return &answer.Resource, err
}
