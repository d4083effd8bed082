package socialsearch

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// userRequest takes any query, as the requests of the other look-ups do: their
// parameters are not documented. The search's mean what they mean there.
type userRequest struct {
	Username string     `path:"username" open:"an identifier"`
	Query    url.Values `query:"*"`
}

func (b *Service) lookUpUser(c *kit.Call, in userRequest) any {
	b.capped(c)
	b.grow()
	u := b.user(in.Username)
	if u == nil || u.gone {
		return b.missing(c, "user", "username", in.Username)
	}
	b.usage.UserLookups++
	return map[string]any{"data": b.userAnswer(u, listed(in.Query.Get("user.fields")))}
}

// missing reports that a user or post does not exist, alternately with 404 and
// with errors under HTTP 200: the documentation does not say which.
func (b *Service) missing(c *kit.Call, resource, parameter, value string) any {
	kit.RefuseIf(c.Shape(2) == 0, http.StatusNotFound, "", "there is no %s with %s %s", resource, parameter, value)
	return map[string]any{"errors": []any{missing(resource, parameter, value)}}
}

// idRequest names a user or a post.
type idRequest struct {
	ID    string     `path:"id" open:"an identifier"`
	Query url.Values `query:"*"`
}

// most reads max_results. What cannot be read, or lies beyond a hundred, means ten
// or a hundred.
func (in idRequest) most() *int {
	n, err := strconv.Atoi(in.Query.Get("max_results"))
	if err != nil || n < 0 {
		return nil
	}
	return new(min(n, 100))
}

// time reads a time, nil if there is none to be read.
func (in idRequest) time(name string) *instant {
	var t instant
	if t.UnmarshalText([]byte(in.Query.Get(name))) != nil {
		return nil
	}
	return &t
}

// postsOf lists a user's posts of any age, newest first.
func (b *Service) postsOf(c *kit.Call, in idRequest) any {
	b.capped(c)
	b.grow()
	author := kit.Find(b.users, func(u *user) bool { return u.id == in.ID })
	if author == nil || author.gone {
		return b.missing(c, "user", "id", in.ID)
	}
	token := cmp.Or(in.Query.Get("pagination_token"), in.Query.Get("next_token")) // two names for it
	start, end := in.time("start_time"), in.time("end_time")
	page, next := b.page("posts of "+in.ID, token, in.most(), func() []*post {
		return b.find(func(p *post) bool {
			return p.author == author &&
				(start == nil || !p.created.Before(start.Time)) &&
				(end == nil || p.created.Before(end.Time))
		})
	})
	return b.postList(page, next, listed(in.Query.Get("post.fields")), listed(in.Query.Get("user.fields")),
		in.Query.Get("expansions") != "")
}

func (b *Service) lookUpPost(c *kit.Call, in idRequest) any {
	b.capped(c)
	b.grow()
	p := b.post(in.ID)
	if p == nil {
		return b.missing(c, "post", "id", in.ID)
	}
	b.read(1)
	expand := in.Query.Get("expansions") != ""
	a := map[string]any{"data": p.answer(listed(in.Query.Get("post.fields")), expand)}
	if expand {
		b.expand(a, []*post{p}, listed(in.Query.Get("user.fields")))
	}
	return a
}
