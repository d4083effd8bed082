package deployment

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go/internal/catalogue"
)

func (c *checker) checkOperations(s Service) {
	known := map[string]catalogue.Operation{}
	for _, o := range slices.Concat(c.documented.Operations, c.documented.Feed()) {
		known[o.Route] = o
	}
	live := map[string]string{} // by liveKey
	for _, o := range c.documented.Operations {
		if s.Operations[o.Route].Route == "" {
			key := liveKey(o.Route, o, s.Segments)
			if other := live[key]; other != "" {
				c.wrong([]string{"segments"}, "%s and %s become one live route", o.Route, other)
			}
			live[key] = o.Route
		}
	}
	for _, route := range inOrder(s.Operations) {
		at := []string{"operations", route}
		documented, ok := known[route]
		if !ok {
			c.wrong(at, "%s has no such route%s", c.service, suggestion(route, known))
			continue
		}
		o := s.Operations[route]
		if documented.Methods == nil { // of the feed
			c.checkFeed(at, o)
		}
		if o.EchoWhole && !c.goesBack(route) {
			c.wrong(append(at, "echoWhole"), "nothing of this answer goes back")
		}
		c.checkWords(at, o.Words, &documented)
		c.checkSteps(append(at, "body"), o.Body)
		if len(o.Body) > 0 && documented.Body == nil {
			c.wrong(append(at, "body"), "this route has no body")
		}
		c.checkSteps(append(at, "answer"), o.Answer)
		if o.Paging != nil {
			c.checkPaging(append(at, "paging"), *o.Paging, documented)
		}
		if o.Route == "" {
			continue
		}
		if problem := routeProblem(o.Route, documented); problem != "" {
			c.wrong(append(at, "route"), "%s", problem)
		} else if other := live[liveKey(o.Route, documented, nil)]; other != "" {
			c.wrong(append(at, "route"), "is the live route of %s, too", other)
		}
		live[liveKey(o.Route, documented, nil)] = route
	}
}

// checkFeed refuses what a message of a feed does not have.
func (c *checker) checkFeed(at []string, o Operation) {
	given := map[string]bool{
		"route": o.Route != "", "query": len(o.Query) > 0, "paging": o.Paging != nil,
		"extra": len(o.Extra.Query)+len(o.Extra.Headers)+len(o.Extra.Body) > 0,
	}
	for _, name := range inOrder(given) {
		if given[name] {
			c.wrong(append(at[:len(at):len(at)], name), "a message of the feed has none")
		}
	}
}

// goesBack reports whether the documentation has the answer, or a part of it, go back.
func (c *checker) goesBack(route string) bool {
	return slices.Contains(map[string][]string{
		"swap": {"GET /quote", "GET /intent"},
		"amm":  {"GET /compute/swap-base-in", "GET /compute/swap-base-out"},
	}[c.service], route)
}

// liveKey is a live route with its placeholders alike, and what its query has in every
// request: literals, and the names of parameters that take a value of
// the path.
func liveKey(route string, o catalogue.Operation, segments map[string]string) string {
	head, query, _ := strings.Cut(route, "?")
	parts := strings.Split(head, "/")
	for i, segment := range parts {
		switch word := segments[segment]; {
		case strings.HasPrefix(segment, "{"):
			parts[i] = "{}"
		case word != "":
			parts[i] = word
		}
	}
	var always []string
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		placeholder, takes := strings.CutPrefix(value, "{")
		switch {
		case !takes:
			always = append(always, pair)
		case slices.Contains(o.Placeholders(), strings.TrimSuffix(placeholder, "}")):
			always = append(always, name)
		}
	}
	slices.Sort(always)
	return strings.Join(parts, "/") + "?" + strings.Join(always, "&")
}

// routeProblem says what is wrong with a live route, "" if nothing is.
func routeProblem(route string, o catalogue.Operation) string {
	method, target, ok := strings.Cut(route, " ")
	methods := []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	switch {
	case !ok || !strings.HasPrefix(target, "/"):
		return `must be a method and a path, such as "GET /a/{id}"`
	case !slices.Contains(methods, method):
		return method + " is none of " + strings.Join(methods, ", ")
	case o.Body != nil && method == http.MethodGet:
		return "a GET cannot carry this route's body"
	case o.Body == nil && method != o.Method() && method != http.MethodGet && o.Method() == http.MethodGet:
		return "a read without a body must stay a GET"
	}
	path, query, _ := strings.Cut(target, "?")
	used := map[string]int{}
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		name, placeholder := strings.CutPrefix(segment, "{")
		switch {
		case placeholder && !strings.HasSuffix(name, "}"):
			return segment + " is not closed"
		case placeholder:
			used[strings.TrimSuffix(name, "}")]++
		case segment == "" && path != "/", segment == ".", segment == "..", url.PathEscape(segment) != segment:
			return "segment " + segment + " cannot be one of a path"
		}
	}
	if problem := queryProblem(query, used); problem != "" {
		return problem
	}
	return placeholderProblem(used, o)
}

