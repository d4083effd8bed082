package routes

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/socialsearch"
)

func init() { reach[sandbox.SocialSearch], documented[sandbox.SocialSearch] = reachSocialSearch, 4 }

// wholePosts asks for all that a post and its author have.
var wholePosts = socialsearch.SearchRequest{
	PostFields: []socialsearch.PostField{
		socialsearch.PostCreatedAt, socialsearch.PostPublicMetrics, socialsearch.PostAuthorID, socialsearch.PostConversationID, socialsearch.PostEntities,
	},
	UserFields: []socialsearch.UserField{
		socialsearch.UserUsername, socialsearch.UserName, socialsearch.UserVerified, socialsearch.UserPublicMetrics, socialsearch.UserCreatedAt,
	},
	Expansions: []socialsearch.Expansion{socialsearch.ExpandAuthor},
}

func socialClient(t *testing.T, s *sandbox.Sandbox, budget socialsearch.Cost, options walletfi.Options) (*socialsearch.Client, *socialsearch.Meter) {
	t.Helper()
	meter, err := socialsearch.NewMeter(socialsearch.MeterConfig{Budget: budget})
	require.NoError(t, err)
	c, err := socialsearch.New(socialsearch.Config{
		BaseURL: s.URL(sandbox.SocialSearch), BearerToken: walletfi.NewSecret(s.APIKey(sandbox.SocialSearch)), TokenKind: socialsearch.TokenApp,
		Spend: meter, Options: options,
	})
	require.NoError(t, err)
	return c, meter
}

// requireBilled holds the meter to what the service would bill.
func requireBilled(t *testing.T, s *sandbox.Sandbox, meter *socialsearch.Meter) {
	t.Helper()
	require.Equal(t, socialsearch.Cost(s.SocialSearch().Usage().Cost())*1000, meter.Spent(), "%v", s.SocialSearch().Usage())
	require.NotZero(t, meter.Spent())
}

func reachSocialSearch(t *testing.T, s *sandbox.Sandbox) {
	c, meter := socialClient(t, s, 0, flows.Options(s))
	ids := socialPosts(t, s)
	searchOperators(t, s, c, ids)
	searchFields(t, s, c, ids)
	searchPages(t, s, c)
	lookUps(t, c, ids)
	requireBilled(t, s, meter)
	missingSocial(t, c)
	require.GreaterOrEqual(t, meter.Spent(), socialsearch.Cost(s.SocialSearch().Usage().Cost())*1000, "whether a miss is billed is not documented")
}

// socialPosts adds posts with a word that no others have.
func socialPosts(t *testing.T, s *sandbox.Sandbox) map[string]string {
	t.Helper()
	ids := map[string]string{}
	add := func(name string, p sandbox.SocialPost) {
		if p.Author == "" {
			p.Author = "annazebra"
		}
		p.CreatedAt = s.Now().Add(-time.Duration(60-len(ids)) * time.Minute)
		id, err := s.SocialSearch().AddPost(p)
		require.NoError(t, err)
		ids[name] = id
	}
	add("plain", sandbox.SocialPost{Text: "zebra crossing ahead", LikeCount: 3})
	add("other", sandbox.SocialPost{Author: "benzebra", Text: "@annazebra zebra $ZBR #zebras https://docs.zebra.example/x", RepostCount: 2})
	add("reply", sandbox.SocialPost{Author: "benzebra", Text: "@annazebra crossing the zebra", InReplyTo: ids["plain"], Media: true})
	add("repost", sandbox.SocialPost{Text: "zebra again", Repost: true})
	add("german", sandbox.SocialPost{Text: "Das Zebra „Börse“", Lang: "de"})
	return ids
}

