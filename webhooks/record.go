package webhooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

func init() { wire.Reader(readWebhook) }

// MarshalJSON writes the webhook as it came, and one that did not come from the service by
// its fields.
func (w Webhook) MarshalJSON() ([]byte, error) {
	if !w.Raw.IsZero() {
		return w.Raw, nil
	}
	type fields Webhook
	return json.Marshal(fields(w))
}

// UnmarshalJSON reads the record, or the member webhook or data of an object that
// wraps it, or the only element of an array, and keeps all of it in Raw. A bare
// text or number is the id.
func (w *Webhook) UnmarshalJSON(b []byte) error { return wire.Decode(b, w) }

// readWebhook reads a single webhook, and what is wrong with it.
func readWebhook(s *wire.Scanner, w *Webhook) error {
	from := s.Offset()
	var r record
	err := r.readAny(s)
	for _, inner := range r.within {
		if bytes.HasPrefix(inner, []byte("{")) && (r.is.ID == "" || r.isEnvelope() && isRecord(inner)) {
			err = r.readFrom(s, inner)
			break
		}
	}
	*w = r.is
	w.Raw = s.Kept(from)
	return err
}

// isEnvelope reports whether nothing but an id was read, which may be that of the request.
func (r *record) isEnvelope() bool {
	w := r.is
	return w.Name == "" && w.Network == "" && w.Template == "" && w.DestinationURL == "" && w.Enabled == nil
}

// isRecord reports whether an object says which webhook it is, and what it is like.
func isRecord(object walletfi.Document) bool {
	var r record
	_ = wire.DecodeCreated(object, &r) // which is read again
	return r.is.ID != "" && !r.isEnvelope()
}

// record is a webhook with what may have it in another place.
type record struct {
	is     Webhook
	within []walletfi.Document
}

func (r *record) readAny(s *wire.Scanner) error {
	switch {
	case s.Peek() == '{':
		return r.ReadWire(s)
	case isID(s.Peek()):
		err := wire.Value(s, &r.is.ID)
		if r.is.ID == "0" {
			r.is.ID = "" // which names nothing
		}
		return err
	case s.Peek() != '[':
		s.Skip()
		return nil
	}
	var list []walletfi.Document
	switch err := wire.Value(s, &list); {
	case err != nil || len(list) != 1:
		return err
	case list[0][0] == '{':
		return r.readFrom(s, list[0])
	case isID(list[0][0]):
		return wire.Decode(list[0], &r.is.ID)
	}
	return nil
}

// isID reports whether a text or a number begins so.
func isID(first byte) bool { return first == '"' || first == '-' || '0' <= first && first <= '9' }

// readFrom reads a record that is a part of what s reads.
func (r *record) readFrom(s *wire.Scanner, part walletfi.Document) error {
	*r = record{}
	return wire.UnmarshalWaiving(part, r, s.Waives)
}

// ReadWire reads an object.
func (r *record) ReadWire(s *wire.Scanner) error { return r.read(s, wire.Created[Webhook]) }

// read reads an object, its documented members as fields does, and then the other names
// that are tried for them.
func (r *record) read(s *wire.Scanner, fields func(*wire.Scanner, *Webhook) error) error {
	from := s.Offset()
	if err := fields(s, &r.is); err != nil {
		return err
	}
	type Webhook struct { // as errors and Lenient name it
		WebhookID      string            `json:"webhookId" wire:"decides,optional"`
		DeliveryStatus string            `json:"deliveryStatus"`
		Webhook        walletfi.Document `json:"webhook"`
		Data           walletfi.Document `json:"data"`
		Result         walletfi.Document `json:"result"`
	}
	var others Webhook
	body := s.Kept(from)
	err := wire.UnmarshalWaiving(body, &others, s.Waives)
	isAnother := r.is.ID != "" && others.WebhookID != "" && r.is.ID != others.WebhookID
	breach := wire.Breach{Struct: reflect.TypeFor[Webhook](), Member: "webhookId", What: wire.OutOfRange}
	if err == nil && isAnother && !s.Waives(breach) {
		err = errTwoIDs
	}
	r.is.ID, r.is.Status = cmp.Or(r.is.ID, others.WebhookID), cmp.Or(r.is.Status, others.DeliveryStatus)
	r.within = []walletfi.Document{others.Webhook, others.Data, others.Result}
	if err != nil {
		return &walletfi.UnreadError{Records: []*walletfi.RecordError{{Raw: body, Err: err, Kept: true}}}
	}
	return nil
}

var errTwoIDs = fmt.Errorf("%w: Webhook.webhookId decides, and is not the id", walletfi.ErrDecode)

// listed is a webhook of a list. It must be an object: a bare value is the answer to a
// creation, not a record of a list.
type listed Webhook

// ReadWire reads the record.
func (l *listed) ReadWire(s *wire.Scanner) error {
	if s.Peek() != '{' {
		return errors.New("webhooks: a record is not an object")
	}
	from := s.Offset()
	var r record
	err := r.read(s, wire.Fields[Webhook])
	*l = listed(r.is)
	l.Raw = s.Kept(from)
	return err
}
