package socialsearch

import (
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type userRequest struct {
	Username   string     `path:"username"`
	UserFields userFields `query:"user.fields"`
}

func (b *Service) lookUpUser(c *kit.Call, in userRequest) (any, error) {
	if !username.MatchString(in.Username) {
		return nil, kit.Refuse(http.StatusBadRequest, "", "%q is not a username", in.Username)
	}
	if err := b.capped(c); err != nil {
		return nil, err
	}
	b.grow()
	u := b.user(in.Username)
	if u == nil || u.gone {
		return b.missing(c, "user", "username", in.Username)
	}
	b.usage.UserLookups++
	return map[string]any{"data": b.userAnswer(u, in.UserFields)}, nil
}

// missing reports that a user or post does not exist, alternately with 404 and
// with errors under HTTP 200: the documentation does not say which.
func (b *Service) missing(c *kit.Call, resource, parameter, value string) (any, error) {
	if c.Shape(2) == 0 {
		return nil, kit.Refuse(http.StatusNotFound, "", "there is no %s with %s %s", resource, parameter, value)
	}
	return map[string]any{"errors": []any{missing(resource, parameter, value)}}, nil
}

type postsRequest struct {
	ID              string     `path:"id"`
	MaxResults      *int       `query:"max_results" min:"1" max:"100"`
	StartTime       *instant   `query:"start_time"`
	EndTime         *instant   `query:"end_time"`
	NextToken       string     `query:"next_token"`
	PaginationToken string     `query:"pagination_token"` // another name for it
	PostFields      postFields `query:"post.fields"`
	UserFields      userFields `query:"user.fields"`
	Expansions      expansions `query:"expansions"`
}

// postsOf lists a user's posts of any age, newest first.
func (b *Service) postsOf(c *kit.Call, in postsRequest) (any, error) {
	if err := b.capped(c); err != nil {
		return nil, err
	}
	b.grow()
	at := slices.IndexFunc(b.users, func(u *user) bool { return u.id == in.ID })
	if at < 0 || b.users[at].gone {
		return b.missing(c, "user", "id", in.ID)
	}
	token := in.NextToken
	if in.PaginationToken != "" {
		token = in.PaginationToken
	}
	page, next, err := b.page("posts of "+in.ID, token, in.MaxResults, func() []*post {
		return b.find(func(p *post) bool {
			return p.author == b.users[at] &&
				(in.StartTime == nil || !p.created.Before(in.StartTime.Time)) &&
				(in.EndTime == nil || p.created.Before(in.EndTime.Time))
		})
	})
	if err != nil {
		return nil, err
	}
	return b.postList(page, next, in.PostFields, in.UserFields, len(in.Expansions) > 0), nil
}

type postRequest struct {
	ID         string     `path:"id"`
	PostFields postFields `query:"post.fields"`
	UserFields userFields `query:"user.fields"`
	Expansions expansions `query:"expansions"`
}

func (b *Service) lookUpPost(c *kit.Call, in postRequest) (any, error) {
	if err := b.capped(c); err != nil {
		return nil, err
	}
	b.grow()
	p := b.post(in.ID)
	if p == nil {
		return b.missing(c, "post", "id", in.ID)
	}
	b.read(1)
	expand := len(in.Expansions) > 0
	a := map[string]any{"data": p.answer(in.PostFields, expand)}
	if expand {
		b.expand(a, []*post{p}, in.UserFields)
	}
	return a, nil
}