func searchOperators(t *testing.T, s *sandbox.Sandbox, c *socialsearch.Client, ids map[string]string) {
	zebra := socialsearch.Keyword("zebra")
	for name, row := range map[string]struct {
		terms []socialsearch.Term
		want  []string // newest first
	}{
		"keyword":      {[]socialsearch.Term{zebra}, []string{"german", "repost", "reply", "other", "plain"}},
		"two keywords": {[]socialsearch.Term{zebra, socialsearch.Keyword("crossing")}, []string{"reply", "plain"}},
		"phrase":       {[]socialsearch.Term{socialsearch.Phrase("zebra crossing")}, []string{"plain"}},
		"phrase, not":  {[]socialsearch.Term{zebra, socialsearch.Phrase("zebra crossing").Not()}, []string{"german", "repost", "reply", "other"}},
		"or":           {[]socialsearch.Term{socialsearch.Hashtag("zebras"), socialsearch.Or, socialsearch.Phrase("zebra again")}, []string{"repost", "other"}},
		"from":         {[]socialsearch.Term{socialsearch.From("benzebra")}, []string{"reply", "other"}},
		"from, not":    {[]socialsearch.Term{zebra, socialsearch.From("annazebra").Not()}, []string{"reply", "other"}},
		"to":           {[]socialsearch.Term{zebra, socialsearch.To("annazebra")}, []string{"reply"}},
		"is:repost":    {[]socialsearch.Term{zebra, socialsearch.IsRepost()}, []string{"repost"}},
		"-is:repost":   {[]socialsearch.Term{zebra, socialsearch.IsRepost().Not()}, []string{"german", "reply", "other", "plain"}},
		"is:reply":     {[]socialsearch.Term{zebra, socialsearch.IsReply()}, []string{"reply"}},
		"has:links":    {[]socialsearch.Term{zebra, socialsearch.HasLinks()}, []string{"other"}},
		"has:media":    {[]socialsearch.Term{zebra, socialsearch.HasMedia()}, []string{"reply"}},
		"url":          {[]socialsearch.Term{socialsearch.URL("docs.zebra.example")}, []string{"other"}},
		"lang":         {[]socialsearch.Term{zebra, socialsearch.Lang("de")}, []string{"german"}},
		"conversation": {[]socialsearch.Term{socialsearch.ConversationID(ids["plain"])}, []string{"reply", "plain"}},
		"cashtag":      {[]socialsearch.Term{socialsearch.Cashtag("ZBR")}, []string{"other"}},
		"hashtag":      {[]socialsearch.Term{socialsearch.Hashtag("zebras")}, []string{"other"}},
		"not ASCII":    {[]socialsearch.Term{socialsearch.Keyword("börse"), zebra}, []string{"german"}},
		"nothing":      {[]socialsearch.Term{socialsearch.Keyword("okapi")}, nil},
	} {
		page, err := c.SearchRecent(t.Context(), socialsearch.SearchRequest{Query: socialsearch.NewQuery(row.terms...)})
		require.NoError(t, err, name)
		var want, got []string
		for _, post := range row.want {
			want = append(want, ids[post])
		}
		for _, post := range page.Items {
			got = append(got, post.ID)
		}
		require.Equal(t, want, got, name)
		require.Equal(t, new(len(want)), page.Meta.ResultCount, name)
		require.Empty(t, page.Meta.NextToken, name)
	}
	raw, err := c.SearchRecent(t.Context(), socialsearch.SearchRequest{Query: socialsearch.RawQuery(`"zebra crossing" -is:` + liveValue(s, sandbox.SocialSearch, "is", "reply"))})
	require.NoError(t, err)
	require.Len(t, raw.Items, 1)
}

// TestSearchRefusesAQuery is apart from the other calls, since the sandbox lists a
// query that nobody can read.
func TestSearchRefusesAQuery(t *testing.T) {
	s := flows.Start(t, sandbox.Config{ManualClock: true})
	c, err := socialsearch.New(socialsearch.Config{BaseURL: s.URL(sandbox.SocialSearch), BearerToken: walletfi.NewSecret(s.APIKey(sandbox.SocialSearch))})
	require.NoError(t, err)
	_, err = c.SearchRecent(t.Context(), socialsearch.SearchRequest{Query: socialsearch.RawQuery("zebra OR")})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest, "what binds nothing is the service's affair to refuse")
	require.Len(t, s.Violations(), 1)
}

func searchFields(t *testing.T, s *sandbox.Sandbox, c *socialsearch.Client, ids map[string]string) {
	req := wholePosts
	req.Query = socialsearch.NewQuery(socialsearch.Keyword("zebra"))
	req.SortOrder = socialsearch.SortRelevancy
	req.Start, req.End = s.Now().Add(-3*time.Hour), s.Now().Add(-time.Minute)
	page, err := c.SearchRecent(t.Context(), req)
	require.NoError(t, err)
	require.Len(t, page.Items, 5)
	first := page.Items[0]
	require.Equal(t, ids["other"], first.ID, "reposts weigh more")
	require.Equal(t, "benzebra", first.Author.Username)
	require.Equal(t, first.AuthorID, first.Author.ID)
	require.Equal(t, []socialsearch.URLEntity{{ExpandedURL: "https://docs.zebra.example/x"}}, first.Entities.URLs)
	require.Equal(t, []socialsearch.MentionEntity{{Username: "annazebra"}}, first.Entities.Mentions)
	require.Equal(t, []socialsearch.HashtagEntity{{Tag: "zebras"}}, first.Entities.Hashtags)
	require.Equal(t, new(int64(2)), first.PublicMetrics.RepostCount)
	require.Equal(t, new(int64(0)), first.PublicMetrics.LikeCount)
	require.False(t, first.CreatedAt.IsZero())
	require.Equal(t, new(int64(2)), first.Author.PublicMetrics.PostCount)
	require.Equal(t, new(false), first.Author.Verified)
	require.Len(t, page.Includes.Users, 2)

	bare, err := c.SearchRecent(t.Context(), socialsearch.SearchRequest{Query: req.Query})
	require.NoError(t, err)
	require.Nil(t, bare.Items[0].PublicMetrics)
	require.Nil(t, bare.Items[0].Author)
	require.Empty(t, bare.Includes.Users)
	require.Contains(t, bare.Raw.String(), ids["plain"])
}

