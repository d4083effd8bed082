package echo

import (
	"net/url"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/e2e/calls"
	"github.com/walletfi/walletfi-go/internal/catalogue"
)

// call is a documented route under the name of the client's method.
type call struct {
	name string // "lending.GetRates"
	of   catalogue.Operation
}

func documented() []call {
	var all []call
	for _, service := range catalogue.Services() {
		for _, o := range service.Operations {
			for _, method := range o.Methods {
				all = append(all, call{service.Name + "." + method, o})
			}
		}
	}
	return all
}

// asked are the names of what a call can ask for: "{ticker}" in the path, "?status" in the
// query, "params.mint" in the body.
func (c call) asked() []string {
	var all []string
	for _, name := range c.of.Placeholders() {
		all = append(all, "{"+name+"}")
	}
	for name := range c.of.Query {
		all = append(all, "?"+name)
	}
	if c.of.Body != nil {
		all = append(all, shapePaths(*c.of.Body)...)
	}
	slices.Sort(all)
	return all
}

// answers are the paths of what it can answer.
func (c call) answers() []string {
	if c.of.Answer == nil {
		return nil
	}
	return shapePaths(*c.of.Answer)
}

func shapePaths(s catalogue.Shape) []string {
	var all []string
	eachScalar(s, "", func(path string, _ catalogue.Shape) { all = append(all, path) })
	return all
}

func eachScalar(s catalogue.Shape, path string, visit func(path string, s catalogue.Shape)) {
	switch {
	case s.Item != nil:
		eachScalar(*s.Item, path+"[]", visit)
	case s.Members != nil:
		for _, name := range s.Names() {
			eachScalar(s.Members[name], strings.TrimPrefix(path+"."+name, "."), visit)
		}
	case !s.Open:
		visit(path, s)
	}
}

// words are the documented words that a member of the request or the answer can be.
func (c call) words(asked, answered string) []string {
	var all []string
	if c.of.Answer != nil {
		eachScalar(*c.of.Answer, "", func(path string, s catalogue.Shape) {
			if path == answered {
				all = append(all, s.Values...)
			}
		})
	}
	if name, ok := strings.CutPrefix(asked, "?"); ok {
		return append(all, c.of.Query[name].Values...)
	}
	if c.of.Body != nil {
		eachScalar(*c.of.Body, "", func(path string, s catalogue.Shape) {
			if path == asked {
				all = append(all, s.Values...)
			}
		})
	}
	return all
}

// values are what a recorded request asked for, by the names of asked. What is a list for the
// service, in commas or in the body, has several.
func (c call) values(x calls.Exchange) map[string][]string {
	all := map[string][]string{}
	template, path := strings.Split(c.of.Path()[1:], "/"), strings.Split(x.Path, "/")
	for i, segment := range template {
		if strings.HasPrefix(segment, "{") {
			all[segment] = strings.Split(path[len(path)-len(template)+i], ",")
		}
	}
	query, err := url.ParseQuery(x.Query)
	if err != nil {
		panic(err)
	}
	for name := range query {
		all["?"+name] = strings.Split(query.Get(name), ",")
	}
	for _, l := range leaves(decoded(x.Sent)) {
		if value := text(l.value); value != "" {
			all[l.path] = append(all[l.path], value)
		}
	}
	return all
}

// made reports whether a recorded request is one of the call.
func (c call) made(r *calls.Row) bool {
	x := r.Exchanges[0]
	template, path := strings.Split(c.of.Path()[1:], "/"), strings.Split(x.Path, "/")
	if r.Op != c.name || x.Method != c.of.Method() || len(path) < len(template) {
		return false
	}
	for i, segment := range template {
		if !strings.HasPrefix(segment, "{") && segment != path[len(path)-len(template)+i] {
			return false
		}
	}
	return true
}
