package dialect

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// operation is a route of the service, as the deployment has it.
type operation struct {
	words
	route    *kit.Route
	method   string
	segments []segment // of the live path, relative to the base URL
	query    []pinned  // of the live route
	body     []deployment.Step
	answer   []deployment.Step
	paging   *paging
	whole    bool // the whole answer comes back
}

// segment is one of a live path: a literal, or a value.
type segment struct {
	text  string // the literal, or the documented name of the value
	value bool
}

// pinned is a parameter in the query of a live route.
type pinned struct {
	name string // live
	segment
}

// template reads a live route. names translates the placeholders of the file's route
// into those of the sandbox's path.
func (o *operation) template(live string, names map[string]string) error {
	method, target, ok := strings.Cut(live, " ")
	if !ok || method == "" || !strings.HasPrefix(target, "/") {
		return fmt.Errorf("route %q is not a method and a path", live)
	}
	o.method = method
	target, query, _ := strings.Cut(target, "?")
	due := map[string]bool{}
	for _, name := range names {
		due[name] = true
	}
	read := func(text string) (segment, error) {
		inner, placeholder := strings.CutPrefix(text, "{")
		if !placeholder {
			return segment{text: text}, nil
		}
		inner = strings.TrimSuffix(inner, "}")
		if name, ofPath := names[inner]; ofPath {
			if !due[name] {
				return segment{}, fmt.Errorf("route %q has {%s} twice", live, inner)
			}
			delete(due, name)
			return segment{name, true}, nil
		}
		if !slices.Contains(o.route.Input.Query(), inner) {
			return segment{}, fmt.Errorf("route %q has {%s}, which is no value of the documented route", live, inner)
		}
		return segment{inner, true}, nil
	}
	for text := range strings.SplitSeq(strings.TrimPrefix(target, "/"), "/") {
		s, err := read(text)
		if err != nil {
			return err
		}
		o.segments = append(o.segments, s)
	}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		name, text, _ := strings.Cut(pair, "=")
		s, err := read(text)
		if err != nil {
			return err
		}
		if s.text, err = url.QueryUnescape(s.text); err != nil {
			return fmt.Errorf("route %q: %w", live, err)
		}
		if name, err = url.QueryUnescape(name); err != nil {
			return fmt.Errorf("route %q: %w", live, err)
		}
		o.query = append(o.query, pinned{name, s})
	}
	if len(due) > 0 {
		return fmt.Errorf("route %q lacks a value of the documented path", live)
	}
	return nil
}

// inPath reports whether the name is a value of the documented path.
func (o *operation) inPath(name string) bool {
	return slices.Contains(strings.Split(o.route.Path, "/"), "{"+name+"}")
}

// match holds a path and a query to the live route. rank orders what fits: the
// smallest is the closest.
func (o *operation) match(path []string, query url.Values) (values map[string]string, rank string, ok bool) {
	if len(path) != len(o.segments) {
		return nil, "", false
	}
	values = map[string]string{}
	order := make([]byte, len(path), len(path)+1)
	for i, s := range o.segments {
		got, err := url.PathUnescape(path[i])
		switch {
		case err != nil || s.value && got == "":
			return nil, "", false
		case s.value:
			values[s.text], order[i] = got, '1'
		case got != s.text:
			return nil, "", false
		default:
			order[i] = '0'
		}
	}
	present := byte('9')
	for _, p := range o.query {
		switch {
		case !p.value && !slices.Equal(query[p.name], []string{p.text}):
			return nil, "", false
		case query.Has(p.name):
			present--
		}
	}
	return values, string(append(order, present)), true
}

// find returns the operation of a live request, nil if there is none.
func (d *dialect) find(
	host, method, escapedPath string, query url.Values,
) (found *operation, values map[string]string, otherMethod bool) {
	rest, below := strings.CutPrefix(escapedPath, d.Mount(host)+"/")
	if !below {
		return nil, nil, false
	}
	segments := strings.Split(rest, "/")
	best := ""
	for _, o := range d.operations {
		if o.route.Host != host && (!d.spec.SharedHosts || o.route.Host != "") {
			continue
		}
		got, rank, ok := o.match(segments, query)
		switch {
		case !ok:
		case o.method != method:
			otherMethod = true
		case found == nil || rank < best:
			found, values, best = o, got, rank
		}
	}
	return found, values, otherMethod && found == nil
}
