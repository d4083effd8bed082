// Package webhooks is the webhook service of the sandbox.
package webhooks

import (
	"encoding/json"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Service is the webhook service: the webhooks, and the events of the chains
// they watch.
type Service struct {
	*build.Chain
	hooks  []*hook // oldest first
	secret string  // that deliveries are signed with
	block  uint64  // the last one of the made-up chains
}

// hook is a webhook. Its record beyond what it was created from is not
// documented.
type hook struct {
	id          string
	tenant      string // whose it is; empty for none
	template    string
	name        string
	network     string
	arguments   json.RawMessage
	filter      filter
	destination string
	enabled     bool
	failed      bool // five attempts of a delivery failed
	deleted     bool
	created     time.Time
	batch       *batch // of the current slot, nil if nothing matched
}

// live reports whether events are delivered.
func (h *hook) live() bool { return h.enabled && !h.failed && !h.deleted }

// New makes the service and its specification for the kit.
func New(c *build.Chain) (*Service, *kit.Spec) {
	w := &Service{Chain: c, block: 21_000_000}
	w.rotate()
	c.Watch(w.landedOnLedger)
	return w, &kit.Spec{Name: play.Webhooks, Auth: kit.Bearer, Envelope: kit.PlainEnvelope, Routes: w.routes()}
}

func (w *Service) routes() []kit.Route {
	const all = "/webhooks/rest/v1/webhooks"
	return []kit.Route{
		{Method: "POST", Path: all + "/template/{templateId}", Endpoint: kit.Handle(w.create)},
		{Method: "GET", Path: all, Endpoint: kit.Handle(w.list)},
		{Method: "GET", Path: all + "/{webhookId}", Endpoint: kit.Handle(w.get)},
		{Method: "PATCH", Path: all + "/{webhookId}", Endpoint: kit.Handle(w.update)},
		{Method: "DELETE", Path: all + "/{webhookId}", Endpoint: kit.Handle(w.remove)},
		{Method: "POST", Path: all + "/{webhookId}/test", Endpoint: kit.Handle(w.test)},
	}
}

// find returns a webhook that was not deleted, or nil.
func (w *Service) find(id string) *hook {
	return kit.Find(w.hooks, func(h *hook) bool { return h.id == id })
}

// hook is find for a request.
func (w *Service) hook(c *kit.Call, id string) *hook {
	h := w.find(id)
	if h != nil && h.tenant != c.Tenant {
		h = nil
	}
	return kit.Found(h, "there is no webhook %s", id)
}

// record is a webhook as it is answered, in one of two ways.
func (h *hook) record(shape int) map[string]any {
	status := "active"
	switch {
	case h.failed:
		status = "failed"
	case !h.enabled:
		status = "disabled"
	}
	record := map[string]any{
		"id": h.id, "name": h.name, "network": h.network, "templateArgs": h.arguments,
		"destination_url": h.destination, "enabled": h.enabled,
	}
	if shape == 0 {
		record["templateId"], record["status"], record["createdAt"] = h.template, status, h.created.Unix()
		return record
	}
	record["deliveryStatus"] = status
	return map[string]any{"data": record}
}
