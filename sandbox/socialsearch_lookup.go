package sandbox

import (
	"net/http"
	"slices"
)

type socialSearchUserRequest struct {
	Username   string                 `path:"username"`
	UserFields socialSearchUserFields `query:"user.fields"`
}

func (b *socialSearch) lookUpUser(c *call, in socialSearchUserRequest) (any, error) {
	if !socialSearchUsername.MatchString(in.Username) {
		return nil, refuse(http.StatusBadRequest, "", "%q is no username", in.Username)
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

// missing says that something is not there: with 404, or under HTTP 200 with
// errors and no data, in turn. Which of the two is not documented.
func (b *socialSearch) missing(c *call, resource, parameter, value string) (any, error) {
	if c.shape(2) == 0 {
		return nil, refuse(http.StatusNotFound, "", "there is no %s with %s %s", resource, parameter, value)
	}
	return map[string]any{"errors": []any{socialSearchMissing(resource, parameter, value)}}, nil
}

type socialSearchPostsRequest struct {
	ID              string                 `path:"id"`
	MaxResults      *int                   `query:"max_results" min:"1" max:"100"`
	StartTime       *socialSearchInstant   `query:"start_time"`
	EndTime         *socialSearchInstant   `query:"end_time"`
	NextToken       string                 `query:"next_token"`
	PaginationToken string                 `query:"pagination_token"` // another name for it
	PostFields      socialSearchPostFields `query:"post.fields"`
	UserFields      socialSearchUserFields `query:"user.fields"`
	Expansions      socialSearchExpansions `query:"expansions"`
}

// postsOf lists a user's posts of any age, newest first.
func (b *socialSearch) postsOf(c *call, in socialSearchPostsRequest) (any, error) {
	if err := b.capped(c); err != nil {
		return nil, err
	}
	b.grow()
	at := slices.IndexFunc(b.users, func(u *socialSearchUser) bool { return u.id == in.ID })
	if at < 0 || b.users[at].gone {
		return b.missing(c, "user", "id", in.ID)
	}
	token := in.NextToken
	if in.PaginationToken != "" {
		token = in.PaginationToken
	}
	page, next, err := b.page("posts of "+in.ID, token, in.MaxResults, func() []*socialSearchPost {
		return b.find(func(p *socialSearchPost) bool {
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

type socialSearchPostRequest struct {
	ID         string                 `path:"id"`
	PostFields socialSearchPostFields `query:"post.fields"`
	UserFields socialSearchUserFields `query:"user.fields"`
	Expansions socialSearchExpansions `query:"expansions"`
}

func (b *socialSearch) lookUpPost(c *call, in socialSearchPostRequest) (any, error) {
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
		b.expand(a, []*socialSearchPost{p}, in.UserFields)
	}
	return a, nil
}
