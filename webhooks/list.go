package webhooks

import (
	"context"
	"errors"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// WebhookPage is the list of all webhooks.
type WebhookPage struct {
	Items []Webhook
	Raw   walletfi.Document // the whole answer
}

// MarshalJSON returns the answer as it came.
func (l WebhookPage) MarshalJSON() ([]byte, error) { return l.Raw.MarshalJSON() }

// UnmarshalJSON reads an array, or an object that has an array under a usual name.
// An object without an array is an error: a program that took it for an empty list
// would create its webhooks again.
func (l *WebhookPage) UnmarshalJSON(b []byte) error { return wire.Decode(b, l) }

func init() { wire.Reader(readPage) }

func readPage(s *wire.Scanner, l *WebhookPage) error {
	from, isList := s.Offset(), s.Peek() == '['
	var records []listed
	var err error
	if isList {
		err = wire.ReadRecords(s, &records)
	} else {
		s.Skip()
	}
	l.Raw = s.Kept(from)
	if !isList {
		records, err = recordsIn(l.Raw, s.Waives)
	}
	l.Items = make([]Webhook, len(records))
	for i, r := range records {
		l.Items[i] = Webhook(r)
	}
	return err
}

// recordsIn reads the list that an object has under one of the usual names.
func recordsIn(object walletfi.Document, waive func(wire.Breach) bool) ([]listed, error) {
	members, err := wire.Members(object)
	if err != nil {
		return nil, err
	}
	list, ok := wire.ListOf(members, "webhooks", "data", "items", "results")
	if !ok || list == nil {
		return nil, errors.New("webhooks: the answer has no list, or more than one")
	}
	var records wire.Records[listed]
	err = wire.UnmarshalWaiving(list, &records, waive)
	return records.All, err
}

// ListWebhooks returns all webhooks.
//
// GET /webhooks/rest/v1/webhooks.
func (c *Client) ListWebhooks(ctx context.Context, opts ...walletfi.CallOption) (*WebhookPage, error) {
	return transport.Do[WebhookPage](ctx, c.made().t, transport.Call{
		Op: "ListWebhooks", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Lists("*webhooks"),
		Path:   transport.Path("/webhooks/rest/v1/webhooks"),
	}, opts)
}
