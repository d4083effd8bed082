package socialsearch_test

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

// quiet is a start at which the corpus is ten days old and the clock
// does not move.
func quiet(t *testing.T) *started { return start(t, play.Config{ManualClock: true, NoLimits: true}) }

// find searches; parameters are name, value, ...
func (s *started) find(t *testing.T, query string, parameters ...string) answer {
	t.Helper()
	values := url.Values{"query": {query}}
	for i := 0; i < len(parameters); i += 2 {
		values.Set(parameters[i], parameters[i+1])
	}
	return s.Do(t, play.SocialSearch, "GET", "/2/posts/search/recent?"+values.Encode(), nil)
}

// iDs are the ids of a page.
func iDs(a answer) []string {
	var ids []string
	if data, ok := a.At("data").([]any); ok {
		for i := range data {
			ids = append(ids, a.Text("data", i, "id"))
		}
	}
	return ids
}

// socialAdd adds a post and returns its id.
func (s *started) add(t *testing.T, p play.SocialPost) string {
	t.Helper()
	id, err := s.SocialSearch.AddPost(p)
	require.NoError(t, err)
	return id
}

func TestOperators(t *testing.T) {
	s := quiet(t)
	root := s.add(t, play.SocialPost{Author: "anna", Text: "Zebra crossing the bridge today #Solana $BONK https://news.example.com/a?b=1"})
	reply := s.add(t, play.SocialPost{Author: "ben", Text: "@anna the bridge is closed, zebra!", InReplyTo: root, Lang: "de"})
	repost := s.add(t, play.SocialPost{Author: "cleo", Text: "RT @anna: zebra $BONKER #solanamobile", Repost: true, Media: true})
	picture := s.add(t, play.SocialPost{Author: "anna", Text: "zebra-crossing Überweg http://example.com", Media: true})
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"zebra", []string{picture, repost, reply, root}},
		{"ZEBRA bridge", []string{reply, root}},
		{"zebra überweg", []string{picture}},
		{`"the bridge"`, []string{reply, root}},
		{`"bridge the"`, nil},
		{`"crossing the bridge"`, []string{root}},
		{"zebra-crossing", []string{picture, root}},
		{"zebr", nil},
		{"zebra -bridge", []string{picture, repost}},
		{`zebra -"the bridge" -is:repost`, []string{picture}},
		{"closed OR überweg", []string{picture, reply}},
		{"zebra closed OR zebra überweg", []string{picture, reply}},
		{"zebra closed OR überweg from:ben", []string{reply}},
		{"zebra or bridge", nil},
		{"from:anna zebra", []string{picture, root}},
		{"from:ANNA has:media", []string{picture}},
		{"-from:anna zebra", []string{repost, reply}},
		{"to:anna", []string{reply}},
		{"to:ben", nil},
		{"zebra is:repost", []string{repost}},
		{"zebra -is:repost", []string{picture, reply, root}},
		{"zebra is:reply", []string{reply}},
		{"zebra has:links", []string{picture, root}},
		{"zebra -has:links", []string{repost, reply}},
		{"zebra has:media", []string{picture, repost}},
		{"url:example.com zebra", []string{picture, root}},
		{`url:"news.example.com" zebra`, []string{root}},
		{"url:ample.com zebra", nil},
		{"lang:de bridge", []string{reply}},
		{"conversation_id:" + root, []string{reply, root}},
		{"$BONK", []string{root}},
		{"$bonk OR #solanamobile", []string{repost, root}},
		{"zebra #solana", []string{root}},
		{"zebra -#solana -$bonker", []string{picture, reply}},
	} {
		a := s.find(t, c.query)
		require.Equal(t, 200, a.Status, "%s: %s", c.query, a.Raw)
		assert.Equal(t, c.want, iDs(a), c.query)
		assert.Equal(t, strconv.Itoa(len(c.want)), a.Text("meta", "result_count"), c.query)
		if c.want == nil {
			assert.Empty(t, a.At("data"))
		}
	}
}

