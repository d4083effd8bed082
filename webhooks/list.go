package webhooks

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Page is the list of all webhooks.
type Page struct {
	Items []Webhook
	Raw   walletfi.Document // the whole answer
}

// MarshalJSON returns the answer as it came.
func (l Page) MarshalJSON() ([]byte, error) { return l.Raw.MarshalJSON() }

// UnmarshalJSON reads an array, or an object that has an array under a usual name.
// An object without an array is an error: a program that took it for an empty list
// would create its webhooks again.
func (l *Page) UnmarshalJSON(b []byte) error {
	l.Raw = bytes.Clone(b)
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		return l.read(b)
	}
	object, err := wire.Members(b)
	if err != nil {
		return err
	}
	for _, name := range []string{"webhooks", "data", "items", "results"} {
		if inner := object[name]; bytes.HasPrefix(inner, []byte("[")) {
			return l.read(inner)
		}
	}
	return errors.New("webhooks: the answer has no list")
}

// read reads the records. Each must be an object: a bare value is the answer to a
// creation, not a record of a list.
func (l *Page) read(b []byte) error {
	var records []listed
	err := wire.DecodeList(b, &records)
	l.Items = make([]Webhook, len(records))
	for i, r := range records {
		l.Items[i] = Webhook(r)
	}
	return err
}

type listed Webhook

func (l *listed) UnmarshalJSON(b []byte) error {
	if !bytes.HasPrefix(b, []byte("{")) {
		return errors.New("webhooks: a record is not an object")
	}
	return (*Webhook)(l).UnmarshalJSON(b)
}

// List returns all webhooks.
//
// GET /webhooks/rest/v1/webhooks.
func (c *Client) List(ctx context.Context, opts ...walletfi.CallOption) (*Page, error) {
	return transport.Do[Page](ctx, c.t, transport.Call{
		Op: "List", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Lists("*webhooks"),
		Path:   transport.Path("/webhooks/rest/v1/webhooks"),
	}, opts)
}
