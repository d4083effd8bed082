package deployment

import (
	"maps"
	"slices"

	"github.com/walletfi/walletfi-go/internal/catalogue"
)

// checkAmbiguity refuses words that make two names, or two values, of an operation the
// same.
func (c *checker) checkAmbiguity(s Service) {
	c.ambiguous = map[string]bool{}
	feed := c.documented.Feed()
	for _, o := range slices.Concat(c.documented.Operations, feed) {
		own := s.Operations[o.Route]
		under := func(owned bool, names ...string) []string {
			if owned {
				names = append([]string{"operations", o.Route}, names...)
			}
			return names
		}
		keys := under(len(own.Keys) > 0, "keys")
		for _, shape := range []*catalogue.Shape{o.Body, o.Answer, &c.documented.Errors} {
			if shape != nil {
				c.checkOneEach(keys, namesOf(*shape), s.Keys, own.Keys, o.Route, shape != o.Body)
			}
		}
		c.checkOneEach(under(len(own.Query) > 0, "query"), set(inOrder(o.Query)), s.Query, own.Query, o.Route, false)
		shapes := []catalogue.Shape{c.documented.Errors}
		for _, shape := range []*catalogue.Shape{o.Body, o.Answer} {
			if shape != nil {
				shapes = append(shapes, *shape)
			}
		}
		documented := valuesOf(o.Query, shapes...)
		for _, name := range inOrder(documented) {
			at := under(len(own.Values[name]) > 0, "values", name)
			c.checkOneEach(at, documented[name], s.Values[name], own.Values[name], o.Route, true)
		}
	}
	for _, shape := range c.documented.Messages {
		if feed != nil {
			break // they have words of their own
		}
		c.checkOneEach([]string{"keys"}, namesOf(shape), s.Keys, nil, "a message", true)
		documented := valuesOf(nil, shape)
		for _, name := range inOrder(documented) {
			c.checkOneEach([]string{"values", name}, documented[name], s.Values[name], nil, "a message", true)
		}
	}
	for _, name := range inOrder(c.documented.Operators) {
		c.checkOneEach([]string{"values", name}, set(c.documented.Operators[name]), s.Values[name], nil, "a search", false)
	}
}

func namesOf(shape catalogue.Shape) map[string]bool {
	names := map[string]bool{}
	shape.Each(func(_, name string, _ catalogue.Shape) { names[name] = true })
	return names
}

// valuesOf has the documented values of each enumeration, by its name.
func valuesOf(query map[string]catalogue.Shape, shapes ...catalogue.Shape) map[string]map[string]bool {
	values := map[string]map[string]bool{}
	add := func(_, name string, s catalogue.Shape) {
		for s.Item != nil {
			s = *s.Item
		}
		if len(s.Values) == 0 {
			return
		}
		if values[name] == nil {
			values[name] = map[string]bool{}
		}
		maps.Copy(values[name], set(s.Values))
	}
	for name, shape := range query {
		add("", name, shape)
	}
	for _, shape := range shapes {
		shape.Each(add)
	}
	return values
}

// checkOneEach holds the live words of names to each other. What comes in is translated by
// every word, also by those whose neutral word is not among names.
func (c *checker) checkOneEach(
	at []string, names map[string]bool, words, own map[string]string, where string, comesIn bool,
) {
	all := maps.Clone(names)
	if comesIn && len(names) > 0 {
		for _, given := range []map[string]string{words, own} {
			for name := range given {
				all[name] = true
			}
		}
	}
	taken := map[string]string{}
	for _, name := range inOrder(all) {
		live := name
		if word := words[name]; word != "" {
			live = word
		}
		if word := own[name]; word != "" {
			live = word
		}
		if live == name && !names[name] {
			continue
		}
		other := taken[live]
		taken[live] = name
		if other == "" || words[other] == words[name] && own[other] == own[name] {
			continue // two that became one word by one map are reported elsewhere
		}
		c.tellAmbiguous(at, name, other, live, words, own, where)
	}
}

func (c *checker) tellAmbiguous(at []string, name, other, live string, words, own map[string]string, where string) {
	if live == name || own[name] == "" && own[other] != "" { // the other was renamed, or was last
		name, other = other, name
	}
	if own[name] == "" && own[other] == "" && slices.Contains(at, "operations") {
		at = at[2:] // the service's words alone do it
	}
	at = append(at[:len(at):len(at)], name)
	if c.ambiguous[pathText(at)] {
		return
	}
	c.ambiguous[pathText(at)] = true
	if live == other {
		c.wrong(at, "%s becomes %s, and %s has %s, too: the way back is not clear", name, live, where, other)
		return
	}
	c.wrong(at, "%s becomes %s, and %s has %s, which becomes %s, too: the way back is not clear",
		name, live, where, other, live)
}
