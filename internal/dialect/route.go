package dialect

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

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
func compileRoute(field, documented, live string) (*route, error) {
	_, template, ok := cutRoute(documented)
	if !ok {
		return nil, problem(field, "is not a method and a path")
	}
	wanted, err := placeholders(field, template)
	if live == "" || err != nil {
		return nil, err
	}
	field += ".route"
	method, text, ok := cutRoute(live)
	if !ok {
		return nil, problem(field, "%q is not a method and a path", live)
	}
	r := &route{method: method}
	text, query, asks := strings.Cut(text, "?")
	if r.path, err = parts(field, text); err != nil {
		return nil, err
	}
	if err := checkPath(field, r.path); err != nil {
		return nil, err
	}
	if asks {
		if r.query, err = compileQuery(field, query); err != nil {
			return nil, err
		}
	}
	return r, r.check(field, wanted)
}

func cutRoute(text string) (method, path string, ok bool) {
	method, path, _ = strings.Cut(text, " ")
	return method, path, slices.Contains(methods, method) && strings.HasPrefix(path, "/")
}

// parts takes literals and placeholders apart.
func parts(field, text string) ([]part, error) {
	var all []part
	for text != "" {
		literal, rest, found := strings.Cut(text, "{")
		if literal != "" {
			all = append(all, part{text: literal})
		}
		if strings.ContainsRune(literal, '}') {
			return nil, problem(field, "has a } without a {")
		}
		if !found {
			break
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || name == "" || strings.ContainsRune(name, '{') {
			return nil, problem(field, "has a placeholder without an end or a name")
		}
		all, text = append(all, part{name: name}), after
	}
	return all, nil
}

func placeholders(field, template string) (names []string, err error) {
	all, err := parts(field, template)
	for _, p := range all {
		if p.name != "" {
			names = append(names, p.name)
		}
	}
	return names, err
}

// checkPath refuses literals that are more or less than a part of a path.
func checkPath(field string, path []part) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@%/"
	whole := ""
	for _, p := range path {
		if strings.Trim(p.text, letters) != "" {
			return problem(field, "%q is not a path", p.text)
		}
		if whole += p.text; p.name != "" {
			whole += "{}"
		}
	}
	if plain, err := url.PathUnescape(whole); err != nil || strings.Count(plain, "/") != strings.Count(whole, "/") ||
		strings.ContainsRune(plain, '\\') || !utf8.ValidString(plain) {
		return problem(field, "%q is not a path", whole)
	}
	return checkSegments(field, whole)
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

func compileQuery(field, text string) (query []parameter, err error) {
	for pair := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if err != nil || plain == "" || strings.ContainsAny(plain, "{}#") {
			return nil, problem(field, "%q is not a parameter", name)
		}
		p := parameter{name: plain}
		if p.value, err = parts(field, value); err != nil {
			return nil, err
		}
		for i := range p.value {
			if p.value[i].text, err = url.QueryUnescape(p.value[i].text); err != nil || strings.ContainsRune(value, '#') {
				return nil, problem(field, "%q is not the value of a parameter", value)
			}
		}
		if slices.ContainsFunc(query, func(other parameter) bool { return other.name == plain }) {
			return nil, problem(field, "has the parameter %q twice", plain)
		}
		query = append(query, p)
	}
	return query, nil
}

// check holds the placeholders against those of the documented path.
func (r *route) check(field string, wanted []string) error {
	times := map[string]int{}
	for _, name := range r.names() {
		if times[name]++; times[name] > 1 {
			return problem(field, "has {%s} twice", name)
		}
	}
	for _, name := range wanted {
		if times[name] == 0 {
			return problem(field, "lacks {%s}", name)
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

func compileSegments(field string, given map[string]string) (map[string]string, error) {
	field += ".segments"
	ahead, _, err := bothWays(merged(given, nil), func(string) string { return field })
	if err != nil {
		return nil, err
	}
	for _, neutral := range inOrder(ahead) {
		word := ahead[neutral]
		if word == "." || word == ".." || url.PathEscape(word) != word {
			return nil, problem(field+"."+neutral, "%q is not a path segment", word)
		}
	}
	return ahead, nil
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
		_, template, _ := cutRoute(o.documented)
		path, _ = parts("", o.service.Path(template))
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
