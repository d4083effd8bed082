package webhooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/declared"
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
	*w = r.is
	w.Raw = s.Kept(from)
	return err
}

// named is a webhook in an answer that must say which one it is. It is kept if it does not.
type named Webhook

// ReadWire reads it.
func (n *named) ReadWire(s *wire.Scanner) error {
	err := readWebhook(s, (*Webhook)(n))
	if err != nil || n.ID != "" {
		return err
	}
	return kept(n.Raw, wrong(s, "id", wire.Absent))
}

// record is a webhook with what may have it in another place.
type record struct {
	is     Webhook
	within []walletfi.Document
	depth  int // of envelopes around it
}

// mostEnvelopes is how many envelopes are opened. What is in one is read again.
const mostEnvelopes = 3

// isEnvelope reports whether nothing but an id was read, which may be that of the request.
func (r *record) isEnvelope() bool {
	w := r.is
	return w.Name == "" && w.Network == "" && w.Template == "" && w.DestinationURL == "" && w.Enabled == nil
}

func (r *record) readAny(s *wire.Scanner) error {
	switch {
	case s.Peek() == '{':
		return r.ReadWire(s)
	case isID(s.Peek()):
		err := wire.Value(s, &r.is.ID)
		if r.is.ID == "0" || declared.Affirms([]byte(r.is.ID)) {
			r.is.ID = "" // it names nothing, or says that it is done
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
		return wire.UnmarshalWaiving(list[0], r, s.Waives)
	case isID(list[0][0]):
		return wire.Decode(list[0], &r.is.ID)
	}
	return nil
}

// isID reports whether a text or a number begins so.
func isID(first byte) bool { return first == '"' || first == '-' || '0' <= first && first <= '9' }

// ReadWire reads an object, or what it is the envelope of: that says which webhook it is, or what
// it is like, and the object does not.
func (r *record) ReadWire(s *wire.Scanner) error {
	from := s.Offset()
	err := r.read(s, wire.Created[Webhook])
	for i, part := range r.within {
		inner := record{depth: r.depth + 1}
		if inner.depth > mostEnvelopes || !bytes.HasPrefix(part, []byte("{")) {
			continue
		}
		wrongInside := wire.UnmarshalWaiving(part, &inner, s.Waives)
		if r.is.ID == "" && inner.is.ID != "" || r.isEnvelope() && !inner.isEnvelope() {
			inner.is.ID = cmp.Or(inner.is.ID, r.is.ID)
			*r = inner
			return wrongInside
		}
		if isHook := i == 0 || r.isEnvelope(); isHook && err == nil && differ(inner.is.ID, r.is.ID) {
			err = kept(s.Kept(from), wrong(s, "id", contradicted))
		}
	}
	return err
}

// read reads an object, its documented members as fields does, and then the other names
// that are tried for them.
func (r *record) read(s *wire.Scanner, fields func(*wire.Scanner, *Webhook) error) error {
	from := s.Offset()
	if err := fields(s, &r.is); err != nil {
		return err
	}
	type Webhook struct { // as errors and Lenient name it
		WebhookID      string            `json:"webhookId" wire:"decides,optional"`
		OtherID        string            `json:"webhook_id" wire:"decides,optional"`
		TemplateID     string            `json:"template_id" wire:"decides,optional"`
		DestinationURL string            `json:"destinationUrl" wire:"decides,optional,word"`
		DeliveryStatus string            `json:"deliveryStatus"`
		Webhook        walletfi.Document `json:"webhook"`
		Data           walletfi.Document `json:"data"`
		Result         walletfi.Document `json:"result"`
	}
	var others Webhook
	body := s.Kept(from)
	err := wire.UnmarshalWaiving(body, &others, s.Waives)
	join := func(is *string, member, other string) {
		if err == nil && differ(*is, other) {
			err = wrong(s, member, contradicted)
		}
		*is = cmp.Or(*is, other)
	}
	join(&r.is.ID, "webhookId", others.WebhookID)
	join(&r.is.ID, "webhook_id", others.OtherID)
	join((*string)(&r.is.Template), "template_id", others.TemplateID)
	join(&r.is.DestinationURL, "destinationUrl", others.DestinationURL)
	r.is.Status = cmp.Or(r.is.Status, others.DeliveryStatus)
	r.within = []walletfi.Document{others.Webhook, others.Data, others.Result}
	return kept(body, err)
}

// differ reports whether two texts that say something differ.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

// wrong returns the fault of a member of a webhook, nil if it is let through.
func wrong(s *wire.Scanner, member string, what wire.Fault) error {
	b := wire.Breach{Struct: reflect.TypeFor[Webhook](), Member: member, What: what}
	if s.Waives(b) {
		return nil
	}
	return fmt.Errorf("%s decides, and is %s", b.Name(), what)
}

// kept makes a fault one of a webhook that is kept, nil if there is none.
func kept(raw walletfi.Document, err error) error {
	if err == nil {
		return nil
	}
	return &walletfi.UnreadError{Records: []*walletfi.RecordError{{Raw: raw, Err: err, Kept: true}}}
}

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
	if err == nil && l.ID == "" {
		wire.Lacks[Webhook](s, "id")
	}
	return err
}