// searchPages goes through all that the corpus says of a ticker.
func searchPages(t *testing.T, s *sandbox.Sandbox, c *socialsearch.Client) {
	req := wholePosts
	req.Query = socialsearch.NewQuery(socialsearch.Cashtag("SOL"))
	var ids []string
	absent, some, gone := 0, 0, 0
	for post, err := range c.AllSearchRecent(t.Context(), req) {
		require.NoError(t, err)
		require.NotContains(t, ids, post.ID, "no post comes twice")
		ids = append(ids, post.ID)
		switch m := post.PublicMetrics; {
		case m == nil:
			absent++
		case m.ImpressionCount == nil:
			require.NotNil(t, m.LikeCount)
			some++
		}
		if post.Author == nil {
			gone++
		} else {
			require.Equal(t, post.AuthorID, post.Author.ID)
		}
	}
	require.Greater(t, len(ids), 50, "several pages, empty ones among them")
	require.NotZero(t, absent, "absent is not 0")
	require.NotZero(t, some)
	require.NotZero(t, gone, "an author whose account is gone")

	req.Limit = new(100)
	page, err := c.SearchRecent(t.Context(), req)
	require.NoError(t, err)
	require.NotEmpty(t, page.Errors, "errors beside data")
	require.Equal(t, ids[:len(page.Items)], postIDs(page))
}

func postIDs(page *socialsearch.PostPage) (ids []string) {
	for _, post := range page.Items {
		ids = append(ids, post.ID)
	}
	return ids
}

func lookUps(t *testing.T, c *socialsearch.Client, ids map[string]string) {
	ctx := t.Context()
	found, err := c.GetUserByUsername(ctx, "benzebra", walletfi.WithQuery("user.fields", "verified,public_metrics"))
	require.NoError(t, err)
	require.Equal(t, "benzebra", found.User.Username)
	require.Equal(t, new(int64(2)), found.User.PublicMetrics.PostCount)

	page, err := c.ListUserPosts(ctx, found.User.ID, socialsearch.UserPostsRequest{Limit: new(10)}, walletfi.WithQuery("post.fields", "author_id"))
	require.NoError(t, err)
	require.Equal(t, []string{ids["reply"], ids["other"]}, postIDs(page))
	require.Equal(t, found.User.ID, page.Items[0].AuthorID)

	watcher, err := c.GetUserByUsername(ctx, "solwatcher", walletfi.WithQuery("user.fields", "public_metrics"))
	require.NoError(t, err)
	for _, parameter := range []string{"", "pagination_token"} {
		posts := map[string]bool{}
		for post, err := range c.AllUserPosts(ctx, watcher.User.ID, socialsearch.UserPostsRequest{Limit: new(10), TokenParam: parameter}) {
			require.NoError(t, err)
			posts[post.ID] = true
		}
		require.Equal(t, *watcher.User.PublicMetrics.PostCount, int64(len(posts)))
		require.Greater(t, len(posts), 20)
	}

	post, err := c.GetPost(ctx, ids["plain"], walletfi.WithQuery("post.fields", "public_metrics"), walletfi.WithQuery("expansions", "author_id"))
	require.NoError(t, err)
	require.Equal(t, "zebra crossing ahead", post.Post.Text)
	require.Equal(t, new(int64(3)), post.Post.PublicMetrics.LikeCount)
	require.Equal(t, "annazebra", post.Includes.Users[0].Username)
}

// missingSocial looks up what is not there, which is said with 404, or under 200
// without data, in turn.
func missingSocial(t *testing.T, c *socialsearch.Client) {
	statuses := map[int]int{}
	for range 2 {
		for _, err := range []error{
			wiretest.Error(c.GetPost(t.Context(), "1")), wiretest.Error(c.GetUserByUsername(t.Context(), "nobody")),
		} {
			require.ErrorIs(t, err, walletfi.ErrNotFound)
			statuses[wiretest.As[*walletfi.ResponseError](t, err).StatusCode]++
		}
	}
	require.Equal(t, map[int]int{200: 2, 404: 2}, statuses)
}

