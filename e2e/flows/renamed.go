package flows

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/catalogue"
	"github.com/walletfi/walletfi-go/sandbox"
)

// Renamed is a deployment that differs in everything from the documentation: each
// member, parameter, value, header and segment has another word; each value of a path
// is in the query; answers, bodies and errors are wrapped; credentials are in headers of
// their own without a prefix, that of swap in the query; extras are required; some
// numbers are scaled; some lists page otherwise.
func Renamed(t *testing.T) *deployment.Deployment {
	t.Helper()
	d := &deployment.Deployment{Name: "upside down", Services: map[string]deployment.Service{}}
	for _, c := range catalogue.Services() {
		d.Services[c.Name] = renamedService(t, c)
	}
	return d
}

func renamedService(t *testing.T, c catalogue.Service) deployment.Service {
	t.Helper()
	r := renaming{c, deployment.Service{
		URLs: map[string]string{}, Headers: map[string]string{}, Segments: map[string]string{},
		Words: deployment.Words{
			Query: map[string]string{}, Keys: map[string]string{}, Values: map[string]map[string]string{},
			Numbers: map[string]deployment.Number{},
			Extra: deployment.Extra{
				Query: map[string]string{"edition": "2"}, Headers: map[string]string{"X-Upside": "down"},
				Body: map[string]json.RawMessage{"app": json.RawMessage(`{"name":"bot"}`)},
			},
		},
		Failure:    []deployment.Step{{Unwrap: "problem"}},
		Operations: map[string]deployment.Operation{},
	}}
	r.places()
	r.shape("", c.Errors)
	for name, message := range c.Messages {
		r.shape("", message)
		_ = name
	}
	for _, o := range c.Operations {
		r.operation(o)
	}
	for operator, values := range c.Operators {
		r.value(operator, values)
	}
	require.NotEmpty(t, r.live.Operations)
	return r.live
}

// renaming is a service on its way.
type renaming struct {
	documented catalogue.Service
	live       deployment.Service
}

// places moves the addresses, the credential and the headers.
func (r *renaming) places() {
	for _, field := range r.documented.URLs {
		scheme := "https"
		if field == "webSocketURL" {
			scheme = "wss"
		}
		r.live.URLs[field] = scheme + "://upside.example/" + strings.ToLower(field) + "/down"
	}
	place := deployment.Place{In: deployment.InHeader, Name: "X-Upside-Key"}
	switch sandbox.Service(r.documented.Name) {
	case sandbox.Swap:
		place = deployment.Place{In: deployment.InQuery, Name: "upside_key"}
	case sandbox.AMM:
		place.Secret = "upside"
	}
	r.live.Auth = []deployment.Place{place}
	for _, name := range r.documented.Headers {
		if name != "Authorization" && !strings.HasSuffix(name, "Api-Key") {
			r.live.Headers[name] = "X-Upside-" + strings.TrimPrefix(name, "X-")
		}
	}
	r.segments(r.documented.Prefix)
	if r.documented.Name == string(sandbox.PredictMeta) {
		r.segments("/ws")
	}
}

func (r *renaming) segments(path string) {
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" && !strings.HasPrefix(segment, "{") {
			r.live.Segments[segment] = backwards(segment)
		}
	}
}

// shape renames what is in a shape, at any depth.
func (r *renaming) shape(name string, s catalogue.Shape) {
	r.value(name, s.Values)
	s.Each(func(_, member string, inner catalogue.Shape) {
		r.live.Keys[member] = backwards(member)
		r.value(member, inner.Values)
		if inner.Item != nil {
			r.value(member, inner.Item.Values)
		}
		if form, ok := otherNumbers[member]; ok {
			r.live.Numbers[member] = form
		}
	})
}

func (r *renaming) value(name string, values []string) {
	if name == "" || len(values) == 0 {
		return
	}
	if r.live.Values[name] == nil {
		r.live.Values[name] = map[string]string{}
	}
	for _, value := range values {
		r.live.Values[name][value] = backwards(value)
	}
}

// operation wraps and moves an operation.
func (r *renaming) operation(c catalogue.Operation) {
	o := deployment.Operation{Answer: []deployment.Step{{Unwrap: "data.result"}}}
	for name, shape := range c.Query {
		r.live.Query[name] = backwards(name)
		r.shape(name, shape)
		if shape.Item != nil {
			r.value(name, shape.Item.Values)
		}
		if form, ok := otherNumbers[name]; ok {
			r.live.Numbers[name] = form
		}
	}
	if c.Body != nil {
		r.shape("", *c.Body)
		o.Body = []deployment.Step{{Wrap: "request.order"}}
	}
	if c.Answer != nil {
		r.shape("", *c.Answer)
	}
	r.segments(c.Path())
	o.Route = r.route(c)
	o.Paging = otherPages[r.documented.Name+" "+c.Route]
	r.live.Operations[c.Route] = o
}

// route has each value of the documented path in the query.
func (r *renaming) route(c catalogue.Operation) string {
	path, query := "", ""
	for segment := range strings.SplitSeq(strings.TrimPrefix(c.Path(), "/"), "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			name = strings.TrimSuffix(name, "}")
			path += "/by-" + name
			query += "&" + backwards(name) + "={" + name + "}"
			continue
		}
		path += "/" + backwards(segment)
	}
	if query != "" {
		path += "?" + query[1:]
	}
	return c.Method() + " " + path
}

// backwards is another word for a word.
func backwards(word string) string {
	if word == "" {
		return ""
	}
	letters := []rune(word)
	slices.Reverse(letters)
	return "x" + strings.Trim(string(letters), ".")
}
