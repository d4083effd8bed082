package socialsearch

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// SortOrder is the order of the posts.
type SortOrder string

// The orders.
const (
	SortRecency   SortOrder = "recency"
	SortRelevancy SortOrder = "relevancy"
)

// PostField is a field of posts to ask for beyond id and text.
type PostField string

// The post fields.
const (
	PostCreatedAt      PostField = "created_at"
	PostPublicMetrics  PostField = "public_metrics"
	PostAuthorID       PostField = "author_id"
	PostConversationID PostField = "conversation_id"
	PostEntities       PostField = "entities"
)

// UserField is a field of users to ask for.
type UserField string

// The user fields.
const (
	UserUsername      UserField = "username"
	UserName          UserField = "name"
	UserVerified      UserField = "verified"
	UserPublicMetrics UserField = "public_metrics"
	UserCreatedAt     UserField = "created_at"
)

// Expansion names records to include with the posts.
type Expansion string

// ExpandAuthor includes the posts' authors.
const ExpandAuthor Expansion = "author_id"

const (
	defaultResults = 10
	maxResults     = 100
	searchable     = 7 * 24 * time.Hour
)

// SearchRequest selects a page of posts of the last seven days.
type SearchRequest struct {
	Query     Query     // required; at most 1,024 characters
	Limit     *int      // posts per page, 10 to 100; nil means 10; the service bills at least 10
	SortOrder SortOrder // empty means the service's default
	// Start is at most seven days ago; zero means seven days ago. Up to an hour
	// more, as time.Now().AddDate(0, 0, -7) is when the clocks change, counts as seven
	// days.
	Start      time.Time
	End        time.Time   // zero means now
	NextToken  string      // of the page before; empty for the first
	PostFields []PostField // beyond id and text
	UserFields []UserField // of included users
	Expansions []Expansion // ExpandAuthor, or none
}

type searchQuery struct {
	Query      string      `url:"query"`
	MaxResults *int        `url:"max_results,omitempty"`
	SortOrder  SortOrder   `url:"sort_order,omitempty"`
	StartTime  string      `url:"start_time,omitempty"`
	EndTime    string      `url:"end_time,omitempty"`
	NextToken  string      `url:"next_token,omitempty"`
	PostFields []PostField `url:"post.fields,comma,omitempty"`
	UserFields []UserField `url:"user.fields,comma,omitempty"`
	Expansions []Expansion `url:"expansions,comma,omitempty"`
}

const searchRecent = "/2/posts/search/recent"

// SearchRecent returns one page of the posts that match. It is billed per post.
//
// GET /2/posts/search/recent.
func (c *Client) SearchRecent(ctx context.Context, req SearchRequest, opts ...walletfi.CallOption) (*PostPage, error) {
	req.Query = req.Query.live(c.made().t.Dialect().Operation(http.MethodGet, searchRecent))
	most, now := defaultResults, c.made().t.Now()
	if req.Limit != nil {
		most = *req.Limit
	}
	return c.page(ctx, transport.Call{
		Op: "SearchRecent", Effect: transport.Read, Method: http.MethodGet,
		Answer: onePage, Class: ClassSearch,
		Path: transport.Path(searchRecent), Query: req.query(now), Invalid: req.problem(now),
	}, most, opts)
}

// AllSearchRecent iterates over the posts that match, one page per request. A page may be
// empty and still name a next one. The iteration ends at the first error, if there
// is no next page, and if the service repeats a page.
func (c *Client) AllSearchRecent(
	ctx context.Context, req SearchRequest, opts ...walletfi.CallOption,
) iter.Seq2[Post, error] {
	return paging.Tokens(req.NextToken, func(token string) ([]Post, string, error) {
		req := req
		req.NextToken = token
		return posts(c.SearchRecent(ctx, req, opts...))
	})
}

// posts returns the parts of a page that an iterator needs.
func posts(page *PostPage, err error) ([]Post, string, error) {
	if page == nil {
		return nil, "", err
	}
	return page.Items, page.Meta.NextToken, err
}

// onePage declares a page of posts. One without a list counts none: see page.
var onePage = transport.Says("data:list|meta.result_count:number").Beside("errors", "data")

// page runs a call that answers with posts.
func (c *Client) page(
	ctx context.Context, call transport.Call, most int, opts []walletfi.CallOption,
) (*PostPage, error) {
	var body []byte
	call.Read = func(b []byte) { body = b }
	held := call.Echo
	call.Echo = transport.Echo(func(p *PostPage) error {
		count := p.Meta.ResultCount
		hasNone := read(body, 0) == 0
		switch {
		case hasNone && count != nil && *count > 0:
			return fmt.Errorf("field data: no posts, and meta.result_count is %d", *count)
		case hasNone && count == nil && p.Items == nil:
			return errors.New("field data: no posts, and meta.result_count is no count")
		}
		if held == nil {
			return nil
		}
		return held(p)
	})
	charge := c.made().spend.reads(most)
	return bill(ctx, c, charge, call, opts, (*PostPage).join, func(*PostPage) int { return read(body, most) })
}

func (r SearchRequest) query(now time.Time) searchQuery {
	return searchQuery{
		r.Query.text, r.Limit, r.SortOrder, instant(searchableFrom(r.Start, now)), instant(r.End), r.NextToken,
		r.PostFields, r.UserFields, r.Expansions,
	}
}

// travel is how long a request is on its way at most: what is seven days ago now
// is more when the service reads it.
const travel = 30 * time.Second

// searchableFrom moves a start at the edge of the seven days to where the service
// takes it.
func searchableFrom(start, now time.Time) time.Time {
	if first := now.Add(travel - searchable); !start.IsZero() && start.Before(first) {
		return first
	}
	return start
}

func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func (r SearchRequest) problem(now time.Time) error {
	return check.All(
		r.Query.problem(),
		resultsProblem(r.Limit),
		check.OptionalOneOf("sort_order", r.SortOrder, SortRecency, SortRelevancy),
		check.That(r.Start.IsZero() || now.Sub(r.Start) <= searchable+time.Hour, "start_time",
			"must be within the last seven days"),
		check.Ordered("start_time", r.Start, "end_time", r.End),
		check.Each("post.fields", r.PostFields, func(field string, f PostField) error {
			return check.OneOf(field, f, PostCreatedAt, PostPublicMetrics, PostAuthorID, PostConversationID, PostEntities)
		}),
		check.Each("user.fields", r.UserFields, func(field string, f UserField) error {
			return check.OneOf(field, f, UserUsername, UserName, UserVerified, UserPublicMetrics, UserCreatedAt)
		}),
		check.Each("expansions", r.Expansions, func(field string, e Expansion) error {
			return check.OneOf(field, e, ExpandAuthor)
		}),
	)
}

func resultsProblem(n *int) error {
	return check.That(n == nil || defaultResults <= *n && *n <= maxResults, "max_results",
		fmt.Sprintf("must be %d to %d; fewer would be billed as %d", defaultResults, maxResults, defaultResults))
}
