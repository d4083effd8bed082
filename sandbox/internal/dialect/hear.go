package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// hearing is a live request on its way to a documented one.
type hearing struct {
	*operation
	d      *dialect
	live   *http.Request
	header http.Header
	query  url.Values // what is left of the live query
	out    url.Values // the documented query
	values map[string]string
	page   paged
	heard  *kit.Heard
}

// Hear implements kit.Dialect.
func (d *dialect) Hear(host string, r *http.Request, body []byte) *kit.Heard {
	query, malformed := url.ParseQuery(r.URL.RawQuery)
	o, values, otherMethod := d.find(host, r.Method, r.URL.EscapedPath(), query)
	if o == nil {
		return &kit.Heard{Request: r, Body: body, OtherMethod: otherMethod}
	}
	h := &hearing{
		operation: o, d: d, live: r, header: r.Header.Clone(), query: query, out: url.Values{}, values: values,
		heard: &kit.Heard{Route: o.route, Parameters: map[string]string{}, Body: body},
	}
	if malformed != nil {
		h.problem("the query cannot be read: %v", malformed)
	}
	h.heard.Credential = d.credential(d.spec.AuthOf(o.route, host), h.header, h.query)
	h.extras()
	h.renamedHeaders()
	h.pinned()
	h.pages()
	h.rest()
	h.readBody()
	h.heard.Request = h.documented()
	h.heard.Memo = h
	return h.heard
}

func (h *hearing) problem(format string, args ...any) {
	h.heard.Problems = append(h.heard.Problems, fmt.Sprintf(format, args...))
}

// take takes a parameter out of the live query. Sent twice, it is a problem.
func (h *hearing) take(name string) (text string, sent bool) {
	got, sent := h.query[name]
	delete(h.query, name)
	if len(got) > 1 {
		h.problem("query parameter %s is sent more than once", name)
	}
	if !sent {
		return "", false
	}
	return got[0], true
}