func TestRefusesQueries(t *testing.T) {
	s := quiet(t)
	for _, query := range []string{
		" ", "a OR", "OR a", "a OR OR b", `"open`, `""`, "-", "--a", "is:quote", "has:cats", "from:", "foo:bar",
		"$", "#", "$1-2", `a"b"`, `"a"b`, "-is:", "https://example.com",
	} {
		a := s.find(t, query)
		assert.Equal(t, 400, a.Status, "%q: %s", query, a.Raw)
	}
	assert.Len(t, s.TakeProblems(), 19)
	assert.Equal(t, play.SocialUsage{}, s.SocialSearch.Usage())
	for _, query := range []string{"(a OR b)", "!!!", "10:30"} {
		assert.Equal(t, 200, s.find(t, query).Status, "%q: nothing says that it is wrong", query)
	}
	long := strings.Repeat("ü", 1024)
	assert.Equal(t, 200, s.find(t, long).Status, "characters count, not bytes")
	assert.Equal(t, 400, s.find(t, long+"ü").Status)
	assert.Equal(t, []string{"query parameter query has more than 1024 characters"}, s.TakeProblems())
}

func TestIsStrict(t *testing.T) {
	s := quiet(t)
	for problem, parameters := range map[string]string{
		"query parameter query is missing":                         "max_results=10",
		"query parameter query is empty":                           "query=",
		"query parameter max_results is out of range: 9":           "query=a&max_results=9",
		"query parameter max_results is out of range: 101":         "query=a&max_results=101",
		"query parameter sort_order is none of recency, relevancy": "query=a&sort_order=newest",
		"query parameter start_time is no ISO 8601 time":           "query=a&start_time=2026-01-01",
		`query parameter post.fields lists "lang", which is none of created_at, public_metrics, author_id, conversation_id, entities`: "query=a&post.fields=author_id,lang",
		`query parameter user.fields lists "name" twice`:                       "query=a&user.fields=name,name",
		`query parameter expansions lists "media", which is none of author_id`: "query=a&expansions=media",
		"unknown query parameter post_fields":                                  "query=a&post_fields=author_id",
		"query parameter next_token is sent more than once":                    "query=a&next_token=x&next_token=y",
	} {
		assert.Equal(t, 400, s.Do(t, play.SocialSearch, "GET", "/2/posts/search/recent?"+parameters, nil).Status, problem)
		assert.Equal(t, []string{problem}, s.TakeProblems())
	}
	a := s.Do(t, play.SocialSearch, "GET", "/2/posts/search/recent?query=a", nil, "Authorization", "")
	assert.Equal(t, 401, a.Status)
	assert.Len(t, s.TakeProblems(), 1)
	assert.Equal(t, 401, s.Do(t, play.SocialSearch, "GET", "/2/posts/1", nil, "Authorization", "Bearer other").Status)
	shapes := []answer{s.find(t, "a OR"), s.find(t, "a OR")}
	if shapes[0].At("title") == nil {
		slices.Reverse(shapes)
	}
	assert.Equal(t, "Bad Request", shapes[0].Text("title"))
	assert.Equal(t, "400", shapes[0].Text("status"))
	assert.Contains(t, shapes[1].Text("errors", 0, "message"), "cannot be read")
	assert.Len(t, s.TakeProblems(), 2, "the same query twice")
}

func TestTimes(t *testing.T) {
	s := quiet(t)
	now := s.Time()
	day := 24 * time.Hour
	old := s.add(t, play.SocialPost{Author: "anna", Text: "zebra", CreatedAt: now.Add(-8 * day)})
	week := s.add(t, play.SocialPost{Author: "anna", Text: "zebra", CreatedAt: now.Add(-7 * day)})
	recent := s.add(t, play.SocialPost{Author: "anna", Text: "zebra", CreatedAt: now.Add(-day)})
	assert.Equal(t, []string{recent, week}, iDs(s.find(t, "zebra")), "seven days and no more")
	assert.Equal(t, 200, s.Do(t, play.SocialSearch, "GET", "/2/posts/"+old, nil).Status, "a single one at any age")

	at := func(d time.Duration) string { return now.Add(d).Format(time.RFC3339) }
	assert.Equal(t, []string{recent}, iDs(s.find(t, "zebra", "start_time", at(-day))), "the start belongs to it")
	assert.Equal(t, []string{week}, iDs(s.find(t, "zebra", "end_time", at(-day))), "the end does not")
	assert.Equal(t, []string{week}, iDs(s.find(t, "zebra", "start_time", at(-7*day), "end_time", at(-2*day))))
	assert.Equal(t, 400, s.find(t, "zebra", "start_time", at(-7*day-time.Second)).Status)
	assert.Equal(t, 400, s.find(t, "zebra", "start_time", at(-day), "end_time", at(-day)).Status)
	s.Advance(time.Second)
	assert.Equal(t, []string{recent}, iDs(s.find(t, "zebra")))
}

