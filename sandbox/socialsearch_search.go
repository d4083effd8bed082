package sandbox

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"
)

const (
	// socialSearchReach is how far back the search goes.
	socialSearchReach = 7 * 24 * time.Hour
	// socialSearchMaxQuery is how many characters a query may have.
	socialSearchMaxQuery = 1024
)

// socialSearchInstant is a point in time, in ISO 8601.
type socialSearchInstant struct{ time.Time }

// UnmarshalText reads a time with its zone.
func (t *socialSearchInstant) UnmarshalText(text []byte) error {
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return fmt.Errorf("is no ISO 8601 time")
	}
	t.Time = at
	return nil
}

type socialSearchRequest struct {
	Query      string                 `query:"query,required"`
	MaxResults *int                   `query:"max_results" min:"10" max:"100"`
	SortOrder  string                 `query:"sort_order" oneof:"recency relevancy"`
	StartTime  *socialSearchInstant   `query:"start_time"`
	EndTime    *socialSearchInstant   `query:"end_time"`
	NextToken  string                 `query:"next_token"`
	PostFields socialSearchPostFields `query:"post.fields"`
	UserFields socialSearchUserFields `query:"user.fields"`
	Expansions socialSearchExpansions `query:"expansions"`
}

// socialSearchCursor is what a token stands for: what is yet to come of a
// search.
type socialSearchCursor struct {
	of     string // the request that the token belongs to
	rest   []*socialSearchPost
	gapped bool // an empty page came before it
}

func (b *socialSearch) search(c *call, in socialSearchRequest) (any, error) {
	if n := utf8.RuneCountInString(in.Query); n > socialSearchMaxQuery {
		c.violate(fmt.Sprintf("the query has %d characters", n))
		return nil, refuse(http.StatusBadRequest, "", "the query has more than %d characters", socialSearchMaxQuery)
	}
	query, err := socialSearchParse(in.Query)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "", "the query cannot be read: %v", err)
	}
	if err := b.capped(c); err != nil {
		return nil, err
	}
	b.grow()
	from, to, err := b.window(in.StartTime, in.EndTime)
	if err != nil {
		return nil, err
	}
	sent := c.request.URL.Query()
	of := fmt.Sprintf("search %q %s %s %s", in.Query, in.SortOrder, sent.Get("start_time"), sent.Get("end_time"))
	find := func() []*socialSearchPost {
		return socialSearchSort(b.find(func(p *socialSearchPost) bool {
			return !p.created.Before(from) && p.created.Before(to) && query.matches(p)
		}), in.SortOrder)
	}
	page, token, err := b.page(of, in.NextToken, in.MaxResults, find)
	if err != nil {
		return nil, err
	}
	return b.postList(page, token, in.PostFields, in.UserFields, len(in.Expansions) > 0), nil
}

// window is the time that is searched, within the last seven days.
func (b *socialSearch) window(start, end *socialSearchInstant) (from, to time.Time, err error) {
	from, to = b.now().Add(-socialSearchReach), b.now().Add(1)
	if start != nil {
		if start.Before(from) {
			return from, to, refuse(http.StatusBadRequest, "", "start_time lies more than seven days back")
		}
		from = start.Time
	}
	if end != nil {
		to = end.Time
	}
	if !from.Before(to) {
		return from, to, refuse(http.StatusBadRequest, "", "end_time does not lie after the start")
	}
	return from, to, nil
}

// find returns what matches, newest first.
func (b *socialSearch) find(matches func(*socialSearchPost) bool) []*socialSearchPost {
	var found []*socialSearchPost
	for _, p := range slices.Backward(b.posts) {
		if matches(p) {
			found = append(found, p)
		}
	}
	return found
}

// socialSearchSort puts what people reacted to most first, where relevancy is
// asked for.
func socialSearchSort(posts []*socialSearchPost, order string) []*socialSearchPost {
	if order == "relevancy" {
		weight := func(p *socialSearchPost) int { return p.likes + 3*p.reposts + 2*p.quotes + p.replies }
		slices.SortStableFunc(posts, func(x, y *socialSearchPost) int { return cmp.Compare(weight(y), weight(x)) })
	}
	return posts
}

// page returns the next posts and the token of what follows. What a search
// found stays the same over its pages. Every third page but a first one is
// empty and still leads on.
func (b *socialSearch) page(of, token string, most *int, find func() []*socialSearchPost) ([]*socialSearchPost, string, error) {
	var cursor *socialSearchCursor
	if token == "" {
		cursor = &socialSearchCursor{of: of, rest: find()}
	} else if cursor = b.cursors[token]; cursor == nil || cursor.of != of {
		return nil, "", refuse(http.StatusBadRequest, "", "the token is not of this request")
	}
	if token != "" && !cursor.gapped && b.turn("socialsearch empty page", 3) == 2 {
		return nil, b.token(&socialSearchCursor{of, cursor.rest, true}), nil
	}
	n := 10
	if most != nil {
		n = *most
	}
	n = min(n, len(cursor.rest))
	next := ""
	if n < len(cursor.rest) {
		next = b.token(&socialSearchCursor{of: of, rest: cursor.rest[n:]})
	}
	return cursor.rest[:n], next, nil
}

func (b *socialSearch) token(cursor *socialSearchCursor) string {
	token := fmt.Sprintf("b26v%016x", b.random())
	b.cursors[token] = cursor
	return token
}

// postList is a page as it is answered, and counts what it costs. An author
// whose account is gone is told under errors, beside the data.
func (b *socialSearch) postList(page []*socialSearchPost, token string, fields socialSearchPostFields, of socialSearchUserFields, expand bool) map[string]any {
	b.read(len(page))
	meta := map[string]any{"result_count": len(page)}
	if token != "" {
		meta["next_token"] = token
	}
	a := map[string]any{"meta": meta}
	if len(page) == 0 {
		return a
	}
	var data []any
	for _, p := range page {
		data = append(data, p.answer(fields, expand))
	}
	a["data"] = data
	if expand {
		b.expand(a, page, of)
	}
	return a
}

// expand adds the authors, each once.
func (b *socialSearch) expand(a map[string]any, page []*socialSearchPost, fields socialSearchUserFields) {
	var users, problems []any
	seen := map[*socialSearchUser]bool{}
	for _, p := range page {
		if seen[p.author] {
			continue
		}
		seen[p.author] = true
		if p.author.gone {
			problems = append(problems, socialSearchMissing("user", "author_id", p.author.id))
			continue
		}
		users = append(users, b.userAnswer(p.author, fields))
	}
	if users != nil {
		a["includes"] = map[string]any{"users": users}
	}
	if problems != nil {
		a["errors"] = problems
	}
}

// socialSearchMissing is an entry of errors for what is not there.
func socialSearchMissing(resource, parameter, value string) map[string]any {
	return map[string]any{
		"title": "Not Found Error", "resource_type": resource, "parameter": parameter, "value": value, "resource_id": value,
		"detail": fmt.Sprintf("Could not find %s with %s: [%s].", resource, parameter, value),
	}
}
