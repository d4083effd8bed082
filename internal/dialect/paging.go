package dialect

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// paging is how a deployment pages a list.
type paging struct {
	deployment.Paging
	param            string
	first            int
	next, more, list path
}

func compilePaging(given *deployment.Paging) *paging {
	if given == nil {
		return nil
	}
	p := &paging{Paging: *given, param: given.Param, first: 1}
	if given.First != nil {
		p.first = *given.First
	}
	p.next, p.more, p.list = pathOf(given.Next), pathOf(given.More), pathOf(given.List)
	return p
}

const maxRecords = 1 << 30

// The documented parameters of pages.
const (
	byOffset = "offset"
	byPage   = "page"
	byToken  = "next_token"
)

// sizes are the documented parameters for the records a page.
var sizes = []string{"limit", "pageSize", "max_results"}

// Page is the page of a list that a request asks for.
type Page struct {
	Sent string // the live parameter, empty for none

	paging *paging
	memory *memory
	by     string // documented parameter
	list   [sha256.Size]byte
	at     int // the offset or number that the request asks for
	number int // the live offset or page
	size   int // 0 if unknown
	cursor string
	trail  trail
	skip   int // records that the caller has already
}

// Page takes the documented parameter of the page out of query, which is the
// caller's to change, and says what the deployment is asked for. documented are the
// names of the operation's parameters. It is nil if the operation is paged as
// documented.
func (o *Operation) Page(values []Value, query url.Values, documented []string) (*Page, error) {
	if o == nil || o.paging == nil {
		return nil, nil
	}
	p := &Page{paging: o.paging, memory: &o.service.memory, size: o.paging.Size}
	for _, by := range []string{byOffset, byPage, byToken} {
		if slices.Contains(documented, by) {
			p.by = by
		}
	}
	if p.by == "" {
		return nil, problem(o.field+".paging", "the operation has neither offset, page nor next_token")
	}
	asked, given := query.Get(p.by), query.Has(p.by)
	query.Del(p.by)
	for _, name := range sizes {
		if n, err := strconv.Atoi(query.Get(name)); err == nil && n > 0 && n <= maxRecords {
			p.size = n
		}
	}
	p.list = sha256.Sum256(fmt.Append(nil, o.documented, values, query.Encode()))
	if p.by == byToken {
		return p, p.fromToken(asked)
	}
	return p, p.fromNumber(asked, given)
}

// invalid refuses the request's page.
func (p *Page) invalid(text string) error {
	return &walletfi.ValidationError{Field: p.by, Problem: text}
}

// fromToken reads a token: the deployment's cursor, or one of ours, which is a number.
func (p *Page) fromToken(token string) error {
	if p.paging.Form == deployment.PagingPage {
		p.number = p.paging.first
	}
	if p.Sent = token; token == "" || p.paging.Form == deployment.PagingCursor {
		return nil
	}
	n, err := strconv.Atoi(token)
	if err != nil || n < 0 || n > maxRecords {
		return p.invalid("is not the token of a page")
	}
	p.number = n
	return nil
}

// fromNumber reads an offset or the number of a page.
func (p *Page) fromNumber(text string, given bool) error {
	start := 0
	if p.by == byPage {
		start = 1
	}
	p.at = start
	if given {
		n, err := strconv.Atoi(text)
		if err != nil || n < start || n > maxRecords {
			return p.invalid("is not the start of a page")
		}
		p.at = n
	}
	if err := p.find(start); err != nil {
		return err
	}
	switch {
	case p.paging.Form == deployment.PagingCursor:
		p.Sent = p.cursor
	case given:
		p.Sent = strconv.Itoa(p.number)
	}
	return nil
}

