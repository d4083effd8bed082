package socialsearch_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// madeUp is a deployment where posts are chirps.
var madeUp = wiretest.Words{
	Headers:  map[string]string{"x-rate-limit-remaining": "x-acme-left", "x-rate-limit-reset": "x-acme-until"},
	Segments: map[string]string{"posts": "chirps"},
	Query:    map[string]string{"post.fields": "chirp.fields", "max_results": "count"},
	Keys: map[string]string{
		"repost_count": "rechirp_count", "post_count": "chirp_count", "public_metrics": "public_numbers", "next_token": "next_page",
	},
	Values: map[string]map[string]string{
		"post.fields": {"public_metrics": "public_numbers"},
		"is":          {"repost": "rechirp"}, "has": {"media": "is"},
		"sort_order": {"recency": "newest"},
	},
}

// speaker is a client of a server that answers in live words, and the server.
func speaker(t *testing.T, status int, reply string, header ...string) (*socialsearch.Client, *wiretest.Server) {
	t.Helper()
	server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, reply)
	})
	c, err := socialsearch.New(socialsearch.Config{
		BaseURL: server.URL, BearerToken: walletfi.NewSecret("b-123456"),
		Options: walletfi.Options{Deployment: madeUp.Of("socialsearch"), Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
	})
	require.NoError(t, err)
	return c, server
}

// spoken is an answer to a search in live words.
func spoken(t *testing.T) string {
	t.Helper()
	live := strings.NewReplacer(
		`"repost_count":`, `"rechirp_count":`, `"public_metrics":`, `"public_numbers":`, `"next_token":`, `"next_page":`,
		`"following_count": 0`, `"following_count": 0, "chirp_count": 12`,
	).Replace(wiretest.File(t, "SearchRecent.json"))
	require.Contains(t, live, "chirp_count")
	return live
}

func TestDeployment(t *testing.T) {
	c, server := speaker(t, 200, spoken(t))
	page, err := c.SearchRecent(t.Context(), socialsearch.SearchRequest{
		Query: socialsearch.NewQuery(socialsearch.Keyword("repost"), socialsearch.IsRepost().Not(), socialsearch.HasMedia()),
		Limit: new(20), SortOrder: socialsearch.SortRecency,
		PostFields: []socialsearch.PostField{socialsearch.PostCreatedAt, socialsearch.PostPublicMetrics},
		Expansions: []socialsearch.Expansion{socialsearch.ExpandAuthor},
	})
	require.NoError(t, err)
	sent := server.Requests()[0]
	require.Equal(t, "/2/chirps/search/recent?chirp.fields=created_at%2Cpublic_numbers&count=20&expansions=author_id"+
		"&query=repost+-is%3Arechirp+has%3Ais&sort_order=newest", sent.Target)
	require.Equal(t, "Bearer b-123456", sent.Header.Get("Authorization"))

	checkPage(t, page)
	require.Contains(t, page.Raw.String(), `"next_token": "t2"`, "in the words that it is restored with")
	require.Equal(t, int64(12), *page.Items[0].Author.PublicMetrics.PostCount)
	require.Contains(t, page.Items[0].Raw.String(), `"repost_count": 3`, "in the words that Decode is used with")
}

// TestDeploymentOfQueries: the service's words in a query are translated, those
// of the caller are not.
func TestDeploymentOfQueries(t *testing.T) {
	is := socialsearch.IsRepost()
	for want, query := range map[string]socialsearch.Query{
		"is:rechirp":                   socialsearch.NewQuery(is),
		"-is:rechirp":                  socialsearch.NewQuery(is.Not()),
		"is:reply OR is:rechirp":       socialsearch.NewQuery(socialsearch.IsReply(), socialsearch.Or, is),
		`"is:repost" repost #repost`:   socialsearch.NewQuery(socialsearch.Phrase("is:repost"), socialsearch.Keyword("repost"), socialsearch.Hashtag("repost")),
		"from:repost has:links has:is": socialsearch.NewQuery(socialsearch.From("repost"), socialsearch.HasLinks(), socialsearch.HasMedia()),
		"is:repost":                    socialsearch.RawQuery("is:repost"),
	} {
		c, server := speaker(t, 200, `{"data":[]}`)
		written := query.String()
		require.NoError(t, wiretest.Error(c.SearchRecent(t.Context(), socialsearch.SearchRequest{Query: query})))
		target, err := url.Parse(server.Requests()[0].Target)
		require.NoError(t, err)
		require.Equal(t, want, target.Query().Get("query"))
		require.Equal(t, written, query.String(), "the caller's query stays")
	}
}

// TestDeploymentCountsWhatIsSent: the service counts the words that it gets.
func TestDeploymentCountsWhatIsSent(t *testing.T) {
	c, server := speaker(t, 200, `{"data":[]}`)
	query := socialsearch.NewQuery(socialsearch.Keyword(strings.Repeat("a", 1024-len(" is:repost"))), socialsearch.IsRepost())
	require.Equal(t, 1024, query.Len())
	require.NoError(t, query.Err())
	_, err := c.SearchRecent(t.Context(), socialsearch.SearchRequest{Query: query})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest, "is:rechirp is longer")
	require.Empty(t, server.Requests())
}

func TestDeploymentOfLookups(t *testing.T) {
	const user = `{"data":{"id":"u1","public_numbers":{"chirp_count":7}}}`
	c, server := speaker(t, 200, user)
	found, err := c.GetUserByUsername(t.Context(), "posts", walletfi.WithQuery("post.fields", "public_metrics"))
	require.NoError(t, err)
	require.Equal(t, "/2/users/by/username/posts?chirp.fields=public_numbers", server.Requests()[0].Target)
	require.Equal(t, int64(7), *found.User.PublicMetrics.PostCount)
	require.Equal(t, `{"data":{"id":"u1","public_metrics":{"post_count":7}}}`, found.Raw.String())

	c, server = speaker(t, 200, `{"data":{"id":"1","public_numbers":{"rechirp_count":3}}}`)
	post, err := c.GetPost(t.Context(), "1")
	require.NoError(t, err)
	require.Equal(t, "/2/chirps/1", server.Requests()[0].Target)
	require.Equal(t, int64(3), *post.Post.PublicMetrics.RepostCount)

	c, server = speaker(t, 200, `{"data":[{"id":"1"}],"meta":{"next_page":""}}`)
	for _, err := range wiretest.Some(t, c.AllUserPosts(t.Context(), "u1", socialsearch.UserPostsRequest{Limit: new(10)})) {
		require.NoError(t, err)
	}
	require.Equal(t, "/2/users/u1/chirps?count=10", server.Requests()[0].Target)
}

// TestDeploymentOfLimits: a usage cap is told from a rate limit by a header,
// whatever its name.
func TestDeploymentOfLimits(t *testing.T) {
	c, _ := speaker(t, 429, `{"title":"no"}`, "X-Acme-Left", "5")
	require.ErrorIs(t, wiretest.Error(c.GetPost(t.Context(), "1")), socialsearch.ErrUsageCap)

	c, _ = speaker(t, 429, `{"title":"no"}`, "X-Acme-Left", "0", "X-Acme-Until", "946684809", "Date", "Sat, 01 Jan 2000 00:00:00 GMT")
	_, err := c.GetPost(t.Context(), "1")
	require.NotErrorIs(t, err, socialsearch.ErrUsageCap)
	limited := wiretest.As[*walletfi.ResponseError](t, err)
	require.ErrorIs(t, err, walletfi.ErrRateLimited)
	require.Equal(t, "9s", limited.RetryAfter.String())
}
