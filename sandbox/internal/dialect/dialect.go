// Package dialect makes a service of the sandbox speak as a deployment has it. It is
// written from docs/deployment-file.md alone and shares nothing with the clients.
package dialect

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// dialect implements kit.Dialect.
type dialect struct {
	core *kit.Core
	spec *kit.Spec
	file deployment.Service

	words              // of the service, where no operation is known
	headers    lexicon // canonical
	segments   lexicon // of documented paths
	operations []*operation
	feed       map[string]*operation           // by the documented type of a message, "" for what is heard
	whole      map[string]bool                 // members of requests that are not looked into
	served     *market.Echoes[json.RawMessage] // what went out, and what was documented
	tokens     *kit.Shelf[place, string]       // of documented pages, by where they lead
}

// mostTokens is how many pages are remembered.
const mostTokens = 4096

// New makes the dialect of a service.
func New(core *kit.Core, spec *kit.Spec, file deployment.Service) (kit.Dialect, error) {
	d := &dialect{
		core: core, spec: spec, file: file, whole: map[string]bool{}, feed: map[string]*operation{},
		served: market.NewEchoes[json.RawMessage](core, 0), tokens: kit.NewShelf[place, string](core, 0, mostTokens),
	}
	var err error
	if d.words, err = newWords(file.Words, deployment.Words{}); err != nil {
		return nil, err
	}
	d.words.templates = map[string]words{}
	for id, file := range file.Templates {
		own, err := newWords(d.file.Words, file)
		if err != nil {
			return nil, fmt.Errorf("templates: %s: %w", id, err)
		}
		d.words.templates[id] = own
	}
	canonical := map[string]string{}
	for documented, live := range file.Headers {
		canonical[http.CanonicalHeaderKey(documented)] = http.CanonicalHeaderKey(live)
	}
	if d.headers, err = newLexicon(canonical, nil); err != nil {
		return nil, fmt.Errorf("headers: %w", err)
	}
	if d.segments, err = newLexicon(file.Segments, nil); err != nil {
		return nil, fmt.Errorf("segments: %w", err)
	}
	if file.NoAuth && len(file.Auth) > 0 {
		return nil, fmt.Errorf("auth and noAuth exclude each other")
	}
	return d, d.addOperations()
}

// addOperations makes an operation of each route.
func (d *dialect) addOperations() error {
	known := map[string]string{} // the file's operations by shape
	for name := range d.file.Operations {
		known[shapeOf(name)] = name
	}
	for i := range d.spec.Routes {
		r := &d.spec.Routes[i]
		documented := r.Method + " " + d.relative(r)
		name, named := known[shapeOf(documented)]
		if !named {
			name = documented
		}
		delete(known, shapeOf(documented))
		o, err := d.newOperation(r, name, d.file.Operations[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		d.operations = append(d.operations, o)
		if r.BackAs != "" {
			d.whole[r.BackAs] = true
		}
	}
	for _, name := range d.spec.Opaque {
		d.whole[name] = true
	}
	for _, name := range known {
		if d.spec.Feed != nil && strings.HasPrefix(name+" ", "GET "+d.spec.Feed.Path+" ") {
			if err := d.addMessage(name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			continue
		}
		return fmt.Errorf("there is no operation %q", name)
	}
	return nil
}

func (d *dialect) newOperation(r *kit.Route, name string, file deployment.Operation) (*operation, error) {
	o := &operation{route: r, body: file.Body, answer: file.Answer, whole: file.EchoWhole}
	var err error
	if o.words, err = newWords(d.file.Words, file.Words); err != nil {
		return nil, err
	}
	o.words.templates = d.words.templates
	if o.paging, err = newPaging(file.Paging, r); err != nil {
		return nil, err
	}
	live := file.Route
	if live == "" {
		live = r.Method + " " + d.translated(strings.TrimPrefix(name, r.Method+" "))
	}
	return o, o.template(live, aliases(name, r.Method+" "+d.relative(r)))
}

// relative is the documented path of a route below the documented base URL.
func (d *dialect) relative(r *kit.Route) string {
	if d.spec.InURL {
		return r.Path
	}
	return d.spec.PathOf(r)
}

// translated is a documented path with the deployment's segments.
func (d *dialect) translated(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if !strings.HasPrefix(p, "{") {
			parts[i] = d.segments.say(p)
		}
	}
	return strings.Join(parts, "/")
}

// shapeOf is a route without the names of its placeholders.
func shapeOf(route string) string {
	parts := strings.Split(route, "/")
	for i, p := range parts {
		if strings.HasPrefix(p, "{") {
			parts[i] = "{}"
		}
	}
	return strings.Join(parts, "/")
}

// aliases are the placeholders of a route by those of another one of the same shape.
func aliases(named, own string) map[string]string {
	names := map[string]string{}
	mine := strings.Split(own, "/")
	for i, p := range strings.Split(named, "/") {
		if inner, ok := strings.CutPrefix(p, "{"); ok {
			names[strings.TrimSuffix(inner, "}")] = strings.Trim(mine[i], "{}")
		}
	}
	return names
}

// addresses are the fields of the clients' Config that have the address of a listener,
// where that is not baseURL.
var addresses = map[play.Service]map[string]string{
	play.AMM:         {"": "tradeURL", "data": "dataURL"},
	play.OnchainData: {"": "demoBaseURL", "pro": "proBaseURL"},
	play.PredictMeta: {"ws": "webSocketURL"},
}

// Mount implements kit.Dialect.
func (d *dialect) Mount(host string) string {
	field := "baseURL"
	if name, ok := addresses[d.spec.Name][host]; ok {
		field = name
	}
	if address, ok := d.file.URLs[field]; ok {
		if u, err := url.Parse(address); err == nil {
			return strings.TrimRight(u.EscapedPath(), "/")
		}
	}
	if d.spec.InURL {
		return d.translated(d.spec.Prefix)
	}
	return ""
}

// Header implements kit.Dialect.
func (d *dialect) Header(h http.Header) {
	moved := http.Header{}
	for documented, live := range d.headers.live {
		if values := h.Values(documented); values != nil {
			moved[live] = values
			h.Del(documented)
		}
	}
	for live, values := range moved {
		h[live] = values
	}
}

// Root is of the type of every dialect.
var Root kit.Dialect = (*dialect)(nil)