// find sets what the deployment calls the page that begins at p.at.
func (p *Page) find(start int) error {
	form := p.paging.Form
	known, ok := p.memory.get(p.list, p.at)
	switch {
	case form == deployment.PagingCursor && p.at == start:
	case form == deployment.PagingCursor && !ok:
		return p.invalid("the deployment has cursors, and that of this page is not known: read the pages one after the other")
	case form == deployment.PagingCursor:
		p.cursor, p.skip, p.trail = known.cursor, known.skip, known.trail
	case form == deployment.PagingPage && p.by == byPage:
		p.number = p.at - 1 + p.paging.first
	case form == deployment.PagingOffset && p.by == byOffset:
		p.number = p.at
	case form == deployment.PagingPage && p.at == 0:
		p.number = p.paging.first
	case form == deployment.PagingPage && ok:
		p.number = known.page
	case form == deployment.PagingOffset && p.at == 1:
	case p.size == 0:
		return p.invalid("the records a page are not known: set the request's, or the size of the deployment's paging")
	case form == deployment.PagingOffset:
		if p.at-1 > maxRecords/p.size {
			return p.invalid("is too large")
		}
		p.number = (p.at - 1) * p.size
	case p.at%p.size != 0:
		return p.invalid("must be the start of a page: a multiple of " + strconv.Itoa(p.size))
	default:
		p.number = p.at/p.size + p.paging.first
	}
	return nil
}

// Answered reads an answer: came is its whole body before the steps, neutral what it
// says. It remembers where the next page is, and returns what the caller gets.
func (p *Page) Answered(came, neutral []byte) []byte {
	if p == nil || !isJSON(came) || !isJSON(neutral) {
		return neutral
	}
	list, ok := p.paging.list.find(neutral)
	if !ok || neutral[list.from] != '[' {
		return neutral
	}
	records := elements(neutral[list.from:list.to])
	if p.by == byToken {
		return p.withToken(came, neutral, len(records))
	}
	p.remember(came, len(records))
	if p.skip > 0 {
		rest := []byte("]")
		if p.skip < len(records) {
			rest = neutral[list.from+records[p.skip] : list.to]
		}
		neutral = slices.Concat(neutral[:list.from], []byte("["), rest, neutral[list.to:])
	}
	return neutral
}

// elements returns where the elements of an array begin.
func elements(array []byte) (at []int) {
	_, _ = jsontext.Elements(array, 0, func(_, i int) (int, error) {
		at = append(at, i)
		return jsontext.ValueEnd(array, i), nil
	})
	return at
}

// remember notes where the page after this one is.
func (p *Page) remember(came []byte, records int) {
	after := p.at + 1
	if p.by == byOffset {
		after = p.at + max(0, records-p.skip)
	}
	switch p.paging.Form {
	case deployment.PagingCursor:
		next := location{cursor: p.nextCursor(came)}
		var again bool
		if next.trail, again = p.trail.to(next.cursor); next.cursor == "" || again {
			next = location{cursor: p.cursor, skip: records} // the end: this page again, without what the caller has
		}
		p.memory.put(p.list, after, next)
	case deployment.PagingPage:
		if p.by == byOffset && records > 0 {
			p.memory.put(p.list, after, location{page: p.number + 1})
		}
	}
}

// nextCursor is empty on the last page.
func (p *Page) nextCursor(came []byte) string {
	f, ok := p.paging.next.find(came)
	if !ok {
		return ""
	}
	switch token := came[f.from:f.to]; {
	case token[0] == '"':
		return string(jsontext.Unquote(token))
	case jsontext.IsNumber(token):
		return string(token)
	}
	return ""
}

// withToken puts the token of the next page where the documentation has it.
func (p *Page) withToken(came, neutral []byte, records int) []byte {
	token := ""
	switch {
	case p.paging.Form == deployment.PagingCursor:
		token = p.nextCursor(came)
	case !p.follows(came, records):
	case p.paging.Form == deployment.PagingPage:
		token = strconv.Itoa(p.number + 1)
	default:
		token = strconv.Itoa(p.number + records)
	}
	if token == "" {
		return neutral
	}
	with, ok := path{"meta", byToken}.put(neutral, quote(token), true)
	if !ok {
		return neutral
	}
	return with
}

// follows reports whether more follows.
func (p *Page) follows(came []byte, records int) bool {
	if len(p.paging.more) == 0 {
		return records > 0 && records >= p.size
	}
	f, ok := p.paging.more.find(came)
	var more bool
	return ok && json.Unmarshal(came[f.from:f.to], &more) == nil && more
}