func TestPages(t *testing.T) {
	s := quiet(t)
	var want []string
	for i := range 95 {
		want = append(want, s.add(t, play.SocialPost{Author: "anna", Text: "zebra", LikeCount: i % 7, CreatedAt: s.Time().Add(time.Duration(i-100) * time.Minute)}))
	}
	slices.Reverse(want)
	var got []string
	token, empty, pages := "", 0, 0
	for {
		parameters := []string{"max_results", "10"}
		if token != "" {
			parameters = append(parameters, "next_token", token)
		}
		a := s.find(t, "zebra", parameters...)
		require.Equal(t, 200, a.Status, "%s", a.Raw)
		if pages++; len(iDs(a)) == 0 {
			empty++
			assert.NotEmpty(t, a.Text("meta", "next_token"), "an empty page leads on")
			assert.Equal(t, "0", a.Text("meta", "result_count"))
		}
		got = append(got, iDs(a)...)
		s.add(t, play.SocialPost{Author: "anna", Text: "zebra"}) // what comes meanwhile shifts nothing
		if token = a.Text("meta", "next_token"); token == "" {
			break
		}
	}
	assert.Equal(t, want, got)
	assert.Equal(t, 3, empty, "of nine that go on")
	assert.Equal(t, 13, pages)
	assert.Equal(t, play.SocialUsage{PostsRead: 95}, s.SocialSearch.Usage())
	assert.Equal(t, 475, s.SocialSearch.Usage().Cost())

	first := s.find(t, "zebra").Text("meta", "next_token")
	assert.Equal(t, 400, s.find(t, "other", "next_token", first).Status)
	assert.Equal(t, 400, s.find(t, "zebra", "next_token", "nonsense").Status)
	again := iDs(s.find(t, "zebra", "next_token", first, "max_results", "20"))
	assert.Len(t, again, 20, "max_results may change on the way")
}

func TestSorts(t *testing.T) {
	s := quiet(t)
	few := s.add(t, play.SocialPost{Author: "anna", Text: "zebra", LikeCount: 5})
	many := s.add(t, play.SocialPost{Author: "anna", Text: "zebra", LikeCount: 3, RepostCount: 4})
	none := s.add(t, play.SocialPost{Author: "anna", Text: "zebra"})
	assert.Equal(t, []string{none, many, few}, iDs(s.find(t, "zebra")))
	assert.Equal(t, []string{none, many, few}, iDs(s.find(t, "zebra", "sort_order", "recency")))
	assert.Equal(t, []string{many, few, none}, iDs(s.find(t, "zebra", "sort_order", "relevancy")))
}

func TestFields(t *testing.T) {
	s := quiet(t)
	id := s.add(t, play.SocialPost{Author: "anna", Text: "@ben see https://example.com #zebra $SOL", LikeCount: 3, RepostCount: 1})
	s.add(t, play.SocialPost{Author: "Ben", Text: "zebra", InReplyTo: id})
	bare := s.find(t, "#zebra")
	assert.Equal(t, map[string]any{"id": id, "text": "@ben see https://example.com #zebra $SOL"}, bare.At("data", 0))
	assert.NotContains(t, bare.JSON, "includes")

	full := s.find(t, "conversation_id:"+id, "post.fields", "created_at,public_metrics,author_id,conversation_id,entities",
		"user.fields", "username,name,verified,public_metrics,created_at", "expansions", "author_id")
	post := full.At("data", 1).(map[string]any)
	assert.Equal(t, "2026-01-01T00:00:00.000Z", post["created_at"])
	assert.Equal(t, id, post["conversation_id"])
	assert.Equal(t, id, full.At("data", 0, "conversation_id"), "a reply is of its root's conversation")
	assert.Equal(t, "3", full.Text("data", 1, "public_metrics", "like_count"))
	assert.Equal(t, "0", full.Text("data", 1, "public_metrics", "bookmark_count"), "nothing is a count too")
	assert.Equal(t, map[string]any{
		"urls":     []any{map[string]any{"expanded_url": "https://example.com"}},
		"mentions": []any{map[string]any{"username": "ben"}},
		"hashtags": []any{map[string]any{"tag": "zebra"}},
	}, post["entities"])
	assert.NotContains(t, full.At("data", 0), "entities", "a text that has none")
	anna := full.At("includes", "users", 1).(map[string]any)
	assert.Equal(t, post["author_id"], anna["id"])
	assert.Equal(t, []any{"anna", "Anna", false, "2026-01-01T00:00:00.000Z"}, []any{anna["username"], anna["name"], anna["verified"], anna["created_at"]})
	assert.Equal(t, "1", full.Text("includes", "users", 1, "public_metrics", "post_count"))
	some := s.find(t, "#zebra", "expansions", "author_id")
	assert.Equal(t, anna["id"], some.At("data", 0, "author_id"))
	assert.Len(t, some.At("includes", "users", 0), 3, "id, username, name")
}

