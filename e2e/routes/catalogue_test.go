package routes

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/catalogue"
	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/sandbox"
)

var updateCatalogue = flag.Bool("update-catalogue", false, "write internal/catalogue/catalogue.json anew")

const catalogueFile = "../../internal/catalogue/catalogue.json"

// TestCatalogue makes the catalogue of documented words from what the clients send and
// decode and from what the sandbox answers, and holds the file to it.
func TestCatalogue(t *testing.T) {
	var all []catalogue.Service
	routes := 0
	for _, service := range slices.Sorted(maps.Keys(flows.Clients)) {
		c := catalogueOf(t, service)
		require.Len(t, c.Operations, documented[service], service)
		routes += len(c.Operations)
		all = append(all, c)
	}
	t.Logf("%d routes", routes)
	made := catalogueText(t, all)
	if *updateCatalogue {
		require.NoError(t, os.WriteFile(catalogueFile, made, 0o644))
	}
	kept, err := os.ReadFile(catalogueFile)
	require.NoError(t, err)
	require.True(t, bytes.Equal(kept, made), "go test ./e2e -run Catalogue -update-catalogue, and look at what changed")
	var read []catalogue.Service
	require.NoError(t, json.Unmarshal(kept, &read))
	require.Equal(t, string(made), string(catalogueText(t, read)), "it is read as it is written")
}

// catalogueText writes a line for each operation.
func catalogueText(t *testing.T, all []catalogue.Service) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("[")
	for i, s := range all {
		if i > 0 {
			b.WriteString(",")
		}
		operations := s.Operations
		s.Operations = nil
		head, err := json.Marshal(s)
		require.NoError(t, err)
		head = bytes.Replace(head, []byte(`"operations":null,`), nil, 1)
		b.WriteString("\n")
		b.Write(head[:len(head)-1])
		b.WriteString(",\"operations\":[")
		for j, o := range operations {
			if j > 0 {
				b.WriteString(",")
			}
			line, err := json.Marshal(o)
			require.NoError(t, err)
			b.WriteString("\n")
			b.Write(line)
		}
		b.WriteString("]}")
	}
	b.WriteString("\n]\n")
	return b.Bytes()
}

// catalogueOf calls every method of a service's client, in each shape that the sandbox
// has for undocumented answers, and looks at what passes.
func catalogueOf(t *testing.T, service sandbox.Service) catalogue.Service {
	t.Helper()
	l := &listener{next: http.DefaultTransport, service: string(service), enums: enumerations(t, string(service)), operations: map[string]*catalogue.Operation{}}
	http.DefaultTransport = l
	defer func() { http.DefaultTransport = l.next }()
	s := flows.Start(t, sandbox.Config{NoLimits: true})
	base, err := url.Parse(s.URL(service))
	require.NoError(t, err)
	l.host = base.Host
	reach[service](t, s)
	c := catalogue.Service{
		Name: string(service), Prefix: base.Path,
		URLs: configURLs[service], Headers: documentedHeaders[service],
		Errors: errorShape(t, s, service), Messages: map[string]catalogue.Shape{}, Names: errorNames(t, service), Operators: documentedOperators[service],
	}
	for name, of := range messageTypes[service] {
		c.Messages[name] = l.enums.shapeOf(of)
	}
	for _, route := range slices.Sorted(maps.Keys(l.operations)) {
		o := *l.operations[route]
		if o.Answer != nil && o.Answer.IsZero() {
			o.Answer = nil // no shape is documented
		}
		c.Operations = append(c.Operations, o)
	}
	return c
}

// listener is a transport that notes what each operation sends and gets.
type listener struct {
	next       http.RoundTripper
	service    string
	host       string
	enums      enums
	mu         sync.Mutex // batches go out several at once
	operations map[string]*catalogue.Operation
}

// RoundTrip notes a request and its answer.
func (l *listener) RoundTrip(r *http.Request) (*http.Response, error) {
	service, call, template, result := transport.Calling(r.Context())
	if service != l.service {
		return l.next.RoundTrip(r)
	}
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(sent))
	response, err := l.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	came, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(came))
	if response.StatusCode >= 300 {
		return response, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	route := call.Method + " " + template
	o := l.operations[route]
	if o == nil {
		field := 0 // the first address is the sandbox's own of the service
		if r.URL.Host != l.host {
			field = 1
		}
		o = &catalogue.Operation{Route: route, URL: configURLs[sandbox.Service(service)][field], Effect: catalogueEffect[call.Effect], Costs: call.NoTimeoutRetry}
		l.operations[route] = o
	}
	if !slices.Contains(o.Methods, call.Op) {
		o.Methods = append(o.Methods, call.Op)
		slices.Sort(o.Methods)
	}
	l.query(o, call, r.URL.Query())
	l.body(o, call, sent)
	if result != nil && service != "onchaindata" { // whose types are flatter than their JSON
		o.Answer = merged(o.Answer, l.enums.shapeOf(result))
	}
	if result != nil && call.Answer.Form == declared.FormSays {
		o.Answer = merged(o.Answer, shapeOfText(came))
	}
	return response, nil
}

var catalogueEffect = map[transport.Effect]string{
	transport.Read: "read", transport.Build: "build", transport.Set: "set", transport.Relay: "relay", transport.Create: "create",
}
