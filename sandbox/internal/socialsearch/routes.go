// Package socialsearch is the post search of the sandbox.
package socialsearch

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Service is the post search: a corpus that grows with the clock, and the cost
// of the reads.
type Service struct {
	*kit.Core
	userToken string // a user's, not an app's
	start     time.Time
	added     int // posts so far
	made      int // how many posts the corpus has made up
	posts     []*post
	users     []*user
	cursors   *kit.Shelf[string, *cursor] // by token
	usage     play.SocialUsage
	cap       int // posts that may yet be read, negative if there is no cap
}

// New makes the service and its specification for the kit.
func New(c *kit.Core) (*Service, *kit.Spec) {
	b := &Service{
		Core: c, start: c.Now().Add(-past), cap: -1,
		cursors:   kit.NewShelf[string, *cursor](c, cursorLife, mostCursors),
		userToken: fmt.Sprintf("sandbox-socialsearch-user-%016x", c.Random()),
	}
	c.AddKey(play.SocialSearch, b.userToken)
	b.openUsers()
	return b, &kit.Spec{
		Name: play.SocialSearch, Auth: kit.Bearer, Budgets: b.budgets, LimitHeader: kit.LimitHeaders("X-Rate-Limit"),
		Envelope: envelope, Routes: b.routes(),
	}
}

// The routes that have a limit of their own.
const (
	recent    = "search"
	userRoute = "user lookup"
	userPosts = "user posts"
)

func (b *Service) routes() []kit.Route {
	return []kit.Route{
		{Method: "GET", Path: "/2/posts/search/recent", Class: recent, Endpoint: kit.Handle(b.search)},
		{Method: "GET", Path: "/2/users/by/username/{username}", Class: userRoute, Endpoint: kit.Handle(b.lookUpUser)},
		{Method: "GET", Path: "/2/users/{id}/posts", Class: userPosts, Endpoint: kit.Handle(b.postsOf)},
		{Method: "GET", Path: "/2/posts/{id}", Endpoint: kit.Handle(b.lookUpPost)},
	}
}

// budgets differ by the kind of token for the search. The single post has none
// that is documented.
func (b *Service) budgets(c *kit.Call) []kit.Budget {
	const window = 15 * time.Minute
	switch c.Route.Class {
	case recent:
		if c.Credential == b.userToken {
			return []kit.Budget{{N: 300, Window: window}}
		}
		return []kit.Budget{{N: 450, Window: window}}
	case userRoute:
		return []kit.Budget{{N: 300, Window: window}}
	case userPosts:
		return []kit.Budget{{N: 1500, Window: window}}
	}
	return nil
}

// envelope writes a refusal in one of two ways: neither is
// documented.
func envelope(c *kit.Call, f *kit.Failure) kit.Reply {
	if c.Turn("socialsearch errors", 2) == 0 {
		return kit.Reply{Body: map[string]any{
			"title": cmp.Or(f.Code, http.StatusText(f.Status)), "detail": f.Message, "status": f.Status, "type": "about:blank",
		}}
	}
	return kit.Reply{Body: map[string]any{"errors": []map[string]string{{"message": f.Message}}}}
}

// UserToken does what sandbox.SocialSearchHandle.UserToken says.
func (b *Service) UserToken() string { return kit.Under(b, func() string { return b.userToken }) }

// Usage does what sandbox.SocialSearchHandle.Usage says.
func (b *Service) Usage() play.SocialUsage {
	return kit.Under(b, func() play.SocialUsage { return b.usage })
}

// CapUsage does what sandbox.SocialSearchHandle.CapUsage says.
func (b *Service) CapUsage(posts int) { b.Locked(func() { b.cap = posts }) }

// capped refuses a request if the cap is used up.
func (b *Service) capped(c *kit.Call) {
	if b.cap != 0 {
		return
	}
	f := &kit.Failure{
		Status:  http.StatusTooManyRequests,
		Code:    "UsageCapExceeded",
		Message: "the cap on posts read is used up",
		Header:  http.Header{},
	}
	if c.Limit == nil {
		f.Header.Set("X-Rate-Limit-Remaining", "1")
	}
	panic(f)
}

// read counts posts that are answered, as many as the cap lets through.
func (b *Service) read(posts int) {
	b.usage.PostsRead += posts
	if b.cap >= 0 {
		b.cap = max(0, b.cap-posts)
	}
}