// extras takes out what the deployment requires and the documentation does not know.
func (h *hearing) extras() {
	for _, name := range slices.Sorted(maps.Keys(h.extra.Query)) {
		if text, sent := h.take(name); !sent || text != h.extra.Query[name] {
			h.problem("query parameter %s is not %q, which the deployment requires", name, h.extra.Query[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(h.extra.Headers)) {
		if !slices.Equal(h.header.Values(name), []string{h.extra.Headers[name]}) {
			h.problem("header %s is not %q, which the deployment requires", name, h.extra.Headers[name])
		}
		h.header.Del(name)
	}
}

// renamedHeaders gives the live headers their documented names.
func (h *hearing) renamedHeaders() {
	if len(h.d.file.Auth) > 0 || h.d.file.NoAuth {
		return // what is documented are credentials, which have their places
	}
	if problem := h.d.hearHeaders(h.header); problem != "" {
		h.problem("%s", problem)
	}
}

// hearHeaders gives the live headers of a request their documented names.
func (d *dialect) hearHeaders(h http.Header) (problem string) {
	moved := http.Header{}
	for documented, live := range d.headers.live {
		if _, isLive := d.headers.documented[documented]; h.Values(documented) != nil && !isLive {
			problem = fmt.Sprintf("header %s, which the deployment calls %s", documented, live)
			delete(h, documented)
		}
	}
	for live, documented := range d.headers.documented {
		if values := h.Values(live); values != nil {
			moved[documented] = values
			delete(h, live)
		}
	}
	maps.Copy(h, moved)
	return problem
}

// pinned takes out what the live route has in its path and its query.
func (h *hearing) pinned() {
	for name, text := range h.values {
		h.settle(name, text)
	}
	for _, p := range h.operation.query {
		text, sent := h.take(p.name)
		switch {
		case !p.value:
		case sent && text != "":
			h.settle(p.text, text)
		case h.inPath(p.text):
			h.problem("query parameter %s is missing", p.name)
		case sent:
			h.problem("query parameter %s is empty", p.name)
		}
	}
}

// settle notes the value of a placeholder.
func (h *hearing) settle(name, text string) {
	if h.inPath(name) {
		h.heard.Parameters[name] = text
		return
	}
	h.hearParameter(name, text)
}

// hearParameter notes a parameter of the documented query.
func (h *hearing) hearParameter(name, text string) {
	documented, problem := h.hearValue(name, text)
	if problem != "" {
		h.problem("query parameter %s %s", name, problem)
	}
	h.out.Set(name, documented)
}

func (h *hearing) hearValue(name, text string) (documented, problem string) {
	if h.d.spec.Name == play.SocialSearch && name == "query" {
		return h.hearSearch(text)
	}
	return h.hearText(name, text)
}

// rest translates the parameters that have no place of their own.
func (h *hearing) rest() {
	for _, live := range slices.Sorted(maps.Keys(h.query)) {
		documented, problem := h.words.query.hear(live)
		switch {
		case problem != "":
			h.problem("query parameter %s", problem)
		case h.out.Has(documented) || h.ownPlace(documented):
			h.problem("query parameter %s, which the deployment has elsewhere", live)
		}
		for _, text := range h.query[live] {
			text, problem := h.hearValue(documented, text)
			if problem != "" {
				h.problem("query parameter %s %s", live, problem)
			}
			h.out.Add(documented, text)
		}
	}
}

// ownPlace reports whether the live route or the paging has the parameter.
func (h *hearing) ownPlace(name string) bool {
	return h.paging != nil && name == h.paging.documented ||
		slices.ContainsFunc(h.operation.query, func(p pinned) bool { return p.value && p.text == name }) ||
		slices.ContainsFunc(h.segments, func(s segment) bool { return s.value && s.text == name })
}

// readBody translates the body. What is no JSON is left to the service.
func (h *hearing) readBody() {
	body := h.heard.Body
	if len(body) == 0 || !json.Valid(body) {
		return
	}
	body = h.bare(bytes.TrimSpace(body))
	documented, err := undo(h.body, body, nil, true)
	if err != nil {
		h.problem("the body does not have the deployment's shape: %v", err)
		documented = body
	}
	t := translation{words: h.words, hearing: true, whole: h.d.original, template: h.heard.Parameters["templateId"]}
	h.heard.Body = t.value("", documented)
	h.heard.Problems = append(h.heard.Problems, t.problems...)
}

// bare takes the extra members out of a body.
func (h *hearing) bare(body []byte) []byte {
	if !is(body, '{') {
		return body
	}
	for _, name := range slices.Sorted(maps.Keys(h.extra.Body)) {
		found := 0
		for _, p := range parts(body) {
			if p.name == name && same(p.value, h.extra.Body[name]) {
				found++
			}
		}
		if found != 1 {
			h.problem("field %s is not %s, which the deployment requires", name, h.extra.Body[name])
		}
		body = remove(body, []string{name})
	}
	return body
}

// same compares two texts of JSON without their white space.
func same(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// original returns the service's own bytes where a client sends them back.
func (d *dialect) original(member string, raw []byte) ([]byte, bool) {
	if !d.whole[member] {
		return nil, false
	}
	if documented, _, known := d.served.Find(raw); known {
		return documented, true
	}
	return raw, true // opaque, or the service says that it is not its own
}

// documented is the request in documented words.
func (h *hearing) documented() *http.Request {
	r := h.live.Clone(h.live.Context())
	r.Method, r.Header = h.route.Method, h.header
	path := strings.Split(h.d.spec.PathOf(h.route), "/")
	escaped := slices.Clone(path)
	for i, s := range path {
		if inner, ok := strings.CutPrefix(s, "{"); ok {
			path[i] = h.heard.Parameters[strings.TrimSuffix(inner, "}")]
			escaped[i] = url.PathEscape(path[i])
		}
	}
	r.URL = &url.URL{Path: strings.Join(path, "/"), RawPath: strings.Join(escaped, "/"), RawQuery: h.out.Encode()}
	return r
}

// Shake implements kit.Dialect.
func (d *dialect) Shake(r *http.Request) *kit.Heard {
	feed := d.spec.Feed
	if r.URL.EscapedPath() != d.Mount(feed.Host)+d.translated(feed.Path) {
		other := r.Clone(r.Context())
		other.URL = &url.URL{Path: "/no such path"}
		return &kit.Heard{Request: other}
	}
	query, malformed := url.ParseQuery(r.URL.RawQuery)
	h := &hearing{
		operation: &operation{words: d.words}, d: d, live: r, header: r.Header.Clone(), query: query, heard: &kit.Heard{},
	}
	if malformed != nil {
		h.problem("the query cannot be read: %v", malformed)
	}
	h.heard.Credential = d.credential(d.spec.Auth, h.header, h.query)
	h.extras()
	h.renamedHeaders()
	h.heard.Request = r.Clone(r.Context())
	h.heard.Request.Header = h.header
	h.heard.Request.URL = &url.URL{Path: feed.Path, RawQuery: h.query.Encode()}
	return h.heard
}