// TestSocialSearchSpend: the meter says what the service bills, lost answers
// included, and refuses before the budget would be exceeded.
func TestSocialSearchSpend(t *testing.T) {
	s := flows.Start(t, sandbox.Config{ManualClock: true, NoLimits: true})
	c, meter := socialClient(t, s, 205_000, walletfi.Options{}) // 41 posts
	req := socialsearch.SearchRequest{Query: socialsearch.NewQuery(socialsearch.Cashtag("SOL"))}
	for range 2 {
		page, err := c.SearchRecent(t.Context(), req)
		require.NoError(t, err)
		require.Len(t, page.Items, 10)
	}
	requireBilled(t, s, meter)

	remove := s.Fault(sandbox.Route{Service: sandbox.SocialSearch}, sandbox.Fault{Handled: true, Reset: true})
	_, err := c.SearchRecent(t.Context(), req)
	remove()
	require.ErrorIs(t, err, walletfi.ErrUnavailable, "what may have been billed is not sent again")
	requireBilled(t, s, meter)
	require.Equal(t, socialsearch.Cost(150_000), meter.Spent())

	require.NoError(t, wiretest.Error(c.SearchRecent(t.Context(), req)))
	require.Equal(t, socialsearch.Cost(5_000), meter.Remaining())
	require.ErrorIs(t, wiretest.Error(c.SearchRecent(t.Context(), req)), socialsearch.ErrSpendBudget)
	requireBilled(t, s, meter)
	require.Equal(t, 4, socialHits(s)[searchRoute], "the refused one was not sent")
}

var searchRoute = sandbox.Route{Service: sandbox.SocialSearch, Method: http.MethodGet, Pattern: "/2/posts/search/recent"}

// socialHits are the routes of the post search that were asked, and how often.
func socialHits(s *sandbox.Sandbox) map[sandbox.Route]int {
	asked := map[sandbox.Route]int{}
	for route, n := range s.Hits() {
		if route.Service == sandbox.SocialSearch && n > 0 {
			asked[route] = n
		}
	}
	return asked
}

// TestSocialSearchUsageCap: a 429 while requests remain is no rate limit, and
// waiting does not help.
func TestSocialSearchUsageCap(t *testing.T) {
	s := flows.Start(t, sandbox.Config{ManualClock: true})
	c, meter := socialClient(t, s, 0, walletfi.Options{})
	s.SocialSearch().CapUsage(10)
	req := socialsearch.SearchRequest{Query: socialsearch.NewQuery(socialsearch.Cashtag("SOL"))}
	_, err := c.SearchRecent(t.Context(), req)
	require.NoError(t, err)
	for i, call := range []func() error{
		func() error { _, err := c.SearchRecent(t.Context(), req); return err },
		func() error { _, err := c.GetUserByUsername(t.Context(), "solwatcher"); return err },
		func() error { _, err := c.ListUserPosts(t.Context(), "1", socialsearch.UserPostsRequest{}); return err },
		func() error { _, err := c.GetPost(t.Context(), "1"); return err },
	} {
		err := call()
		require.ErrorIs(t, err, walletfi.ErrRateLimited, fmt.Sprint(i))
		r := wiretest.As[*walletfi.ResponseError](t, err)
		require.Equal(t, 429, r.StatusCode)
		require.Equal(t, 1, r.Attempts)
	}
	requireBilled(t, s, meter)
}

// TestSocialSearchStaysWithinTheLimit: 450 searches of an application's token
// in a quarter of an hour, and no request beyond.
func TestSocialSearchStaysWithinTheLimit(t *testing.T) {
	s := flows.Start(t, sandbox.Config{ManualClock: true})
	c, _ := socialClient(t, s, 0, walletfi.Options{MaxQueueWait: new(time.Duration(0))})
	req := socialsearch.SearchRequest{Query: socialsearch.NewQuery(socialsearch.Keyword("okapi"))}
	for range 450 {
		require.NoError(t, wiretest.Error(c.SearchRecent(t.Context(), req)))
	}
	_, err := c.SearchRecent(t.Context(), req)
	own := wiretest.As[*ratelimit.Error](t, err)
	require.Equal(t, socialsearch.ClassSearch, own.Class)
	require.Equal(t, 450, socialHits(s)[searchRoute])
	require.NoError(t, wiretest.Error(c.GetUserByUsername(t.Context(), "solwatcher")), "another class has its own")

	other, _ := socialClient(t, s, 0, walletfi.Options{}) // that knows of none of it
	_, err = other.SearchRecent(t.Context(), req)
	refused := wiretest.As[*walletfi.ResponseError](t, err)
	require.Equal(t, 429, refused.StatusCode)
	require.ErrorIs(t, err, walletfi.ErrRateLimited)
	require.Equal(t, 1, refused.Attempts, "a quarter of an hour is not waited out")
	require.InDelta(t, 15*time.Minute, refused.RetryAfter, float64(2*time.Second))
}
