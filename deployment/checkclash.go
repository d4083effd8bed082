package deployment

import (
	"net/textproto"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/catalogue"
)

// checkClashes refuses two things in one place of a request.
func (c *checker) checkClashes(s Service) {
	c.checkHeaderClashes(nil, s, s.Extra)
	for _, route := range inOrder(s.Operations) {
		c.checkHeaderClashes([]string{"operations", route}, s, s.Operations[route].Extra)
		c.checkWordClashes([]string{"operations", route}, s.Words, s.Operations[route].Words)
	}
	for _, id := range inOrder(s.Templates) {
		c.checkWordClashes([]string{"templates", id}, s.Words, s.Templates[id])
	}
	told := map[string]bool{}
	for _, o := range c.documented.Operations {
		c.checkQueryClashes(s, o, told)
	}
}

// checkWordClashes holds a part's own words to those that the whole service has: no two become one.
func (c *checker) checkWordClashes(at []string, common, own Words) {
	hold := func(common, own map[string]string, names ...string) {
		for _, word := range inOrder(own) {
			for _, other := range inOrder(common) {
				if own[other] == "" && common[other] == own[word] {
					c.wrong(slices.Concat(at, names, []string{word}), "%s and %s both become %s", other, word, own[word])
				}
			}
		}
	}
	hold(common.Query, own.Query, "query")
	hold(common.Keys, own.Keys, "keys")
	for _, name := range inOrder(own.Values) {
		hold(common.Values[name], own.Values[name], "values", name)
	}
}

func (c *checker) checkHeaderClashes(at []string, s Service, extra Extra) {
	for _, name := range inOrder(extra.Headers) {
		live := textproto.CanonicalMIMEHeaderKey(name)
		at := append(at[:len(at):len(at)], "extra", "headers", name)
		for _, p := range s.Auth {
			if p.In == InHeader && textproto.CanonicalMIMEHeaderKey(p.Name) == live {
				c.wrong(at, "is a place of a credential")
			}
		}
		for _, neutral := range inOrder(s.Headers) {
			if textproto.CanonicalMIMEHeaderKey(s.Headers[neutral]) == live {
				c.wrong(at, "is the live name of %s", neutral)
			}
		}
	}
}

// checkQueryClashes holds all live parameters of an operation to each other.
func (c *checker) checkQueryClashes(s Service, o catalogue.Operation, told map[string]bool) {
	own := s.Operations[o.Route]
	under := func(names ...string) []string { return append([]string{"operations", o.Route}, names...) }
	taken := map[string]string{}
	take := func(at []string, name, what string) {
		if by := taken[name]; by != "" && !told[pathText(at)] {
			told[pathText(at)] = true
			c.wrong(at, "%s is also %s of %s", name, by, o.Route)
		}
		if taken[name] == "" {
			taken[name] = what
		}
	}
	inRoute, filled := routeQuery(own.Route)
	for _, name := range inOrder(o.Query) {
		if filled[name] || own.Paging != nil && name == pagedBy(o) {
			continue // it is in the route, or the pages' parameter takes its place
		}
		live := name
		if word := s.Query[name]; word != "" {
			live = word
		}
		if word := own.Query[name]; word != "" {
			live = word
		}
		taken[live] = "the parameter " + name
	}
	for _, name := range inRoute {
		take(under("route"), name, "in the route")
	}
	for _, extra := range []struct {
		at    []string
		given map[string]string
	}{{[]string{"extra", "query"}, s.Extra.Query}, {under("extra", "query"), own.Extra.Query}} {
		for _, name := range inOrder(extra.given) {
			if taken[name] != "the extra parameter "+name { // the operation's wins
				take(append(extra.at[:len(extra.at):len(extra.at)], name), name, "the extra parameter "+name)
			}
		}
	}
	if own.Paging != nil && own.Paging.Param != "" {
		take(under("paging", "param"), own.Paging.Param, "the parameter of the pages")
	}
	for i, p := range s.Auth {
		if p.In == InQuery {
			take([]string{"auth", index(i), "name"}, p.Name, "a place of a credential")
		}
	}
}

// routeQuery has the names of a live route's query, and the query parameters whose values
// are anywhere in the route.
func routeQuery(route string) (names []string, filled map[string]bool) {
	filled = map[string]bool{}
	path, query, _ := strings.Cut(route, "?")
	for segment := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(segment, "{") {
			filled[strings.Trim(segment, "{}")] = true
		}
	}
	if query == "" {
		return nil, filled
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		names = append(names, name)
		if strings.HasPrefix(value, "{") {
			filled[strings.Trim(value, "{}")] = true
		}
	}
	return names, filled
}
