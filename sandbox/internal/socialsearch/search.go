package socialsearch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// reach is how far back the search goes.
const reach = 7 * 24 * time.Hour

// instant is a point in time, in ISO 8601.
type instant struct{ time.Time }

// UnmarshalText reads a time with its zone.
func (t *instant) UnmarshalText(text []byte) error {
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return fmt.Errorf("is no ISO 8601 time")
	}
	t.Time = at
	return nil
}

type request struct {
	_          struct{} `rule:"query consists of the documented operators"`
	_          struct{} `open:"how parentheses group, and the precedence of OR"`
	Query      string   `query:"query,required" open:"any text" runes:"1024"`
	MaxResults *int     `query:"max_results" min:"10" max:"100"`
	SortOrder  string   `query:"sort_order" oneof:"recency relevancy"`
	StartTime  *instant `query:"start_time"`
	EndTime    *instant `query:"end_time"`
	NextToken  string   `query:"next_token" open:"an opaque token"`
	PostFields string   `query:"post.fields" list:"created_at public_metrics author_id conversation_id entities"`
	UserFields string   `query:"user.fields" list:"username name verified public_metrics created_at"`
	Expansions string   `query:"expansions" list:"author_id"`
}

func (in request) Problems(*kit.Call) []string {
	if strings.TrimSpace(in.Query) == "" {
		return nil // a problem of its own
	}
	if _, err := parse(in.Query); err != nil {
		return []string{fmt.Sprintf("the query cannot be read: %v", err)}
	}
	return nil
}

// A search can be continued for an hour, while it is among the newest.
const (
	cursorLife  = time.Hour
	mostCursors = 1024
)

// cursor is the state of a token: what is yet to come of a
// search.
type cursor struct {
	of     string // the request that the token belongs to
	rest   []*post
	gapped bool // an empty page came before it
}

func (b *Service) search(c *kit.Call, in request) any {
	query, err := parse(in.Query)
	kit.BadIf(err != nil, "the query cannot be read: %v", err)
	b.capped(c)
	b.grow()
	from, to := b.window(in.StartTime, in.EndTime)
	sent := c.Request.URL.Query()
	of := fmt.Sprintf("search %q %s %s %s", in.Query, in.SortOrder, sent.Get("start_time"), sent.Get("end_time"))
	find := func() []*post {
		return sort(b.find(func(p *post) bool {
			return !p.created.Before(from) && p.created.Before(to) && query.matches(p)
		}), in.SortOrder)
	}
	page, token := b.page(of, in.NextToken, in.MaxResults, find)
	return b.postList(page, token, listed(in.PostFields), listed(in.UserFields), in.Expansions != "")
}

// window is the time that is searched, within the last seven days.
func (b *Service) window(start, end *instant) (from, to time.Time) {
	from, to = b.Now().Add(-reach), b.Now().Add(1)
	if start != nil {
		kit.BadIf(start.Before(from), "start_time lies more than seven days back")
		from = start.Time
	}
	if end != nil {
		to = end.Time
	}
	kit.BadIf(!from.Before(to), "end_time does not lie after the start")
	return from, to
}

// find returns what matches, newest first.
func (b *Service) find(matches func(*post) bool) []*post {
	var found []*post
	for _, p := range slices.Backward(b.posts) {
		if matches(p) {
			found = append(found, p)
		}
	}
	return found
}

// sort puts what people reacted to most first, if relevancy is
// asked for.
func sort(posts []*post, order string) []*post {
	if order == "relevancy" {
		weight := func(p *post) int { return p.likes + 3*p.reposts + 2*p.quotes + p.replies }
		slices.SortStableFunc(posts, func(x, y *post) int { return cmp.Compare(weight(y), weight(x)) })
	}
	return posts
}

// page returns the next posts and the token of what follows. What a search
// found stays the same over its pages. Every third page but a first one is
// empty and still leads on.
func (b *Service) page(of, token string, most *int, find func() []*post) ([]*post, string) {
	var at *cursor
	if token == "" {
		at = &cursor{of: of, rest: find()}
	} else if at, _ = b.cursors.Get(token); at == nil || at.of != of {
		panic(kit.Bad("the token is not of this request"))
	}
	if token != "" && !at.gapped && b.Turn("socialsearch empty page", 3) == 2 {
		return nil, b.token(&cursor{of, at.rest, true})
	}
	n := min(kit.Or(most, 10), len(at.rest))
	next := ""
	if n < len(at.rest) {
		next = b.token(&cursor{of: of, rest: at.rest[n:]})
	}
	return at.rest[:n], next
}

func (b *Service) token(cursor *cursor) string {
	token := fmt.Sprintf("b26v%016x", b.Random())
	b.cursors.Put(token, cursor)
	return token
}

// postList is a page as it is answered, and counts what it costs. With
// Config.Drift an empty page has no data. An author
// whose account is deleted is listed under errors, next to the data.
func (b *Service) postList(page []*post, token string, fields, of fields, expand bool) map[string]any {
	b.read(len(page))
	meta := map[string]any{"result_count": len(page)}
	if token != "" {
		meta["next_token"] = token
	}
	a := map[string]any{"meta": meta}
	if len(page) == 0 {
		if !b.Config.Drift {
			a["data"] = []any{}
		}
		return a
	}
	a["data"] = kit.List(page, func(p *post) any { return p.answer(fields, expand) })
	if expand {
		b.expand(a, page, of)
	}
	return a
}

// expand adds the authors, each once.
func (b *Service) expand(a map[string]any, page []*post, fields fields) {
	var users, problems []any
	seen := map[*user]bool{}
	for _, p := range page {
		if seen[p.author] {
			continue
		}
		seen[p.author] = true
		if p.author.gone {
			problems = append(problems, missing("user", "author_id", p.author.id))
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

// missing is an entry of errors for what is not there.
func missing(resource, parameter, value string) map[string]any {
	return map[string]any{
		"title": "Not Found Error", "resource_type": resource, "parameter": parameter, "value": value, "resource_id": value,
		"detail": fmt.Sprintf("Could not find %s with %s: [%s].", resource, parameter, value),
	}
}
