package webhooks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Webhook is a webhook as the service stores it. The answers are not documented:
// the members of the request are decoded under the request's names, the id and the
// status under the usual names, and all of the answer is in Raw. If the service
// answers without a body (204), the Webhook is empty.
//
// A webhook exists whatever its record says. If the id, the flag or what says where
// deliveries go is of another kind, repeated or contradicted, or if an answer with a body has no
// id, that member cannot be used, and the error with the webhook is a [*walletfi.UnreadError].
// Its member is named as in Webhook.id, which Lenient of [Config] lets through.
type Webhook struct {
	ID             string            `json:"id" wire:"once,decides,optional,identity"`
	Name           string            `json:"name"`
	Network        string            `json:"network" wire:"decides,optional,word"`
	Template       Template          `json:"templateId" wire:"decides,optional"`
	TemplateArgs   walletfi.Document `json:"templateArgs"`
	DestinationURL string            `json:"destination_url" wire:"decides,optional,word"`
	Enabled        *bool             `json:"enabled" wire:"decides,optional"` // nil if the answer does not say
	Status         string            `json:"status"`

	Raw walletfi.Document `json:"-"` // the whole answer, or the list's element
}

// CreateWebhookRequest describes a new webhook.
type CreateWebhookRequest struct {
	Name           string       `json:"name"`            // required
	Network        string       `json:"network"`         // chain and environment; required; the service knows the set
	TemplateArgs   TemplateArgs `json:"templateArgs"`    // required
	DestinationURL string       `json:"destination_url"` // https; required
	Enabled        bool         `json:"enabled"`         // always sent: false creates it switched off
}

// CreateWebhook makes a webhook from a template.
//
// POST /webhooks/rest/v1/webhooks/template/{templateId}. Two calls make two
// webhooks: it is not repeated after it was sent, and without a clear answer it
// fails with [walletfi.ErrOutcomeUnknown]. [Client.ListWebhooks] then says whether it exists, by the name.
// If the webhook was made and the answer does not tell its id, the error with the webhook is a
// [*walletfi.UnreadError]; without a body there is no error, and no id either.
func (c *Client) CreateWebhook(
	ctx context.Context, template Template, req CreateWebhookRequest, opts ...walletfi.CallOption,
) (*Webhook, error) {
	hook, err := transport.Do[named](ctx, c.made().t, transport.Call{
		Op: "CreateWebhook", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Silent("no body is documented, and a status of success says that it exists: the list tells its id"),
		Echo: transport.Echo(func(w *named) error {
			return echo.All(
				echo.Slug("templateId", template, w.Template), (*Webhook)(w).repeats(req),
				emptied(w.Raw, "templateId", "network", "destination_url"),
			)
		}),
		Path: transport.Path("/webhooks/rest/v1/webhooks/template/{templateId}", string(template)),
		Body: req, Invalid: req.problem(template),
	}, opts)
	return (*Webhook)(hook), err
}

