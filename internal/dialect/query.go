package dialect

import (
	"net/url"
	"strings"
)

// Target is where a request goes.
type Target struct {
	Path  string // escaped
	Query url.Values
}

// Target returns where a request goes that has these values in its documented path
// and query, which stay as they are. escape makes a segment of a path of a query
// parameter. page may be nil.
func (o *Operation) Target(
	values []Value, query url.Values, page *Page, escape func(name, value string) (string, error),
) (t Target, err error) {
	if query, err = o.queryValues(query); err != nil {
		return t, err
	}
	t.Query = url.Values{}
	if t.Path, err = o.livePath(values, query, escape); err != nil {
		return t, err
	}
	if o.route != nil {
		if err := o.route.into(t.Query, values, query); err != nil {
			return t, err
		}
	}
	for _, name := range inOrder(query) {
		if err := add(t.Query, translated(o.query, name), query[name]...); err != nil {
			return t, err
		}
	}
	for _, name := range inOrder(o.extra.query) {
		if err := add(t.Query, name, o.extra.query[name]); err != nil {
			return t, err
		}
	}
	if page != nil && page.Sent != "" {
		if err := add(t.Query, o.paging.param, page.Sent); err != nil {
			return t, err
		}
	}
	for _, p := range o.service.auth {
		if p.in == "query" && t.Query.Has(p.name) {
			return t, problem(o.field, "the parameter %q is the credential's", p.name)
		}
	}
	return t, nil
}

// queryValues translates the numbers and the values of enumerations, those in a
// list with commas too, and keeps the names.
func (o *Operation) queryValues(q url.Values) (url.Values, error) {
	live := make(url.Values, len(q))
	for _, name := range inOrder(q) {
		values := make([]string, 0, len(q[name]))
		for _, value := range q[name] {
			if number := o.out.numbers[name]; number != nil {
				var err error
				if value, err = number.list(value); err != nil {
					return nil, err
				}
			}
			if table := o.out.values[name]; len(table) > 0 {
				value = translatedList(table, value)
			}
			values = append(values, value)
		}
		live[name] = values
	}
	return live, nil
}

// list translates the number in a parameter, or each of those in a list with commas.
func (f *form) list(text string) (string, error) {
	items := strings.Split(text, ",")
	for i, item := range items {
		moved, ok, err := f.move(item, true, false)
		if err != nil {
			return "", err
		}
		if ok {
			items[i] = moved
		}
	}
	return strings.Join(items, ","), nil
}

// Names returns the live parameters of a request with documented parameters of these
// names.
func (o *Operation) Names(documented []string) []string {
	if o == nil {
		return nil
	}
	names := inOrder(o.extra.query)
	for _, name := range documented {
		names = append(names, translated(o.query, name))
	}
	if o.route != nil {
		for _, p := range o.route.query {
			names = append(names, p.name)
		}
	}
	if o.paging != nil {
		names = append(names, o.paging.param)
	}
	for _, p := range o.service.auth {
		if p.in == "query" {
			names = append(names, p.name)
		}
	}
	return names
}
