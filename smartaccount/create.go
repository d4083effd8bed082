package smartaccount

import (
	"context"
	"encoding/json"

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
// one of the body against it, unless the body has a secret. more hold the rest.
func create[T any](
	ctx context.Context, c *Client, call transport.Call, opts []walletfi.CallOption,
	more ...func(body []byte, made T) error,
) (*T, error) {
	if call.Secrets == nil {
		call.Echo = transport.Echo(func(made *created[T]) error {
			found := []error{echo.Repeats(call.Body, made.body)}
			for _, mismatch := range more {
				found = append(found, mismatch(made.body, made.Resource))
			}
			return echo.All(found...)
		})
	}
	answer, err := transport.Do[created[T]](ctx, c.made().t, call, opts)
	if answer == nil {
		return nil, err
	}
	return &answer.Resource, err
}

// over are words for the state of what was not created, or is no longer in force. Only paused
// is documented; what none of them says, such as pending, may be on its way to active.
var over = []Status{
	StatusPaused, "failed", "rejected", "error", "closed", "cancelled", "canceled", "revoked", "expired", "inactive",
	"disabled", "declined", "denied", "deleted", "removed", "suspended", "terminated", "aborted",
}

// active holds the state of what was created against the one in which everything begins.
func active[T any](body []byte, _ T) error {
	var said struct {
		Status Status `json:"status"`
	}
	_ = json.Unmarshal(body, &said) // what is no text is no state, and is said beside the value
	return echo.Word("status", StatusActive, said.Status, over...)
}