func TestCorpus(t *testing.T) {
	s := quiet(t)
	missing := map[string]int{}
	var gone answer
	for _, query := range []string{"$SOL", "$USDC", "$USDT", "$DUST", "$TAXED", "gm"} {
		a := s.find(t, query, "max_results", "100", "post.fields", "public_metrics", "expansions", "author_id")
		data := a.At("data").([]any)
		require.NotEmpty(t, data, query)
		for i := range data {
			switch metrics := a.At("data", i, "public_metrics").(type) {
			case nil:
				missing["all"]++
			case map[string]any:
				if _, has := metrics["impression_count"]; !has {
					missing["some"]++
				}
			}
		}
		if a.At("errors") != nil {
			gone = a
		}
	}
	assert.NotZero(t, missing["all"], "posts without counts")
	assert.NotZero(t, missing["some"], "posts without the latest counts")
	require.NotNil(t, gone.JSON, "an author whose account is gone")
	assert.Equal(t, "author_id", gone.Text("errors", 0, "parameter"))
	id := gone.Text("errors", 0, "resource_id")
	assert.Contains(t, string(gone.Raw), fmt.Sprintf(`"author_id":"%s"`, id))
	assert.NotEmpty(t, gone.At("includes", "users"))

	for _, query := range []string{"is:repost", "is:reply", "has:links", "has:media", "lang:ja", "url:example.com", "from:solwatcher", "to:defidesk", "#solana"} {
		assert.NotEmpty(t, iDs(s.find(t, query)), query)
	}
	other := quiet(t)
	assert.Equal(t, s.find(t, "gm").Text("data", 0, "id"), other.find(t, "gm").Text("data", 0, "id"), "the same seed, the same posts")
	newest := iDs(s.find(t, "-zebra"))[0]
	s.Advance(time.Hour)
	ids := iDs(s.find(t, "-zebra"))
	assert.Equal(t, newest, ids[3], "three posts an hour")
}

func TestLookUps(t *testing.T) {
	s := quiet(t)
	user := s.Do(t, play.SocialSearch, "GET", "/2/users/by/username/SolWatcher?user.fields=verified,public_metrics", nil)
	require.Equal(t, 200, user.Status, "%s", user.Raw)
	assert.Equal(t, "solwatcher", user.Text("data", "username"))
	assert.Equal(t, true, user.At("data", "verified"))
	id := user.Text("data", "id")

	posts := s.Do(t, play.SocialSearch, "GET", "/2/users/"+id+"/posts?max_results=5&post.fields=author_id", nil)
	require.Equal(t, 200, posts.Status)
	require.Len(t, iDs(posts), 5)
	assert.Equal(t, id, posts.Text("data", 4, "author_id"))
	seen := iDs(posts)
	for _, parameter := range []string{"next_token", "pagination_token"} {
		next := s.Do(t, play.SocialSearch, "GET", "/2/users/"+id+"/posts?max_results=5&"+parameter+"="+posts.Text("meta", "next_token"), nil)
		require.Len(t, iDs(next), 5, "%s", next.Raw)
		assert.NotContains(t, seen, iDs(next)[0])
	}
	all := s.Do(t, play.SocialSearch, "GET", "/2/users/"+id+"/posts?max_results=100", nil)
	count, err := strconv.Atoi(user.Text("data", "public_metrics", "post_count"))
	require.NoError(t, err)
	assert.Len(t, iDs(all), min(count, 100))

	post := s.Do(t, play.SocialSearch, "GET", "/2/posts/"+seen[0]+"?expansions=author_id", nil)
	assert.Equal(t, seen[0], post.Text("data", "id"))
	assert.Equal(t, id, post.Text("includes", "users", 0, "id"))

	want := play.SocialUsage{PostsRead: 5 + 5 + 5 + len(iDs(all)) + 1, UserLookups: 1}
	assert.Equal(t, want, s.SocialSearch.Usage())
	assert.Equal(t, want.PostsRead*5+10, s.SocialSearch.Usage().Cost())

	for _, path := range []string{"/2/users/by/username/nobody", "/2/users/1/posts", "/2/posts/1"} {
		assert.Equal(t, 404, s.Do(t, play.SocialSearch, "GET", path, nil).Status, path)
		quiet := s.Do(t, play.SocialSearch, "GET", path, nil)
		assert.Equal(t, 200, quiet.Status)
		assert.Equal(t, "Not Found Error", quiet.Text("errors", 0, "title"))
		assert.NotContains(t, quiet.JSON, "data")
	}
	assert.Equal(t, 404, s.Do(t, play.SocialSearch, "GET", "/2/users/by/username/no%20body?any=thing", nil).Status)
	assert.Equal(t, want, s.SocialSearch.Usage(), "what is not found costs nothing")
	for _, bad := range []play.SocialPost{{Author: "no body", Text: "x"}, {Author: "anna", Text: "x", InReplyTo: "1"}} {
		_, err := s.SocialSearch.AddPost(bad)
		assert.Error(t, err)
	}
}

