package webhooks

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type createRequest struct {
	Template    string          `path:"templateId"`
	Name        string          `body:"name,required"`
	Network     string          `body:"network,required"`
	Arguments   json.RawMessage `body:"templateArgs,required"`
	Destination string          `body:"destination_url,required"`
	Enabled     *bool           `body:"enabled"` // true if it is not sent
}

func (w *Service) create(c *kit.Call, in createRequest) (any, error) {
	filter, err := readArguments(c, in.Template, in.Arguments)
	if err != nil {
		return nil, err
	}
	if err := checkDestination(c, in.Destination); err != nil {
		return nil, err
	}
	if in.Name == "" || in.Network == "" {
		return nil, kit.Refuse(http.StatusBadRequest, "", "name or network is empty")
	}
	h := &hook{
		id: fmt.Sprintf("wh_%016x", w.Random()), template: in.Template, name: in.Name, network: in.Network,
		arguments: in.Arguments, filter: filter, destination: in.Destination,
		enabled: in.Enabled == nil || *in.Enabled, created: w.Now(),
	}
	w.hooks = append(w.hooks, h)
	shape := c.Shape(2)
	return kit.Reply{Status: []int{http.StatusCreated, http.StatusOK}[shape], Body: h.record(shape)}, nil
}

// checkDestination requires HTTPS, except on loopback, where tests have no
// certificate.
func checkDestination(c *kit.Call, destination string) error {
	u, err := url.Parse(destination)
	if err != nil || u.Hostname() == "" {
		return kit.Refuse(http.StatusBadRequest, "", "destination_url is not a URL")
	}
	loopback := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	if u.Scheme == "https" || u.Scheme == "http" && loopback {
		return nil
	}
	c.Violate("destination_url is not https")
	return kit.Refuse(http.StatusBadRequest, "", "destination_url must be https")
}

type request struct {
	ID string `path:"webhookId"`
}

func (w *Service) get(c *kit.Call, in request) (any, error) {
	h, err := w.hook(in.ID)
	if err != nil {
		return nil, err
	}
	return h.record(c.Shape(2)), nil
}

type updateRequest struct {
	ID          string          `path:"webhookId"`
	Name        *string         `body:"name"`
	Network     *string         `body:"network"`
	Arguments   json.RawMessage `body:"templateArgs"`
	Destination *string         `body:"destination_url"`
	Enabled     *bool           `body:"enabled"`
}

// update sets the fields that are sent, all or none of them. Enabling a failed
// webhook clears its failure.
func (w *Service) update(c *kit.Call, in updateRequest) (any, error) {
	h, err := w.hook(in.ID)
	if err != nil {
		return nil, err
	}
	changed := *h
	if in.Arguments != nil {
		changed.arguments = in.Arguments
		if changed.filter, err = readArguments(c, h.template, in.Arguments); err != nil {
			return nil, err
		}
	}
	if in.Destination != nil {
		changed.destination = *in.Destination
		if err := checkDestination(c, *in.Destination); err != nil {
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
		return nil, kit.Refuse(http.StatusBadRequest, "", "name or network is empty")
	}
	if in.Enabled != nil {
		changed.enabled = *in.Enabled
		changed.failed = h.failed && !*in.Enabled
	}
	*h = changed
	if c.Shape(2) == 0 {
		return h.record(0), nil
	}
	return noContent, nil
}

var noContent = kit.Reply{Status: http.StatusNoContent, Raw: []byte{}}

func (w *Service) remove(c *kit.Call, in request) (any, error) {
	h, err := w.hook(in.ID)
	if err != nil {
		return nil, err
	}
	h.deleted = true
	w.hooks = slices.DeleteFunc(w.hooks, func(x *hook) bool { return x == h })
	if c.Shape(2) == 0 {
		return noContent, nil
	}
	return map[string]any{"success": true}, nil
}

// test delivers a made-up payload of the template's kind, once, whether or not
// the webhook is enabled.
func (w *Service) test(c *kit.Call, in request) (any, error) {
	h, err := w.hook(in.ID)
	if err != nil {
		return nil, err
	}
	w.send(h, w.sample(h), true)
	if c.Shape(2) == 0 {
		return map[string]any{"status": "sent"}, nil
	}
	return noContent, nil
}
