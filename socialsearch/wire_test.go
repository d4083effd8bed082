package socialsearch_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// client is a client of base that repeats nothing and meters with m.
func client(t testing.TB, base string, m *socialsearch.Meter) *socialsearch.Client {
	t.Helper()
	return wiretest.Client(t, socialsearch.New, socialsearch.Config{
		BaseURL: base, BearerToken: walletfi.NewSecret("b-123456"), Spend: m, Options: wiretest.Once(),
	})
}

func unmetered(t testing.TB, base string) *socialsearch.Client { return client(t, base, nil) }

func TestWire(t *testing.T) {
	bearer := map[string]string{"Authorization": "Bearer b-123456", "x-api-key": ""}
	start := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	wiretest.Run(t, []wiretest.Case{{
		Name: "SearchRecent, everything",
		Call: wiretest.By(unmetered, (*socialsearch.Client).SearchRecent, socialsearch.SearchRequest{
			Query: socialsearch.NewQuery(socialsearch.Cashtag("SOL"), socialsearch.IsRepost().Not()),
			Limit: new(100), SortOrder: socialsearch.SortRelevancy,
			Start: start, End: start.Add(time.Hour), NextToken: "t1",
			PostFields: []socialsearch.PostField{socialsearch.PostCreatedAt, socialsearch.PostPublicMetrics},
			UserFields: []socialsearch.UserField{socialsearch.UserVerified},
			Expansions: []socialsearch.Expansion{socialsearch.ExpandAuthor},
		}),
		Method: "GET", Header: bearer,
		Target: "/2/posts/search/recent?end_time=" + url.QueryEscape(start.Add(time.Hour).UTC().Format(time.RFC3339)) +
			"&expansions=author_id&max_results=100&next_token=t1&post.fields=created_at%2Cpublic_metrics&query=%24SOL+-is%3Arepost" +
			"&sort_order=relevancy&start_time=" + url.QueryEscape(start.UTC().Format(time.RFC3339)) + "&user.fields=verified",
		File: "SearchRecent.json",
		Then: func(t *testing.T, result any) { checkPage(t, result.(*socialsearch.PostPage)) },
	}, {
		Name: "SearchRecent, least, nothing found",
		Call: wiretest.By(unmetered, (*socialsearch.Client).SearchRecent,
			socialsearch.SearchRequest{Query: socialsearch.RawQuery("gm")}),
		Method: "GET", Target: "/2/posts/search/recent?query=gm", Header: bearer, Reply: `{"meta":{"result_count":0}}`,
		Want: &socialsearch.PostPage{Meta: socialsearch.Meta{ResultCount: new(0)}, Raw: walletfi.Document(`{"meta":{"result_count":0}}`)},
	}, {
		Call: wiretest.By(unmetered, (*socialsearch.Client).GetUserByUsername,
			"a/b", walletfi.WithQuery("user.fields", "verified")),
		Method: "GET", Target: "/2/users/by/username/a%2Fb?user.fields=verified", Header: bearer,
		Reply: `{"data":{"id":"u1","username":"A/b","verified":true,"new":1}}`,
		Then: func(t *testing.T, result any) {
			a := result.(*socialsearch.UserAnswer)
			require.Equal(t, "A/b", a.User.Username)
			require.True(t, *a.User.Verified)
			require.Nil(t, a.User.PublicMetrics)
			require.Equal(t, `{"id":"u1","username":"A/b","verified":true,"new":1}`, a.User.Raw.String())
		},
	}, {
		Call: wiretest.By(unmetered, (*socialsearch.Client).ListUserPosts, "u1", socialsearch.UserPostsRequest{
			Limit: new(10), NextToken: "t1", TokenParam: "pagination_token",
		}, walletfi.WithQuery("exclude", "replies")),
		Method: "GET", Target: "/2/users/u1/posts?exclude=replies&max_results=10&pagination_token=t1", Header: bearer,
		Reply: `{"data":[{"id":"1"}],"meta":{"next_token":""}}`,
		Then:  func(t *testing.T, result any) { require.Len(t, result.(*socialsearch.PostPage).Items, 1) },
	}, {
		Name:   "GetPost, none",
		Call:   wiretest.By(unmetered, (*socialsearch.Client).GetPost, "1"),
		Method: "GET", Target: "/2/posts/1", Header: bearer, Reply: `{"errors":[{"title":"Not Found"}]}`,
		Err: func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrNotFound) },
	}})
}

func checkPage(t *testing.T, p *socialsearch.PostPage) {
	require.Len(t, p.Items, 2)
	first, second := p.Items[0], p.Items[1]
	require.Equal(t, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), first.CreatedAt.UTC())
	require.Equal(t, new(int64(0)), first.PublicMetrics.LikeCount, "a count of 0 is a count")
	require.Equal(t, new(int64(3)), first.PublicMetrics.RepostCount)
	require.Nil(t, first.PublicMetrics.ReplyCount)
	require.Nil(t, first.PublicMetrics.QuoteCount, "an absent count is not 0")
	require.Equal(t, "https://a.example", first.Entities.URLs[0].ExpandedURL)
	require.Equal(t, "bob", first.Entities.Mentions[0].Username)
	require.Equal(t, "sol", first.Entities.Hashtags[0].Tag)
	require.Equal(t, "ann", first.Author.Username)
	require.False(t, *first.Author.Verified)
	require.Equal(t, new(int64(18446744073709)), first.Author.PublicMetrics.FollowersCount)
	require.Contains(t, first.Raw.String(), `"lang": "en"`)
	require.Nil(t, second.Author, "the author is not included")
	require.Nil(t, second.PublicMetrics)
	require.Equal(t, "t2", p.Meta.NextToken)
	require.Len(t, p.Errors, 1)
	require.Contains(t, p.Raw.String(), "result_count")
}
