// Package catalogue has the words that the services are documented with: their routes,
// the parameters, the shapes of bodies and answers. A deployment's file is held against
// it. catalogue.json is written by the tests of package e2e/routes from what the clients send
// and decode.
package catalogue

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed catalogue.json
var text []byte

// Service has the words of a service.
type Service struct {
	Name string `json:"name"` // of the package
	// Prefix is the path that the documented base URL ends with.
	Prefix     string           `json:"prefix,omitempty"`
	URLs       []string         `json:"urls"`    // fields of Config
	Headers    []string         `json:"headers"` // canonical
	Operations []Operation      `json:"operations"`
	Messages   map[string]Shape `json:"messages,omitempty"` // of a feed or of webhooks, by type
	Errors     Shape            `json:"errors"`             // of failures
	// Names are members that are documented without the shape that they are in.
	Names []string `json:"names,omitempty"`
	// Operators are the operators of a query language whose values are words.
	Operators map[string][]string `json:"operators,omitempty"`
}

// Operation is a documented route.
type Operation struct {
	Route   string           `json:"route"`           // such as "GET /v1/account/{walletAddress}"
	Methods []string         `json:"methods"`         // of the client
	Effect  string           `json:"effect"`          // "read", "build", "set", "relay", "create"
	URL     string           `json:"url"`             // the field of Config with the base URL
	Costs   bool             `json:"costs,omitempty"` // each record is billed
	Query   map[string]Shape `json:"query,omitempty"`
	Body    *Shape           `json:"body,omitempty"`
	Answer  *Shape           `json:"answer,omitempty"` // nil if no shape is documented
}

// Method returns the HTTP method of a route, Path the rest.
func (o Operation) Method() string {
	method, _, _ := strings.Cut(o.Route, " ")
	return method
}

// Path returns the template of the path, relative to the base URL.
func (o Operation) Path() string {
	_, path, _ := strings.Cut(o.Route, " ")
	return path
}

// Placeholders returns the names in a path's template, in order.
func (o Operation) Placeholders() []string {
	var names []string
	for segment := range strings.SplitSeq(o.Path(), "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

// Feed returns what is sent and what comes on the feed of a service, each as an operation:
// "GET /ws" and, by the type of the message, such as "GET /ws trade". It is nil for a service
// without a feed.
func (s Service) Feed() []Operation {
	if !slices.Contains(s.URLs, "webSocketURL") {
		return nil
	}
	whole := Shape{Members: map[string]Shape{"type": {Values: s.Operators["type"]}}}
	all := []Operation{{Route: "GET /ws", Body: new(s.Messages["subscribe"]), Answer: &whole}}
	for _, name := range s.Operators["type"] {
		members := maps.Clone(s.Messages[name].Members)
		members["type"] = whole.Members["type"]
		all = append(all, Operation{Route: "GET /ws " + name, Answer: &Shape{Members: members}})
		maps.Copy(whole.Members, members)
	}
	return all
}

// services decodes the file when it is first asked for.
var services = sync.OnceValue(func() []Service {
	var all []Service
	if err := json.Unmarshal(text, &all); err != nil {
		panic("catalogue.json: " + err.Error()) // a test reads it
	}
	return all
})

// Services returns all services, in the order of their names.
func Services() []Service { return services() }

// Of returns a service by the name of its package.
func Of(name string) (Service, bool) {
	all := services()
	i := slices.IndexFunc(all, func(s Service) bool { return s.Name == name })
	if i < 0 {
		return Service{}, false
	}
	return all[i], true
}