func TestLimits(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	user := s.Do(t, play.SocialSearch, "GET", "/2/users/by/username/botbeat", nil).Text("data", "id")
	s.Advance(15 * time.Minute)
	for _, c := range []struct {
		path, token string
		n           int
	}{
		{"/2/posts/search/recent?query=zebra", s.APIKey(play.SocialSearch), 450},
		{"/2/posts/search/recent?query=zebra", s.SocialSearch.UserToken(), 300},
		{"/2/users/by/username/nobody", s.SocialSearch.UserToken(), 300},
		{"/2/users/" + user + "/posts?max_results=1&end_time=2020-01-01T00:00:00Z", s.APIKey(play.SocialSearch), 1500},
	} {
		send := func() answer {
			return s.Do(t, play.SocialSearch, "GET", c.path, nil, "Authorization", "Bearer "+c.token)
		}
		for i := range c.n {
			a := send()
			require.NotEqual(t, 429, a.Status, "%s: request %d", c.path, i)
			require.Equal(t, strconv.Itoa(c.n-1-i), a.Header.Get("X-Rate-Limit-Remaining"))
		}
		a := send()
		require.Equal(t, 429, a.Status, c.path)
		assert.Equal(t, strconv.FormatInt(s.Time().Add(15*time.Minute).Unix(), 10), a.Header.Get("X-Rate-Limit-Reset"))
		assert.Equal(t, "0", a.Header.Get("X-Rate-Limit-Remaining"))
		assert.Empty(t, a.Header.Get("Retry-After"))
	}
	s.Advance(15 * time.Minute)
	assert.Equal(t, 200, s.find(t, "zebra").Status)
	assert.Zero(t, s.SocialSearch.Usage().PostsRead)
	assert.Empty(t, s.Do(t, play.SocialSearch, "GET", "/2/posts/1", nil).Header.Get("X-Rate-Limit-Limit"), "a single post has no limit of its own")
}

func TestUsageCap(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	s.SocialSearch.CapUsage(15)
	assert.Len(t, iDs(s.find(t, "-zebra")), 10)
	assert.Len(t, iDs(s.find(t, "-zebra")), 10, "a page that has begun is whole")
	a := s.find(t, "-zebra")
	assert.Equal(t, 429, a.Status)
	assert.Equal(t, "447", a.Header.Get("X-Rate-Limit-Remaining"), "requests remain")
	assert.Equal(t, "UsageCapExceeded", a.Text("title"))
	for _, path := range []string{"/2/users/by/username/botbeat", "/2/users/1/posts", "/2/posts/1"} {
		a := s.Do(t, play.SocialSearch, "GET", path, nil)
		assert.Equal(t, 429, a.Status, path)
		assert.NotEqual(t, "0", a.Header.Get("X-Rate-Limit-Remaining"), path)
		assert.NotEmpty(t, a.Header.Get("X-Rate-Limit-Remaining"), path)
	}
	assert.Equal(t, play.SocialUsage{PostsRead: 20}, s.SocialSearch.Usage())
	s.SocialSearch.CapUsage(-1)
	assert.Equal(t, 200, s.find(t, "-zebra").Status)

	remove := s.Fault(play.Route{Service: play.SocialSearch}, play.Fault{Handled: true, Status: 503})
	assert.Equal(t, 503, s.find(t, "-zebra").Status)
	remove()
	assert.Equal(t, play.SocialUsage{PostsRead: 40}, s.SocialSearch.Usage(), "what was read and lost costs too")
}
