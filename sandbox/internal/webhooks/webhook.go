package webhooks

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

type createRequest struct {
	_           struct{}        `rule:"templateArgs are those of the template"`
	_           struct{}        `rule:"destination_url is https"`
	_           struct{}        `open:"templateArgs of evmAbiFilter"`
	Template    string          `path:"templateId" open:"an identifier"`
	Name        string          `body:"name,required" open:"any text"`
	Network     string          `body:"network,required" open:"any text"`
	Arguments   json.RawMessage `body:"templateArgs,required" form:"object"`
	Destination string          `body:"destination_url,required" form:"url"`
	Enabled     *bool           `body:"enabled"` // true if it is not sent
}

func (in createRequest) Problems(*kit.Call) (problems []string) {
	if in.Arguments != nil {
		_, problems = readArguments(in.Template, in.Arguments)
	}
	return append(problems, insecure(in.Destination)...)
}

func (w *Service) create(c *kit.Call, in createRequest) any {
	exists(in.Template)
	filter, _ := readArguments(in.Template, in.Arguments)
	h := &hook{
		id: fmt.Sprintf("wh_%016x", w.Random()), tenant: c.Tenant, template: in.Template, name: in.Name, network: in.Network,
		arguments: in.Arguments, filter: filter, destination: in.Destination,
		enabled: in.Enabled == nil || *in.Enabled, created: w.Now(),
	}
	w.hooks = append(w.hooks, h)
	shape := c.Shape(2)
	return kit.Reply{Status: []int{http.StatusCreated, http.StatusOK}[shape], Body: h.record(shape)}
}

// insecure says that a destination is not HTTPS. Loopback, where tests have no
// certificate, is excepted; what is no URL is a problem of its own.
func insecure(destination string) []string {
	u, err := url.Parse(destination)
	if err != nil || u.Hostname() == "" {
		return nil
	}
	loopback := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	if u.Scheme == "https" || u.Scheme == "http" && loopback {
		return nil
	}
	return []string{"destination_url is not https"}
}

type request struct {
	ID string `path:"webhookId" open:"an identifier"`
}

func (w *Service) get(c *kit.Call, in request) any {
	h := w.hook(c, in.ID)
	return h.record(c.Shape(2))
}

type updateRequest struct {
	_           struct{}        `rule:"destination_url is https"`
	ID          string          `path:"webhookId" open:"an identifier"`
	Name        *string         `body:"name" open:"any text"`
	Network     *string         `body:"network" open:"any text"`
	Arguments   json.RawMessage `body:"templateArgs" form:"object"`
	Destination *string         `body:"destination_url" form:"url"`
	Enabled     *bool           `body:"enabled"`
}

// Problems checks what the fields do not. The handler checks templateArgs, since it
// knows the template.
func (in updateRequest) Problems(*kit.Call) []string {
	if in.Destination == nil {
		return nil
	}
	return insecure(*in.Destination)
}

// update sets the fields that are sent, all or none of them. Enabling a failed
// webhook clears its failure.
func (w *Service) update(c *kit.Call, in updateRequest) any {
	h := w.hook(c, in.ID)
	if in.Arguments != nil {
		filter, problems := readArguments(h.template, in.Arguments)
		c.Malformed(problems...)
		h.arguments, h.filter = in.Arguments, filter
	}
	h.destination = kit.Or(in.Destination, h.destination)
	h.name, h.network = kit.Or(in.Name, h.name), kit.Or(in.Network, h.network)
	h.enabled = kit.Or(in.Enabled, h.enabled)
	h.failed = h.failed && !kit.Or(in.Enabled, false)
	return c.Either(h.record(0), noContent)
}

var noContent = kit.Reply{Status: http.StatusNoContent, Raw: []byte{}}

func (w *Service) remove(c *kit.Call, in request) any {
	h := w.hook(c, in.ID)
	h.deleted = true
	w.hooks = slices.DeleteFunc(w.hooks, func(x *hook) bool { return x == h })
	return c.Either(noContent, map[string]any{"success": true})
}

// test delivers a made-up payload of the template's kind, once, whether or not
// the webhook is enabled.
func (w *Service) test(c *kit.Call, in request) any {
	h := w.hook(c, in.ID)
	w.send(h, w.Tell(play.Webhooks, w.sample(h)), true)
	return c.Either(map[string]any{"status": "sent"}, noContent)
}
