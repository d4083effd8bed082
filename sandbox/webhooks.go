package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// webhooks is the webhook service's side: what watches which addresses, and
// what happens on the chains.
type webhooks struct {
	*Sandbox
	hooks  []*webhooksHook // oldest first
	secret string          // that deliveries are signed with
	block  uint64          // the last one of the made-up chains
}

// webhooksHook is a webhook. Its record beyond what it was created from is not
// documented.
type webhooksHook struct {
	id          string
	template    string
	name        string
	network     string
	arguments   json.RawMessage
	filter      webhooksFilter
	destination string
	enabled     bool
	failed      bool // five attempts of a delivery failed
	deleted     bool
	created     time.Time
	batch       *webhooksBatch // of the current slot, nil where nothing matched
}

// live reports whether events are delivered.
func (h *webhooksHook) live() bool { return h.enabled && !h.failed && !h.deleted }

func newWebhooks(s *Sandbox) *service {
	w := &webhooks{Sandbox: s, block: 21_000_000}
	s.webhooks = w
	w.rotate()
	s.chain.Watch(w.landedOnLedger)
	return &service{name: Webhooks, auth: bearer, envelope: plainEnvelope, routes: w.routes()}
}

func (w *webhooks) routes() []route {
	const all = "/webhooks/rest/v1/webhooks"
	return []route{
		{method: "POST", path: all + "/template/{templateId}", endpoint: handle(w.create)},
		{method: "GET", path: all, endpoint: handle(w.list)},
		{method: "GET", path: all + "/{webhookId}", endpoint: handle(w.get)},
		{method: "PATCH", path: all + "/{webhookId}", endpoint: handle(w.update)},
		{method: "DELETE", path: all + "/{webhookId}", endpoint: handle(w.remove)},
		{method: "POST", path: all + "/{webhookId}/test", endpoint: handle(w.test)},
	}
}

// hook returns a webhook that was not deleted.
func (w *webhooks) hook(id string) (*webhooksHook, error) {
	at := slices.IndexFunc(w.hooks, func(h *webhooksHook) bool { return h.id == id })
	if at < 0 {
		return nil, refuse(http.StatusNotFound, "", "there is no webhook %s", id)
	}
	return w.hooks[at], nil
}

// record is a webhook as it is answered, in one of two ways.
func (h *webhooksHook) record(shape int) map[string]any {
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
