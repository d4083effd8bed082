package deployment

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go/internal/catalogue"
)

// vocabulary has what is documented: names, and the values of each enumeration.
type vocabulary struct {
	query, keys, either map[string]bool
	values              map[string]map[string]bool // by name; nil where none are listed
}

// documentedWords are those of an operation, of the whole service if o is nil.
func (c *checker) documentedWords(o *catalogue.Operation) vocabulary {
	v := vocabulary{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]map[string]bool{}}
	add := func(names map[string]bool) func(path, name string, s catalogue.Shape) {
		return func(_, name string, s catalogue.Shape) {
			names[name], v.either[name] = true, true
			for s.Item != nil {
				s = *s.Item
			}
			if len(s.Values) == 0 {
				return
			}
			if v.values[name] == nil {
				v.values[name] = map[string]bool{}
			}
			maps.Copy(v.values[name], set(s.Values))
		}
	}
	operations := c.documented.Operations
	if o != nil {
		operations = []catalogue.Operation{*o}
	}
	for _, o := range operations {
		for name, shape := range o.Query {
			add(v.query)("", name, shape)
		}
		for _, shape := range []*catalogue.Shape{o.Body, o.Answer} {
			if shape != nil {
				shape.Each(add(v.keys))
			}
		}
	}
	c.documented.Errors.Each(add(v.keys))
	for _, name := range c.documented.Names {
		add(v.keys)("", name, catalogue.Shape{})
	}
	if o == nil {
		for _, shape := range c.documented.Messages {
			shape.Each(add(v.keys))
		}
	}
	for name, values := range c.documented.Operators {
		add(map[string]bool{})("", name, catalogue.Shape{Values: values})
	}
	return v
}

func (c *checker) checkWords(at []string, w Words, o *catalogue.Operation) {
	v := c.documentedWords(o)
	under := func(names ...string) []string { return append(at[:len(at):len(at)], names...) }
	keys := v.keys
	switch {
	case o == nil:
	case o.Answer == nil || o.Answer.Open:
		keys = nil // what an answer without a documented shape has in it is not known
	case isOpen(o): // a part of it may have the words of another route
		all := c.documentedWords(nil)
		keys, v.either = all.keys, all.either
	}
	c.checkMap(under("query"), w.Query, v.query, "query parameter")
	c.checkMap(under("keys"), w.Keys, keys, "member")
	for _, name := range inOrder(w.Values) {
		if !v.either[name] && keys != nil {
			c.wrong(under("values", name), "%s has no member, parameter or operator of this name%s",
				c.service, suggestion(name, v.either))
		}
		c.checkMap(under("values", name), w.Values[name], v.values[name], "value of "+name)
	}
	for _, name := range inOrder(w.Numbers) {
		if !v.either[name] && keys != nil {
			c.wrong(under("numbers", name), "%s has no member or parameter of this name%s",
				c.service, suggestion(name, v.either))
		}
		c.checkNumber(under("numbers", name), w.Numbers[name])
	}
	c.checkExtra(under("extra"), w.Extra, v.query)
}

// checkTemplates holds the words of webhooks' arguments to those that some template has.
func (c *checker) checkTemplates(s Service) {
	for _, id := range inOrder(s.Templates) {
		at, w := []string{"templates", id}, s.Templates[id]
		if c.service != "webhooks" || id == "" {
			c.wrong(at, "%s has no such template", c.service)
			continue
		}
		for name, isGiven := range map[string]bool{
			"query": len(w.Query) > 0, "extra": len(w.Extra.Query)+len(w.Extra.Headers)+len(w.Extra.Body) > 0,
		} {
			if isGiven {
				c.wrong(append(at, name), "the arguments of a template have none")
			}
		}
		c.checkWords(at, Words{Keys: w.Keys, Values: w.Values, Numbers: w.Numbers}, nil)
		arguments := set(append([]string{"addresses"}, c.documented.Names...))
		for _, name := range inOrder(w.Keys) {
			if live := w.Keys[name]; live != name && arguments[live] && w.Keys[live] == "" && s.Keys[live] == "" {
				c.wrong(append(at, "keys", name), "becomes %s, which is documented for something else", live)
			}
		}
	}
}

// isOpen reports whether a part of an operation's shapes is not documented.
func isOpen(o *catalogue.Operation) bool {
	open := false
	for _, shape := range []*catalogue.Shape{o.Body, o.Answer} {
		if shape != nil {
			shape.Each(func(_, _ string, s catalogue.Shape) { open = open || s.Open })
		}
	}
	return open
}

func (c *checker) checkNumber(at []string, n Number) {
	types := []JSONType{"", JSONNumber, JSONString}
	switch {
	case n.Scale < -18 || n.Scale > 18:
		c.wrong(append(at, "scale"), "must be from -18 to 18")
	case !slices.Contains(types, n.Live):
		c.wrong(append(at, "live"), "must be number or string")
	case !slices.Contains(types, n.Neutral):
		c.wrong(append(at, "neutral"), "must be number or string")
	case n.Live == JSONNumber && n.Prefix+n.Suffix != "":
		c.wrong(append(at, "live"), "a JSON number has neither prefix nor suffix")
	case !utf8.ValidString(n.Prefix + n.Suffix):
		c.wrong(at, "a prefix or suffix must be UTF-8")
	case strings.ContainsAny(n.Prefix+n.Suffix, "0123456789.+-"):
		c.wrong(at, "a prefix or suffix must not hold what a number can hold")
	case n == Number{}:
		c.wrong(at, "says nothing")
	}
}

const credentialElsewhere = "looks like a credential: name its place in auth, and give it in Options.Secrets"

func (c *checker) checkExtra(at []string, e Extra, query map[string]bool) {
	for _, name := range inOrder(e.Query) {
		switch {
		case name == "" || query[name]:
			c.wrong(append(at, "query", name), "is a documented parameter, and not an extra one")
		case !utf8.ValidString(name):
			c.wrong(append(at, "query", name), "is not UTF-8")
		case asksAsSecret(name):
			c.wrong(append(at, "query", name), credentialElsewhere)
		}
	}
	for _, name := range inOrder(e.Headers) {
		switch {
		case !isToken(name):
			c.wrong(append(at, "headers", name), "is not a name of a header")
		case !isPlain(e.Headers[name]):
			c.wrong(append(at, "headers", name), "holds a line break or another control character")
		case looksSecret(name):
			c.wrong(append(at, "headers", name), credentialElsewhere)
		case isReserved(name):
			c.wrong(append(at, "headers", name), "is not the deployment's to set")
		}
	}
	for _, name := range inOrder(e.Body) {
		if name == "" || !utf8.ValidString(name) || !utf8.Valid(e.Body[name]) || !json.Valid(e.Body[name]) {
			c.wrong(append(at, "body", name), "is not JSON")
		}
	}
}
