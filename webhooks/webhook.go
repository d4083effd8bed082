package webhooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Webhook is a webhook as the service stores it. The answers are not
// documented: what was given at its creation is typed, its id is looked for
// under the usual names, and everything is in Raw. The service may answer with
// nothing at all (204), which leaves a Webhook empty.
type Webhook struct {
	ID             string            `json:"id"`
	Name           string            `json:"name"`
	Network        string            `json:"network"`
	Template       Template          `json:"templateId"`
	TemplateArgs   walletfi.Document `json:"templateArgs"`
	DestinationURL string            `json:"destination_url"`
	Enabled        *bool             `json:"enabled"` // nil where the answer does not say
	Status         string            `json:"status"`

	Raw walletfi.Document `json:"-"`
}

// UnmarshalJSON reads the record, bare or inside an object that holds nothing
// else of use, and keeps it as it came in Raw.
func (w *Webhook) UnmarshalJSON(b []byte) error {
	type fields Webhook
	if err := transport.Keep(b, (*fields)(w), &w.Raw); err != nil {
		return err
	}
	var other struct {
		WebhookID string            `json:"webhookId"`
		Webhook   walletfi.Document `json:"webhook"`
		Data      walletfi.Document `json:"data"`
	}
	if err := transport.Keep(b, &other, new(walletfi.Document)); err != nil {
		return err
	}
	if w.ID == "" {
		w.ID = other.WebhookID
	}
	for _, inner := range []walletfi.Document{other.Webhook, other.Data} {
		if w.ID == "" && bytes.HasPrefix(inner, []byte("{")) {
			raw := w.Raw
			err := w.UnmarshalJSON(inner)
			w.Raw = raw
			return err
		}
	}
	return nil
}

// CreateRequest describes a new webhook.
type CreateRequest struct {
	Name           string       `json:"name"`            // required
	Network        string       `json:"network"`         // chain and environment; required; the set is the service's
	TemplateArgs   TemplateArgs `json:"templateArgs"`    // required
	DestinationURL string       `json:"destination_url"` // https; required
	Enabled        bool         `json:"enabled"`
}

// Create makes a webhook from a template.
//
// POST /webhooks/rest/v1/webhooks/template/{templateId}. Doing it twice makes
// two: it is not repeated after it was sent, and without a clear answer the
// error is walletfi.ErrOutcomeUnknown. List tells, by the name.
func (c *Client) Create(ctx context.Context, template Template, req CreateRequest, opts ...walletfi.CallOption) (*Webhook, error) {
	return transport.Do[Webhook](ctx, c.t, transport.Call{
		Op: "Create", Effect: transport.Create, Method: http.MethodPost,
		Path: transport.Path("/webhooks/rest/v1/webhooks/template/{templateId}", string(template)),
		Body: req, Invalid: req.problem(template),
	}, opts)
}

func (r CreateRequest) problem(template Template) error {
	rules := []error{
		check.Required("templateId", template),
		check.Required("name", r.Name),
		check.Required("network", r.Network),
		check.HTTPS("destination_url", r.DestinationURL),
		check.That(r.TemplateArgs != nil, "templateArgs", "is required"),
	}
	if r.TemplateArgs != nil {
		rules = append(rules, r.TemplateArgs.problem(template))
	}
	return check.All(rules...)
}

// Webhooks is the list of all webhooks.
type Webhooks struct {
	Webhooks []Webhook
	Raw      walletfi.Document
}

// UnmarshalJSON reads an array, or an object that holds one.
func (l *Webhooks) UnmarshalJSON(b []byte) error {
	l.Raw = append(l.Raw[:0], b...)
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		return json.Unmarshal(b, &l.Webhooks)
	}
	var object map[string]walletfi.Document
	if err := json.Unmarshal(b, &object); err != nil {
		return err
	}
	for _, name := range []string{"webhooks", "data", "items", "results"} {
		if inner := bytes.TrimSpace(object[name]); bytes.HasPrefix(inner, []byte("[")) {
			return json.Unmarshal(inner, &l.Webhooks)
		}
	}
	return fmt.Errorf("webhooks: no list in the answer")
}

// List returns all webhooks.
//
// GET /webhooks/rest/v1/webhooks.
func (c *Client) List(ctx context.Context, opts ...walletfi.CallOption) (*Webhooks, error) {
	return transport.Do[Webhooks](ctx, c.t, transport.Call{
		Op: "List", Effect: transport.Read, Method: http.MethodGet,
		Path: transport.Path("/webhooks/rest/v1/webhooks"),
	}, opts)
}

// Get returns one webhook.
//
// GET /webhooks/rest/v1/webhooks/{webhookId}.
func (c *Client) Get(ctx context.Context, id string, opts ...walletfi.CallOption) (*Webhook, error) {
	return transport.Do[Webhook](ctx, c.t, transport.Call{
		Op: "Get", Effect: transport.Read, Method: http.MethodGet,
		Path: transport.Path("/webhooks/rest/v1/webhooks/{webhookId}", id),
	}, opts)
}

// UpdateRequest changes some of a webhook: what is nil or empty stays. Only
// Enabled is documented.
type UpdateRequest struct {
	Enabled        *bool        `json:"enabled,omitempty"` // false disables
	Name           string       `json:"name,omitzero"`
	DestinationURL string       `json:"destination_url,omitzero"` // https
	TemplateArgs   TemplateArgs `json:"templateArgs,omitempty"`
}

// Update changes a webhook. The answer may be empty.
//
// PATCH /webhooks/rest/v1/webhooks/{webhookId}. It sets values: safe to retry.
func (c *Client) Update(ctx context.Context, id string, req UpdateRequest, opts ...walletfi.CallOption) (*Webhook, error) {
	return transport.Do[Webhook](ctx, c.t, transport.Call{
		Op: "Update", Effect: transport.Set, Method: http.MethodPatch,
		Path: transport.Path("/webhooks/rest/v1/webhooks/{webhookId}", id),
		Body: req, Invalid: req.problem(),
	}, opts)
}

func (r UpdateRequest) problem() error {
	given := r.Enabled != nil || r.Name != "" || r.DestinationURL != "" || r.TemplateArgs != nil
	rules := []error{check.That(given, "body", "changes nothing")}
	if r.DestinationURL != "" {
		rules = append(rules, check.HTTPS("destination_url", r.DestinationURL))
	}
	return check.All(rules...)
}

// Delete removes a webhook. One that is gone already, because an earlier
// attempt's answer was lost, is no error.
//
// DELETE /webhooks/rest/v1/webhooks/{webhookId}. Safe to retry.
func (c *Client) Delete(ctx context.Context, id string, opts ...walletfi.CallOption) error {
	return transport.DoEmpty(ctx, c.t, transport.Call{
		Op: "Delete", Effect: transport.Set, Method: http.MethodDelete,
		Path: transport.Path("/webhooks/rest/v1/webhooks/{webhookId}", id),
	}, opts)
}

// Test has the service send a delivery to the webhook's destination. The
// answer's shape is not documented, and may be empty.
//
// POST /webhooks/rest/v1/webhooks/{webhookId}/test. Each one is a delivery: it
// is not repeated after it was sent.
func (c *Client) Test(ctx context.Context, id string, opts ...walletfi.CallOption) (walletfi.Document, error) {
	return transport.DoDocument(ctx, c.t, transport.Call{
		Op: "Test", Effect: transport.Create, Method: http.MethodPost,
		Path: transport.Path("/webhooks/rest/v1/webhooks/{webhookId}/test", id),
	}, opts)
}