var placeholder = regexp.MustCompile(`{[^{}]+}`)

// queryProblem is routeProblem for the query of a live route, whose placeholders it counts.
func queryProblem(query string, used map[string]int) string {
	if query == "" {
		return ""
	}
	names := map[string]bool{}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if err != nil || plain == "" || strings.ContainsAny(plain, "{}#") || names[plain] {
			return "the parameters of its query must have names, each another"
		}
		names[plain] = true
		for _, one := range placeholder.FindAllString(value, -1) {
			used[strings.Trim(one, "{}")]++
		}
		literal := placeholder.ReplaceAllString(value, "")
		if _, err := url.QueryUnescape(literal); err != nil || strings.ContainsAny(literal, "{}#") {
			return value + " is not the value of a parameter"
		}
	}
	return ""
}

// placeholderProblem holds a route's placeholders to the values that there are.
func placeholderProblem(used map[string]int, o catalogue.Operation) string {
	values := set(o.Placeholders())
	for _, name := range inOrder(values) {
		if used[name] != 1 {
			return "{" + name + "} must be there exactly once"
		}
	}
	for _, name := range inOrder(used) {
		if _, parameter := o.Query[name]; !parameter && !values[name] {
			return "{" + name + "} is neither in the documented path nor a query parameter"
		}
		if used[name] > 1 {
			return "{" + name + "} is there twice"
		}
	}
	return ""
}

func (c *checker) checkSteps(at []string, steps []Step) {
	for i, s := range steps {
		at := append(at[:len(at):len(at)], index(i))
		given := 0
		for _, is := range []bool{
			s.Unwrap != "", s.Wrap != "", s.Only, s.List, s.Move != "", s.Default != nil, s.Names != nil, s.Complement,
		} {
			if is {
				given++
			}
		}
		if given != 1 || (s.Move != "" || s.Default != nil) != (s.To != "") {
			c.wrong(at, "must have exactly one of unwrap, wrap, only, list, names, complement, and move or default with to")
			continue
		}
		if n := s.Names; n != nil && (len(n) != 2 || n[0] == n[1] || !utf8.ValidString(n[0]+n[1])) {
			c.wrong(append(at, "names"), "must be two different names")
		}
		if s.Default != nil && (!utf8.Valid(s.Default) || !json.Valid(s.Default)) {
			c.wrong(append(at, "default"), "is not JSON")
		}
		paths := map[string]string{"at": s.At, "unwrap": s.Unwrap, "wrap": s.Wrap, "move": s.Move, "to": s.To}
		for _, name := range inOrder(paths) {
			c.checkMembers(append(at, name), paths[name], name == "at")
		}
	}
}

// checkMembers refuses what is not a path of member names. each says that it may have "*".
func (c *checker) checkMembers(at []string, path string, each bool) {
	for part := range strings.SplitSeq(path, ".") {
		if path != "" && (part == "" || part == "*" && !each || !utf8.ValidString(part)) {
			c.wrong(at, "%q is not a path of member names", path)
		}
	}
}

// mostRecords bounds the numbers of a deployment's pages.
const mostRecords = 1 << 30

func (c *checker) checkPaging(at []string, p Paging, o catalogue.Operation) {
	switch {
	case pagedBy(o) == "":
		c.wrong(at, "this list is not documented to come in pages")
	case p.Form != PagingOffset && p.Form != PagingPage && p.Form != PagingCursor:
		c.wrong(append(at, "form"), "must be offset, page or cursor")
	case p.Param == "":
		c.wrong(append(at, "param"), "is required")
	case (p.Form == PagingCursor) != (p.Next != ""):
		c.wrong(append(at, "next"), "is for cursor, which needs it")
	case p.First != nil && p.Form != PagingPage:
		c.wrong(append(at, "first"), "is for page")
	case p.First != nil && (*p.First < 0 || *p.First > mostRecords):
		c.wrong(append(at, "first"), "must be from 0 to %d", mostRecords)
	case p.Size < 0 || p.Size > mostRecords:
		c.wrong(append(at, "size"), "must be from 0 to %d", mostRecords)
	case p.More != "" && p.Form == PagingCursor:
		c.wrong(append(at, "more"), "is for page and offset")
	case p.List != "" && o.Answer != nil && !hasList(*o.Answer, p.List):
		c.wrong(append(at, "list"), "the documented answer has no list at %s", p.List)
	}
	c.checkMembers(append(at, "next"), p.Next, false)
	c.checkMembers(append(at, "more"), p.More, false)
	c.checkMembers(append(at, "list"), p.List, false)
}

// pagedBy is the documented parameter of a list's pages, "" if there is none.
func pagedBy(o catalogue.Operation) (documented string) {
	for _, name := range []string{"offset", "page", "next_token"} {
		if _, ok := o.Query[name]; ok {
			documented = name
		}
	}
	return documented
}

func hasList(s catalogue.Shape, path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		s = s.Members[name]
	}
	return s.Item != nil || s.Open
}
