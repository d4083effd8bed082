package socialsearch

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// UserAnswer is the answer to a look-up of a user. Its shape is not documented: the
// fields are those of a user in a search, and all of the answer is in Raw. Without a user it is
// [walletfi.ErrNotFound] if the data is null, else [walletfi.ErrDecode].
type UserAnswer struct {
	User   *User               `json:"data"`   // never nil without an error
	Errors []walletfi.Document `json:"errors"` // read by Partial
	Raw    walletfi.Document   `json:"-"`
}

// GetUserByUsername looks up a user by name, without "@". It is billed as one
// look-up. The parameters are not documented: see [walletfi.WithQuery].
//
// GET /2/users/by/username/{username}.
func (c *Client) GetUserByUsername(
	ctx context.Context, username string, opts ...walletfi.CallOption,
) (*UserAnswer, error) {
	return bill(ctx, c, c.made().spend.lookup(), transport.Call{
		Op: "GetUserByUsername", Effect: transport.Read, Method: http.MethodGet,
		Answer: record, Class: ClassUsers,
		Echo: transport.Echo(func(a *UserAnswer) error {
			if a.User == nil {
				return errNothing
			}
			return echo.Name("data.username", username, a.User.Username)
		}),
		Path: transport.Path("/2/users/by/username/{username}", username),
	}, opts,
		func(a *UserAnswer, raw, _ walletfi.Document) { a.Raw, a.Errors = raw, errorsOf(raw, a.Errors) },
		func(*UserAnswer) int { return 1 })
}

// PostAnswer is the answer to a look-up of a post, like [UserAnswer].
type PostAnswer struct {
	Post     *Post               `json:"data"` // never nil without an error
	Includes Includes            `json:"includes"`
	Errors   []walletfi.Document `json:"errors"` // read by Partial
	Raw      walletfi.Document   `json:"-"`
}

// GetPost looks up a post. It is billed as one post read. The parameters are not
// documented: see [walletfi.WithQuery].
//
// GET /2/posts/{id}.
func (c *Client) GetPost(ctx context.Context, id string, opts ...walletfi.CallOption) (*PostAnswer, error) {
	return bill(ctx, c, c.made().spend.reads(1), transport.Call{
		Op: "GetPost", Effect: transport.Read, Method: http.MethodGet,
		Answer: record, Class: ClassPosts,
		Echo: transport.Echo(func(a *PostAnswer) error {
			if a.Post == nil {
				return errNothing
			}
			return echo.Text("data.id", id, a.Post.ID)
		}),
		Path: transport.Path("/2/posts/{id}", id),
	}, opts,
		func(a *PostAnswer, raw, _ walletfi.Document) { a.Raw, a.Errors = raw, errorsOf(raw, a.Errors) },
		func(*PostAnswer) int { return 1 })
}

// record declares the answer to a look-up. Its shape is not documented, but for what a search
// has under data. A null there is no record.
var record = transport.Says("data:object|data:null").Beside("errors", "data")

var errNothing = fmt.Errorf("field data: is null: %w", walletfi.ErrNotFound)

// UserPostsRequest selects a page of a user's posts. The parameters of the route
// are not documented: Limit and NextToken are sent under the names that the
// search has, if they are set. [walletfi.WithQuery] adds others.
type UserPostsRequest struct {
	Limit      *int   // posts per page, 10 to 100; nil means the service's default
	NextToken  string // of the page before; empty for the first
	TokenParam string // name of the token's parameter; empty means "next_token"
}

// ListUserPosts returns one page of a user's posts. It is billed per post.
//
// GET /2/users/{id}/posts.
func (c *Client) ListUserPosts(
	ctx context.Context, userID string, req UserPostsRequest, opts ...walletfi.CallOption,
) (*PostPage, error) {
	most := maxResults // the service's default is not documented: the most it can be
	if req.Limit != nil {
		most = *req.Limit
	}
	return c.page(ctx, transport.Call{
		Op: "ListUserPosts", Effect: transport.Read, Method: http.MethodGet,
		Answer: onePage, Class: ClassUserPosts,
		Echo: transport.Echo(func(page *PostPage) error {
			return echo.Each(page.Items, func(p Post) error { return echo.Text("data.author_id", userID, p.AuthorID) })
		}),
		Path: transport.Path("/2/users/{id}/posts", userID), Query: req.query(),
		Parameters: []string{"max_results", req.tokenParam()}, Invalid: req.problem(),
	}, most, opts)
}

// AllUserPosts iterates over a user's posts, one page per request, as
// [Client.AllSearchRecent] does. It passes over what a page says that it lacks: see
// [PostPage.Partial].
func (c *Client) AllUserPosts(
	ctx context.Context, userID string, req UserPostsRequest, opts ...walletfi.CallOption,
) iter.Seq2[Post, error] {
	return paging.Tokens(req.NextToken, func(token string) ([]Post, string, error) {
		req := req
		req.NextToken = token
		return posts(c.ListUserPosts(ctx, userID, req, opts...))
	})
}

func (r UserPostsRequest) tokenParam() string { return cmp.Or(r.TokenParam, "next_token") }

func (r UserPostsRequest) query() url.Values {
	q := url.Values{}
	if r.Limit != nil {
		q.Set("max_results", strconv.Itoa(*r.Limit))
	}
	if r.NextToken != "" {
		q.Set(r.tokenParam(), r.NextToken)
	}
	return q
}

func (r UserPostsRequest) problem() error {
	return resultsProblem(r.Limit)
}
