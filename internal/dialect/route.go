package dialect

import (
	"net/url"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// route is the live method and path of an operation.
type route struct {
	method string
	path   []part
	query  []parameter
}

// part is a literal, or the placeholder of that name.
type part struct{ text, name string }

// parameter is one of a route's query.
type parameter struct {
	name  string
	value []part
}

// compileRoute returns nil if the deployment has the documented route.
func compileRoute(live string) *route {
	if live == "" {
		return nil
	}
	method, target, _ := strings.Cut(live, " ")
	target, query, asks := strings.Cut(target, "?")
	r := &route{method: method, path: parts(target)}
	if !asks {
		return r
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		p := parameter{unescaped(name), parts(value)}
		for i := range p.value {
			p.value[i].text = unescaped(p.value[i].text)
		}
		r.query = append(r.query, p)
	}
	return r
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// parts takes literals and placeholders apart.
func parts(text string) (all []part) {
	for text != "" {
		literal, rest, found := strings.Cut(text, "{")
		if literal != "" {
			all = append(all, part{text: literal})
		}
		if !found {
			break
		}
		name, after, _ := strings.Cut(rest, "}")
		all, text = append(all, part{name: name}), after
	}
	return all
}

// checkSegments refuses a path that climbs.
func checkSegments(field, path string) error {
	for segment := range strings.SplitSeq(path, "/") {
		if plain, err := url.PathUnescape(segment); err != nil || plain == "." || plain == ".." {
			return problem(field, "must not have a segment . or ..")
		}
	}
	return nil
}

func (r *route) names() (names []string) {
	all := slices.Clone(r.path)
	for _, p := range r.query {
		all = append(all, p.value...)
	}
	for _, p := range all {
		if p.name != "" {
			names = append(names, p.name)
		}
	}
	return names
}

// Value is a value of the documented path.
type Value struct{ Name, Escaped, Plain string }

// valueOf returns the value of that name, false if it is no value of the path.
func valueOf(values []Value, name string) (Value, bool) {
	i := slices.IndexFunc(values, func(v Value) bool { return v.Name == name })
	if i < 0 {
		return Value{}, false
	}
	return values[i], true
}

// livePath returns the escaped path of a request, and removes from query, by neutral
// name, what is in it.
func (o *Operation) livePath(
	values []Value, query url.Values, escape func(name, value string) (string, error),
) (string, error) {
	var path []part
	if o.route != nil {
		path = o.route.path
	} else {
		_, template, _ := strings.Cut(o.documented, " ")
		path = parts(o.service.Path(template))
	}
	var b strings.Builder
	for _, p := range path {
		text := p.text
		if p.name != "" {
			v, ok := valueOf(values, p.name)
			if !ok {
				if !query.Has(p.name) {
					return "", &walletfi.ValidationError{Field: p.name, Problem: "is required by the deployment"}
				}
				escaped, err := escape(p.name, strings.Join(query[p.name], ","))
				if err != nil {
					return "", err
				}
				v.Escaped = escaped
				query.Del(p.name)
			}
			text = v.Escaped
		}
		b.WriteString(text)
	}
	return b.String(), checkSegments("path", b.String())
}

// into adds the route's parameters to a live query, and removes what they hold from
// query, by neutral name.
func (r *route) into(live url.Values, values []Value, query url.Values) error {
	for _, p := range r.query {
		var texts []string
		switch name := p.only(); {
		case name == "":
			text, all := p.text(values, query)
			if !all {
				continue
			}
			texts = []string{text}
		default:
			if v, ok := valueOf(values, name); ok {
				texts = []string{v.Plain}
			} else {
				texts = query[name]
			}
			if len(texts) == 0 {
				continue
			}
		}
		if err := add(live, p.name, texts...); err != nil {
			return err
		}
	}
	for _, name := range r.names() {
		query.Del(name)
	}
	return nil
}

// only is the name of the placeholder that is the whole value, else empty.
func (p parameter) only() string {
	if len(p.value) == 1 {
		return p.value[0].name
	}
	return ""
}

// text fills the value, and is false if a query parameter in it is absent.
func (p parameter) text(values []Value, query url.Values) (text string, all bool) {
	for _, one := range p.value {
		if one.name == "" {
			text += one.text
			continue
		}
		if v, ok := valueOf(values, one.name); ok {
			text += v.Plain
		} else if query.Has(one.name) {
			text += strings.Join(query[one.name], ",")
		} else {
			return "", false
		}
	}
	return text, true
}

// add refuses a parameter that is there already.
func add(live url.Values, name string, values ...string) error {
	if live.Has(name) {
		return &walletfi.ValidationError{Field: name, Problem: "would be in the live query twice"}
	}
	live[name] = values
	return nil
}
