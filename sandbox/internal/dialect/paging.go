package dialect

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// paging is how an operation is paged on both sides.
type paging struct {
	deployment.Paging
	documented string // offset, page or next_token
	sizes      string // the documented parameter for the records of a page, may be empty
	first      int
}

// tokenAt is where the documentation has the token of the next page.
var tokenAt = []string{"meta", "next_token"}

func newPaging(file *deployment.Paging, r *kit.Route) (*paging, error) {
	if file == nil {
		return nil, nil
	}
	p := &paging{Paging: *file, first: 1}
	if file.First != nil {
		p.first = *file.First
	}
	known := r.Input.Query()
	pick := func(names ...string) string {
		for _, name := range names {
			if slices.Contains(known, name) {
				return name
			}
		}
		return ""
	}
	p.documented, p.sizes = pick("next_token", "offset", "page"), pick("limit", "pageSize", "max_results")
	switch {
	case p.documented == "":
		return nil, fmt.Errorf("paging of an operation that does not page")
	case p.Param == "":
		return nil, fmt.Errorf("paging without param")
	case p.Form == deployment.PagingCursor && p.Next == "":
		return nil, fmt.Errorf("paging by cursor without next")
	case p.Form != deployment.PagingCursor && p.Form != deployment.PagingOffset && p.Form != deployment.PagingPage:
		return nil, fmt.Errorf("paging has the form %q", p.Form)
	}
	return p, nil
}

// paged is the page that a request asks for.
type paged struct {
	sent    bool
	at      int    // the offset, or the page counted from 0
	token   string // where the documentation has one
	size    int    // records of a page, 0 if unknown
	filters string // a hash of the rest of the query
}

// place is where a documented token leads.
type place struct {
	route   string // documented
	filters string
	at      int
}

// place is that of a page of the operation.
func (h *hearing) place(at int) place {
	return place{h.route.Method + " " + h.route.Path, h.page.filters, at}
}

// cursor is the content of a live cursor. Clients see it encoded.
type cursor struct {
	Filters string `json:"f"`
	At      int    `json:"a"`
	Token   string `json:"t,omitempty"`
}

func (c cursor) String() string {
	return "cur_" + base64.RawURLEncoding.EncodeToString(kit.MustJSON(c))
}

func readCursor(text string) (c cursor, ok bool) {
	if len(text) < 4 || text[:4] != "cur_" {
		return c, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(text[4:])
	return c, err == nil && json.Unmarshal(raw, &c) == nil
}

// pages reads the live parameter and notes the documented one.
func (h *hearing) pages() {
	if h.paging == nil {
		return
	}
	p := h.paging
	text, sent := h.take(p.Param)
	h.page = paged{sent: sent, size: h.size(), filters: h.filters()}
	if !sent {
		return
	}
	if p.Form == deployment.PagingCursor {
		c, ok := readCursor(text)
		if !ok || c.Filters != h.page.filters {
			h.problem("query parameter %s is no cursor of this list", p.Param)
			return
		}
		h.page.at, h.page.token = c.At, c.Token
		h.turnTo(h.unit())
		return
	}
	n, err := strconv.Atoi(text)
	if err != nil || !kit.IsInteger(text) || p.Form == deployment.PagingPage && n < p.first {
		h.problem("query parameter %s is no number of a page or a record", p.Param)
		return
	}
	if p.Form == deployment.PagingPage {
		n -= p.first
	}
	h.page.at = n
	h.turnTo(p.Form)
}

// unit is the documented unit, where a cursor has no form of its own.
func (h *hearing) unit() deployment.PagingForm {
	if h.paging.documented == "page" {
		return deployment.PagingPage
	}
	return deployment.PagingOffset
}

// turnTo notes the documented parameter of a page that is counted in form.
func (h *hearing) turnTo(form deployment.PagingForm) {
	n, size := h.page.at, h.page.size
	switch documented := h.paging.documented; {
	case documented == "next_token":
		h.turnToToken()
	case documented == string(form):
		if documented == "page" {
			n++
		}
		h.out.Set(documented, strconv.Itoa(n))
	case size == 0:
		h.problem("the request and the deployment say no number of records for a page")
	case documented == "offset":
		h.out.Set("offset", strconv.Itoa(n*size))
	case n%size != 0:
		h.problem("query parameter %s is not at the start of a page of %d", h.paging.Param, size)
	default:
		h.out.Set("page", strconv.Itoa(n/size+1))
	}
}

func (h *hearing) turnToToken() {
	if h.paging.Form == deployment.PagingCursor {
		h.out.Set("next_token", h.page.token)
		return
	}
	if h.page.at == 0 {
		return
	}
	token, ok := h.d.tokens.Get(h.place(h.page.at))
	if !ok {
		h.problem("query parameter %s is of no page that an earlier one leads to", h.paging.Param)
	}
	h.out.Set("next_token", token)
}

// size is how many records the page has.
func (h *hearing) size() int {
	if sent := h.query.Get(h.words.query.say(h.paging.sizes)); h.paging.sizes != "" && sent != "" {
		n, _ := strconv.Atoi(sent)
		return n
	}
	return h.paging.Size
}

// filters is a hash of what the list is asked for, but for the page.
func (h *hearing) filters() string {
	all := url.Values{}
	for name, texts := range h.query {
		if name != h.words.query.say(h.paging.sizes) {
			all[name] = texts
		}
	}
	sum := sha256.Sum256([]byte(h.live.URL.Path + "?" + all.Encode()))
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}