func (r CreateWebhookRequest) problem(template Template) error {
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

// GetWebhook returns one webhook. An answer without its id is a [*walletfi.UnreadError], with what was
// read.
//
// GET /webhooks/rest/v1/webhooks/{webhookId}.
func (c *Client) GetWebhook(ctx context.Context, id string, opts ...walletfi.CallOption) (*Webhook, error) {
	hook, err := transport.Do[named](ctx, c.made().t, transport.Call{
		Op: "GetWebhook", Effect: transport.Read, Method: http.MethodGet,
		Answer: ofRecord(transport.Open(transport.NoShape)),
		Echo: transport.Echo(func(w *named) error {
			return cmp.Or(echo.Text("id", id, w.ID), (*Webhook)(w).mismatch(id))
		}),
		Path: transport.Path("/webhooks/rest/v1/webhooks/{webhookId}", id),
	}, opts)
	return (*Webhook)(hook), err
}

// UpdateWebhookRequest changes a webhook. Fields that are nil or empty stay as they are.
// Only Enabled is documented.
type UpdateWebhookRequest struct {
	Enabled        *bool        `json:"enabled,omitempty"` // false switches it off
	Name           string       `json:"name,omitzero"`
	Network        string       `json:"network,omitzero"`
	DestinationURL string       `json:"destination_url,omitzero"` // https
	TemplateArgs   TemplateArgs `json:"templateArgs,omitempty"`
}

// UpdateWebhook changes a webhook. The answer may be empty, or a word such as OK: then so is the Webhook.
//
// PATCH /webhooks/rest/v1/webhooks/{webhookId}. It sets values: safe to retry.
func (c *Client) UpdateWebhook(
	ctx context.Context, id string, req UpdateWebhookRequest, opts ...walletfi.CallOption,
) (*Webhook, error) {
	return transport.Do[Webhook](ctx, c.made().t, transport.Call{
		Op: "UpdateWebhook", Effect: transport.Set, Method: http.MethodPatch,
		Answer: ofRecord(
			transport.Silent("no body is documented, and a status of success says that the values are set"),
		),
		Echo: transport.Echo(func(w *Webhook) error { return echo.All(w.mismatch(id), w.repeats(req)) }),
		Path: transport.Path("/webhooks/rest/v1/webhooks/{webhookId}", id),
		Body: req, Invalid: req.problem(),
	}, opts)
}

func (r UpdateWebhookRequest) problem() error {
	given := r.Enabled != nil || r.Name != "" || r.Network != "" || r.DestinationURL != "" || r.TemplateArgs != nil
	rules := []error{check.That(given, "body", "must change something")}
	if r.DestinationURL != "" {
		rules = append(rules, check.HTTPS("destination_url", r.DestinationURL))
	}
	if r.TemplateArgs != nil {
		rules = append(rules, r.TemplateArgs.problem(""))
	}
	return check.All(rules...)
}

// DeleteWebhook removes a webhook. It is not an error if an earlier attempt, whose answer
// was lost, has removed it.
//
// DELETE /webhooks/rest/v1/webhooks/{webhookId}. Safe to retry.
func (c *Client) DeleteWebhook(ctx context.Context, id string, opts ...walletfi.CallOption) error {
	return transport.DoEmpty(ctx, c.made().t, transport.Call{
		Op: "DeleteWebhook", Effect: transport.Set, Method: http.MethodDelete,
		Answer: transport.Silent("no body is documented, and a status of success says that it is gone"),
		Path:   transport.Path("/webhooks/rest/v1/webhooks/{webhookId}", id),
	}, opts)
}

// TestWebhook makes the service send a delivery to the webhook's destination. The answer's
// shape is not documented; it may be empty.
//
// POST /webhooks/rest/v1/webhooks/{webhookId}/test. Each call sends a delivery: it
// is not repeated after it was sent.
func (c *Client) TestWebhook(ctx context.Context, id string, opts ...walletfi.CallOption) (walletfi.Document, error) {
	return transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: "TestWebhook", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Silent("no body is documented: the proof is the delivery"),
		Path:   transport.Path("/webhooks/rest/v1/webhooks/{webhookId}/test", id),
	}, opts)
}

// ofRecord declares that an answer with an id, or with what was given at the creation, is a
// webhook, whose member error, such as the last delivery's, is its own.
func ofRecord(answer transport.Answer) transport.Answer {
	return answer.Beside("error", "id", "webhookId", "name", "destination_url")
}

// repeats holds what was read of a record against the body of the request.
func (w *Webhook) repeats(body any) error {
	record, err := json.Marshal(struct {
		Name           string            `json:"name,omitempty"`
		Network        string            `json:"network,omitempty"`
		TemplateArgs   walletfi.Document `json:"templateArgs"`
		DestinationURL string            `json:"destination_url,omitempty"`
		Enabled        *bool             `json:"enabled"`
	}{w.Name, w.Network, w.TemplateArgs, w.DestinationURL, w.Enabled})
	if err != nil {
		return nil // the arguments are no JSON: they repeat nothing
	}
	return echo.Repeats(body, record)
}

// emptied reports a member of what was created that is empty, where it was to be something.
func emptied(answer walletfi.Document, members ...string) error {
	var said map[string]json.RawMessage
	_ = json.Unmarshal(answer, &said) // what is no record says nothing of them
	return echo.Each(members, func(name string) error {
		return echo.That(string(said[name]) != `""`, name, "a value", "")
	})
}

// mismatch holds the id of a record against the request, and what deliveries call it, wherever it
// is. The shape is not documented: an answer that is no record names no webhook.
func (w *Webhook) mismatch(id string) error {
	if raw := bytes.TrimSpace(w.Raw); !bytes.HasPrefix(raw, []byte("{")) && !bytes.HasPrefix(raw, []byte("[")) {
		return nil
	}
	return cmp.Or(
		echo.Text("id", id, w.ID),
		echo.Named(w.Raw, map[string]func(path, said string) error{"webhookid": echo.To(echo.Text, id)}),
	)
}
