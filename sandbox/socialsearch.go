package sandbox

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// socialSearch is the post search's side: a corpus that grows with the clock,
// and what reading it has cost.
type socialSearch struct {
	*Sandbox
	userToken string // of the kind that stands for a user
	start     time.Time
	made      int // how many posts the corpus has made up
	posts     []*socialSearchPost
	users     []*socialSearchUser
	cursors   map[string]*socialSearchCursor // by token
	usage     SocialUsage
	cap       int // posts that may yet be read, negative where there is no cap
}

func newSocialSearch(s *Sandbox) *service {
	b := &socialSearch{
		Sandbox: s, start: s.now().Add(-socialSearchPast), cap: -1,
		cursors:   map[string]*socialSearchCursor{},
		userToken: fmt.Sprintf("sandbox-socialsearch-user-%016x", s.random()),
	}
	s.socialSearch = b
	s.addKey(SocialSearch, b.userToken)
	b.openUsers()
	return &service{
		name: SocialSearch, auth: bearer, budgets: b.budgets, limitHeader: socialSearchLimitHeader,
		envelope: socialSearchEnvelope, routes: b.routes(),
	}
}

// The routes that have a limit of their own.
const (
	socialSearchRecent    = "search"
	socialSearchUserRoute = "user lookup"
	socialSearchUserPosts = "user posts"
)

func (b *socialSearch) routes() []route {
	return []route{
		{method: "GET", path: "/2/posts/search/recent", class: socialSearchRecent, endpoint: handle(b.search)},
		{method: "GET", path: "/2/users/by/username/{username}", class: socialSearchUserRoute, endpoint: handle(b.lookUpUser)},
		{method: "GET", path: "/2/users/{id}/posts", class: socialSearchUserPosts, endpoint: handle(b.postsOf)},
		{method: "GET", path: "/2/posts/{id}", endpoint: handle(b.lookUpPost)},
	}
}

// budgets differ by the kind of token for the search. The single post has none
// that is documented.
func (b *socialSearch) budgets(c *call) []budget {
	const window = 15 * time.Minute
	switch c.route.class {
	case socialSearchRecent:
		if c.credential == b.userToken {
			return []budget{{300, window}}
		}
		return []budget{{450, window}}
	case socialSearchUserRoute:
		return []budget{{300, window}}
	case socialSearchUserPosts:
		return []budget{{1500, window}}
	}
	return nil
}

// socialSearchLimitHeader rounds the reset up: a whole second too early would
// be refused.
func socialSearchLimitHeader(h http.Header, state limitState) {
	h.Set("X-Rate-Limit-Limit", strconv.Itoa(state.Limit))
	h.Set("X-Rate-Limit-Remaining", strconv.Itoa(state.Remaining))
	h.Set("X-Rate-Limit-Reset", strconv.FormatInt(state.Reset.Add(time.Second-1).Unix(), 10))
}

// socialSearchEnvelope writes a refusal in one of two ways: neither is
// documented.
func socialSearchEnvelope(c *call, f *failure) reply {
	if c.turn("socialsearch errors", 2) == 0 {
		return reply{body: map[string]any{
			"title": cmp.Or(f.Code, http.StatusText(f.Status)), "detail": f.Message, "status": f.Status, "type": "about:blank",
		}}
	}
	return reply{body: map[string]any{"errors": []map[string]string{{"message": f.Message}}}}
}

// SocialUserToken returns a bearer token of the post search that stands for a
// user. APIKey returns the one that stands for an app, whose searches are
// limited less.
func (s *Sandbox) SocialUserToken() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.socialSearch.userToken
}
