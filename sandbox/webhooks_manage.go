package sandbox

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
)

type webhooksCreateRequest struct {
	Template    string          `path:"templateId"`
	Name        string          `body:"name,required"`
	Network     string          `body:"network,required"`
	Arguments   json.RawMessage `body:"templateArgs,required"`
	Destination string          `body:"destination_url,required"`
	Enabled     *bool           `body:"enabled"` // true where it is not sent
}

func (w *webhooks) create(c *call, in webhooksCreateRequest) (any, error) {
	filter, err := webhooksReadArguments(c, in.Template, in.Arguments)
	if err != nil {
		return nil, err
	}
	if err := webhooksCheckDestination(c, in.Destination); err != nil {
		return nil, err
	}
	if in.Name == "" || in.Network == "" {
		return nil, refuse(http.StatusBadRequest, "", "name or network is empty")
	}
	h := &webhooksHook{
		id: fmt.Sprintf("wh_%016x", w.random()), template: in.Template, name: in.Name, network: in.Network,
		arguments: in.Arguments, filter: filter, destination: in.Destination,
		enabled: in.Enabled == nil || *in.Enabled, created: w.now(),
	}
	w.hooks = append(w.hooks, h)
	shape := c.shape(2)
	return reply{status: []int{http.StatusCreated, http.StatusOK}[shape], body: h.record(shape)}, nil
}

// webhooksCheckDestination holds destinations to HTTPS. Loopback is excepted,
// where no certificate is to be had.
func webhooksCheckDestination(c *call, destination string) error {
	u, err := url.Parse(destination)
	if err != nil || u.Hostname() == "" {
		return refuse(http.StatusBadRequest, "", "destination_url is no URL")
	}
	loopback := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	if u.Scheme == "https" || u.Scheme == "http" && loopback {
		return nil
	}
	c.violate("destination_url is not https")
	return refuse(http.StatusBadRequest, "", "destination_url must be https")
}

func (w *webhooks) list(c *call, _ nothing) (any, error) {
	all := []any{}
	for _, h := range w.hooks {
		all = append(all, h.record(0))
	}
	if c.shape(2) == 0 {
		return all, nil
	}
	return map[string]any{"webhooks": all, "total": len(all)}, nil
}

type webhooksRequest struct {
	ID string `path:"webhookId"`
}

func (w *webhooks) get(c *call, in webhooksRequest) (any, error) {
	h, err := w.hook(in.ID)
	if err != nil {
		return nil, err
	}
	return h.record(c.shape(2)), nil
}

type webhooksUpdateRequest struct {
	ID          string          `path:"webhookId"`
	Name        *string         `body:"name"`
	Network     *string         `body:"network"`
	Arguments   json.RawMessage `body:"templateArgs"`
	Destination *string         `body:"destination_url"`
	Enabled     *bool           `body:"enabled"`
}

// update sets what is sent, all or nothing. Enabling makes a failed webhook a
// working one again.
func (w *webhooks) update(c *call, in webhooksUpdateRequest) (any, error) {
	h, err := w.hook(in.ID)
	if err != nil {
		return nil, err
	}
	changed := *h
	if in.Arguments != nil {
		changed.arguments = in.Arguments
		if changed.filter, err = webhooksReadArguments(c, h.template, in.Arguments); err != nil {
			return nil, err
		}
	}
	if in.Destination != nil {
		changed.destination = *in.Destination
		if err := webhooksCheckDestination(c, *in.Destination); err != nil {
			return nil, err
		}
	}
	if in.Name != nil {
		changed.name = *in.Name
	}
	if in.Network != nil {
		changed.network = *in.Network
	}
	if changed.name == "" || changed.network == "" {
		return nil, refuse(http.StatusBadRequest, "", "name or network is empty")
	}
	if in.Enabled != nil {
		changed.enabled = *in.Enabled
		changed.failed = h.failed && !*in.Enabled
	}
	*h = changed
	if c.shape(2) == 0 {
		return h.record(0), nil
	}
	return webhooksNoContent, nil
}

var webhooksNoContent = reply{status: http.StatusNoContent, raw: []byte{}}

func (w *webhooks) remove(c *call, in webhooksRequest) (any, error) {
	h, err := w.hook(in.ID)
	if err != nil {
		return nil, err
	}
	h.deleted = true
	w.hooks = slices.DeleteFunc(w.hooks, func(x *webhooksHook) bool { return x == h })
	if c.shape(2) == 0 {
		return webhooksNoContent, nil
	}
	return map[string]any{"success": true}, nil
}

// test delivers a made-up payload of the template's kind, once, whether or not
// the webhook is enabled.
func (w *webhooks) test(c *call, in webhooksRequest) (any, error) {
	h, err := w.hook(in.ID)
	if err != nil {
		return nil, err
	}
	w.send(h, w.sample(h), true)
	if c.shape(2) == 0 {
		return map[string]any{"status": "sent"}, nil
	}
	return webhooksNoContent, nil
}
