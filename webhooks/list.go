package webhooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// List is the list of all webhooks.
type List struct {
	Webhooks []Webhook
	Raw      walletfi.Document // the whole answer
}

// UnmarshalJSON reads an array, or an object that has an array under a usual name.
// An object without an array is an error: a program that took it for an empty list
// would create its webhooks again.
func (l *List) UnmarshalJSON(b []byte) error {
	l.Raw = bytes.Clone(b)
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		return transport.DecodeList(b, &l.Webhooks)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(b, &object); err != nil {
		return err
	}
	for _, name := range []string{"webhooks", "data", "items", "results"} {
		if inner := object[name]; bytes.HasPrefix(inner, []byte("[")) {
			return transport.DecodeList(inner, &l.Webhooks)
		}
	}
	return errors.New("webhooks: the answer has no list")
}

// List returns all webhooks.
//
// GET /webhooks/rest/v1/webhooks.
func (c *Client) List(ctx context.Context, opts ...walletfi.CallOption) (*List, error) {
	return transport.Do[List](ctx, c.t, transport.Call{
		Op: "List", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Lists("*"),
		Path:   transport.Path("/webhooks/rest/v1/webhooks"),
	}, opts)
}
