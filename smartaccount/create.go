package smartaccount

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// created is the answer to a creation. It must hold the id of what was
// created, which the same resource in a list may lack.
type created[T any] struct {
	ID       string `json:"id" wire:"required"`
	Resource T      `json:"-"`
}

func (c *created[T]) UnmarshalJSON(b []byte) error {
	type fields created[T]
	if err := wire.Decode(b, (*fields)(c)); err != nil {
		return err
	}
	return wire.DecodeCreated(b, &c.Resource)
}

// create makes a call that creates a T.
func create[T any](ctx context.Context, c *Client, call transport.Call, opts []walletfi.CallOption) (*T, error) {
	answer, err := transport.Do[created[T]](ctx, c.t, call, opts)
	if answer == nil {
		return nil, err
	}
	return &answer.Resource, err
}
