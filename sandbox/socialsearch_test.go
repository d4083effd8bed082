package sandbox

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
)

// socialQuiet is a start at which the corpus is ten days old and the clock
// stands still.
func socialQuiet(t *testing.T) *started { return start(t, Config{ManualClock: true, NoLimits: true}) }

// find searches; parameters are name, value, ...
func (s *started) socialFind(t *testing.T, query string, parameters ...string) answer {
	t.Helper()
	values := url.Values{"query": {query}}
	for i := 0; i < len(parameters); i += 2 {
		values.Set(parameters[i], parameters[i+1])
	}
	return s.do(t, SocialSearch, "GET", "/2/posts/search/recent?"+values.Encode(), nil)
}

// socialIDs are the ids of a page.
func socialIDs(a answer) []string {
	var ids []string
	if data, ok := a.at("data").([]any); ok {
		for i := range data {
			ids = append(ids, a.text("data", i, "id"))
		}
	}
	return ids
}

// socialAdd adds a post and returns its id.
func (s *started) socialAdd(t *testing.T, p SocialPost) string {
	t.Helper()
	id, err := s.AddSocialPost(p)
	require.NoError(t, err)
	return id
}

func TestSocialSearchOperators(t *testing.T) {
	s := socialQuiet(t)
	root := s.socialAdd(t, SocialPost{Author: "anna", Text: "Zebra crossing the bridge today #Solana $BONK https://news.example.com/a?b=1"})
	reply := s.socialAdd(t, SocialPost{Author: "ben", Text: "@anna the bridge is closed, zebra!", InReplyTo: root, Lang: "de"})
	repost := s.socialAdd(t, SocialPost{Author: "cleo", Text: "RT @anna: zebra $BONKER #solanamobile", Repost: true, Media: true})
	picture := s.socialAdd(t, SocialPost{Author: "anna", Text: "zebra-crossing Überweg http://example.com", Media: true})
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
		a := s.socialFind(t, c.query)
		require.Equal(t, 200, a.Status, "%s: %s", c.query, a.Raw)
		assert.Equal(t, c.want, socialIDs(a), c.query)
		assert.Equal(t, strconv.Itoa(len(c.want)), a.text("meta", "result_count"), c.query)
		if c.want == nil {
			assert.NotContains(t, a.JSON, "data", "absent where there is no result")
		}
	}
}

func TestSocialSearchRefusesQueries(t *testing.T) {
	s := socialQuiet(t)
	for _, query := range []string{
		" ", "(a OR b)", "a OR", "OR a", "a OR OR b", `"open`, `""`, "-", "--a", "is:quote", "has:cats", "from:", "foo:bar",
		"$", "#", "$1-2", "!!!", `a"b"`, `"a"b`, "-is:", "https://example.com",
	} {
		a := s.socialFind(t, query)
		assert.Equal(t, 400, a.Status, "%q: %s", query, a.Raw)
	}
	assert.Equal(t, SocialUsage{}, s.SocialUsage())
	long := strings.Repeat("ü", 1024)
	assert.Equal(t, 200, s.socialFind(t, long).Status, "characters count, not bytes")
	assert.Equal(t, 400, s.socialFind(t, long+"ü").Status)
	assert.Equal(t, []string{"the query has 1025 characters"}, s.takeViolations())
}

func TestSocialSearchIsStrict(t *testing.T) {
	s := socialQuiet(t)
	for problem, parameters := range map[string]string{
		"query parameter query is missing":                             "max_results=10",
		"query parameter query is empty":                               "query=",
		"query parameter max_results is out of range: 9":               "query=a&max_results=9",
		"query parameter max_results is out of range: 101":             "query=a&max_results=101",
		"query parameter sort_order is none of recency, relevancy":     "query=a&sort_order=newest",
		"query parameter start_time is no ISO 8601 time":               "query=a&start_time=2026-01-01",
		`query parameter post.fields names "lang", which is not known`: "query=a&post.fields=author_id,lang",
		`query parameter user.fields names "name" twice`:               "query=a&user.fields=name,name",
		`query parameter expansions names "media", which is not known`: "query=a&expansions=media",
		"unknown query parameter post_fields":                          "query=a&post_fields=author_id",
		"query parameter next_token is sent more than once":            "query=a&next_token=x&next_token=y",
	} {
		assert.Equal(t, 400, s.do(t, SocialSearch, "GET", "/2/posts/search/recent?"+parameters, nil).Status, problem)
		assert.Equal(t, []string{problem}, s.takeViolations())
	}
	a := s.do(t, SocialSearch, "GET", "/2/posts/search/recent?query=a", nil, "Authorization", "")
	assert.Equal(t, 401, a.Status)
	assert.Len(t, s.takeViolations(), 1)
	assert.Equal(t, 401, s.do(t, SocialSearch, "GET", "/2/posts/1", nil, "Authorization", "Bearer other").Status)
	shapes := []answer{s.socialFind(t, "a OR"), s.socialFind(t, "a OR")}
	if shapes[0].at("title") == nil {
		slices.Reverse(shapes)
	}
	assert.Equal(t, "Bad Request", shapes[0].text("title"))
	assert.Equal(t, "400", shapes[0].text("status"))
	assert.Contains(t, shapes[1].text("errors", 0, "message"), "cannot be read")
}

func TestSocialSearchTimes(t *testing.T) {
	s := socialQuiet(t)
	now := s.Now()
	day := 24 * time.Hour
	old := s.socialAdd(t, SocialPost{Author: "anna", Text: "zebra", CreatedAt: now.Add(-8 * day)})
	week := s.socialAdd(t, SocialPost{Author: "anna", Text: "zebra", CreatedAt: now.Add(-7 * day)})
	recent := s.socialAdd(t, SocialPost{Author: "anna", Text: "zebra", CreatedAt: now.Add(-day)})
	assert.Equal(t, []string{recent, week}, socialIDs(s.socialFind(t, "zebra")), "seven days and no more")
	assert.Equal(t, 200, s.do(t, SocialSearch, "GET", "/2/posts/"+old, nil).Status, "a single one at any age")

	at := func(d time.Duration) string { return now.Add(d).Format(time.RFC3339) }
	assert.Equal(t, []string{recent}, socialIDs(s.socialFind(t, "zebra", "start_time", at(-day))), "the start belongs to it")
	assert.Equal(t, []string{week}, socialIDs(s.socialFind(t, "zebra", "end_time", at(-day))), "the end does not")
	assert.Equal(t, []string{week}, socialIDs(s.socialFind(t, "zebra", "start_time", at(-7*day), "end_time", at(-2*day))))
	assert.Equal(t, 400, s.socialFind(t, "zebra", "start_time", at(-7*day-time.Second)).Status)
	assert.Equal(t, 400, s.socialFind(t, "zebra", "start_time", at(-day), "end_time", at(-day)).Status)
	s.Advance(time.Second)
	assert.Equal(t, []string{recent}, socialIDs(s.socialFind(t, "zebra")))
}

func TestSocialSearchPages(t *testing.T) {
	s := socialQuiet(t)
	var want []string
	for i := range 95 {
		want = append(want, s.socialAdd(t, SocialPost{Author: "anna", Text: "zebra", LikeCount: i % 7, CreatedAt: s.Now().Add(time.Duration(i-100) * time.Minute)}))
	}
	slices.Reverse(want)
	var got []string
	token, empty, pages := "", 0, 0
	for {
		parameters := []string{"max_results", "10"}
		if token != "" {
			parameters = append(parameters, "next_token", token)
		}
		a := s.socialFind(t, "zebra", parameters...)
		require.Equal(t, 200, a.Status, "%s", a.Raw)
		if pages++; len(socialIDs(a)) == 0 {
			empty++
			assert.NotEmpty(t, a.text("meta", "next_token"), "an empty page leads on")
			assert.Equal(t, "0", a.text("meta", "result_count"))
		}
		got = append(got, socialIDs(a)...)
		s.socialAdd(t, SocialPost{Author: "anna", Text: "zebra"}) // what comes meanwhile shifts nothing
		if token = a.text("meta", "next_token"); token == "" {
			break
		}
	}
	assert.Equal(t, want, got)
	assert.Equal(t, 3, empty, "of nine that go on")
	assert.Equal(t, 13, pages)
	assert.Equal(t, SocialUsage{PostsRead: 95}, s.SocialUsage())
	assert.Equal(t, 475, s.SocialUsage().Cost())

	first := s.socialFind(t, "zebra").text("meta", "next_token")
	assert.Equal(t, 400, s.socialFind(t, "other", "next_token", first).Status)
	assert.Equal(t, 400, s.socialFind(t, "zebra", "next_token", "nonsense").Status)
	again := socialIDs(s.socialFind(t, "zebra", "next_token", first, "max_results", "20"))
	assert.Len(t, again, 20, "max_results may change on the way")
}

func TestSocialSearchSorts(t *testing.T) {
	s := socialQuiet(t)
	few := s.socialAdd(t, SocialPost{Author: "anna", Text: "zebra", LikeCount: 5})
	many := s.socialAdd(t, SocialPost{Author: "anna", Text: "zebra", LikeCount: 3, RepostCount: 4})
	none := s.socialAdd(t, SocialPost{Author: "anna", Text: "zebra"})
	assert.Equal(t, []string{none, many, few}, socialIDs(s.socialFind(t, "zebra")))
	assert.Equal(t, []string{none, many, few}, socialIDs(s.socialFind(t, "zebra", "sort_order", "recency")))
	assert.Equal(t, []string{many, few, none}, socialIDs(s.socialFind(t, "zebra", "sort_order", "relevancy")))
}

func TestSocialSearchFields(t *testing.T) {
	s := socialQuiet(t)
	id := s.socialAdd(t, SocialPost{Author: "anna", Text: "@ben see https://example.com #zebra $SOL", LikeCount: 3, RepostCount: 1})
	s.socialAdd(t, SocialPost{Author: "Ben", Text: "zebra", InReplyTo: id})
	bare := s.socialFind(t, "#zebra")
	assert.Equal(t, map[string]any{"id": id, "text": "@ben see https://example.com #zebra $SOL"}, bare.at("data", 0))
	assert.NotContains(t, bare.JSON, "includes")

	full := s.socialFind(t, "conversation_id:"+id, "post.fields", "created_at,public_metrics,author_id,conversation_id,entities",
		"user.fields", "username,name,verified,public_metrics,created_at", "expansions", "author_id")
	post := full.at("data", 1).(map[string]any)
	assert.Equal(t, "2026-01-01T00:00:00.000Z", post["created_at"])
	assert.Equal(t, id, post["conversation_id"])
	assert.Equal(t, id, full.at("data", 0, "conversation_id"), "a reply is of its root's conversation")
	assert.Equal(t, "3", full.text("data", 1, "public_metrics", "like_count"))
	assert.Equal(t, "0", full.text("data", 1, "public_metrics", "bookmark_count"), "nothing is a count too")
	assert.Equal(t, map[string]any{
		"urls":     []any{map[string]any{"expanded_url": "https://example.com"}},
		"mentions": []any{map[string]any{"username": "ben"}},
		"hashtags": []any{map[string]any{"tag": "zebra"}},
	}, post["entities"])
	assert.NotContains(t, full.at("data", 0), "entities", "a text that has none")
	anna := full.at("includes", "users", 1).(map[string]any)
	assert.Equal(t, post["author_id"], anna["id"])
	assert.Equal(t, []any{"anna", "Anna", false, "2026-01-01T00:00:00.000Z"}, []any{anna["username"], anna["name"], anna["verified"], anna["created_at"]})
	assert.Equal(t, "1", full.text("includes", "users", 1, "public_metrics", "post_count"))
	some := s.socialFind(t, "#zebra", "expansions", "author_id")
	assert.Equal(t, anna["id"], some.at("data", 0, "author_id"))
	assert.Len(t, some.at("includes", "users", 0), 3, "id, username, name")
}

func TestSocialSearchCorpus(t *testing.T) {
	s := socialQuiet(t)
	missing := map[string]int{}
	var gone answer
	for _, query := range []string{"$SOL", "$USDC", "$USDT", "$DUST", "$TAXED", "gm"} {
		a := s.socialFind(t, query, "max_results", "100", "post.fields", "public_metrics", "expansions", "author_id")
		data := a.at("data").([]any)
		require.NotEmpty(t, data, query)
		for i := range data {
			switch metrics := a.at("data", i, "public_metrics").(type) {
			case nil:
				missing["all"]++
			case map[string]any:
				if _, has := metrics["impression_count"]; !has {
					missing["some"]++
				}
			}
		}
		if a.at("errors") != nil {
			gone = a
		}
	}
	assert.NotZero(t, missing["all"], "posts without counts")
	assert.NotZero(t, missing["some"], "posts without the latest counts")
	require.NotNil(t, gone.JSON, "an author whose account is gone")
	assert.Equal(t, "author_id", gone.text("errors", 0, "parameter"))
	id := gone.text("errors", 0, "resource_id")
	assert.Contains(t, string(gone.Raw), fmt.Sprintf(`"author_id":"%s"`, id))
	assert.NotEmpty(t, gone.at("includes", "users"))

	for _, query := range []string{"is:repost", "is:reply", "has:links", "has:media", "lang:ja", "url:example.com", "from:solwatcher", "to:defidesk", "#solana"} {
		assert.NotEmpty(t, socialIDs(s.socialFind(t, query)), query)
	}
	other := socialQuiet(t)
	assert.Equal(t, s.socialFind(t, "gm").text("data", 0, "id"), other.socialFind(t, "gm").text("data", 0, "id"), "the same seed, the same posts")
	newest := socialIDs(s.socialFind(t, "-zebra"))[0]
	s.Advance(time.Hour)
	ids := socialIDs(s.socialFind(t, "-zebra"))
	assert.Equal(t, newest, ids[3], "three posts an hour")
}

func TestSocialSearchLookUps(t *testing.T) {
	s := socialQuiet(t)
	user := s.do(t, SocialSearch, "GET", "/2/users/by/username/SolWatcher?user.fields=verified,public_metrics", nil)
	require.Equal(t, 200, user.Status, "%s", user.Raw)
	assert.Equal(t, "solwatcher", user.text("data", "username"))
	assert.Equal(t, true, user.at("data", "verified"))
	id := user.text("data", "id")

	posts := s.do(t, SocialSearch, "GET", "/2/users/"+id+"/posts?max_results=5&post.fields=author_id", nil)
	require.Equal(t, 200, posts.Status)
	require.Len(t, socialIDs(posts), 5)
	assert.Equal(t, id, posts.text("data", 4, "author_id"))
	seen := socialIDs(posts)
	for _, parameter := range []string{"next_token", "pagination_token"} {
		next := s.do(t, SocialSearch, "GET", "/2/users/"+id+"/posts?max_results=5&"+parameter+"="+posts.text("meta", "next_token"), nil)
		require.Len(t, socialIDs(next), 5, "%s", next.Raw)
		assert.NotContains(t, seen, socialIDs(next)[0])
	}
	all := s.do(t, SocialSearch, "GET", "/2/users/"+id+"/posts?max_results=100", nil)
	count, err := strconv.Atoi(user.text("data", "public_metrics", "post_count"))
	require.NoError(t, err)
	assert.Len(t, socialIDs(all), min(count, 100))

	post := s.do(t, SocialSearch, "GET", "/2/posts/"+seen[0]+"?expansions=author_id", nil)
	assert.Equal(t, seen[0], post.text("data", "id"))
	assert.Equal(t, id, post.text("includes", "users", 0, "id"))

	want := SocialUsage{PostsRead: 5 + 5 + 5 + len(socialIDs(all)) + 1, UserLookups: 1}
	assert.Equal(t, want, s.SocialUsage())
	assert.Equal(t, want.PostsRead*5+10, s.SocialUsage().Cost())

	for _, path := range []string{"/2/users/by/username/nobody", "/2/users/1/posts", "/2/posts/1"} {
		assert.Equal(t, 404, s.do(t, SocialSearch, "GET", path, nil).Status, path)
		quiet := s.do(t, SocialSearch, "GET", path, nil)
		assert.Equal(t, 200, quiet.Status)
		assert.Equal(t, "Not Found Error", quiet.text("errors", 0, "title"))
		assert.NotContains(t, quiet.JSON, "data")
	}
	assert.Equal(t, 400, s.do(t, SocialSearch, "GET", "/2/users/by/username/no%20body", nil).Status)
	assert.Equal(t, want, s.SocialUsage(), "what is not found costs nothing")
	for _, bad := range []SocialPost{{Author: "no body", Text: "x"}, {Author: "anna", Text: "x", InReplyTo: "1"}} {
		_, err := s.AddSocialPost(bad)
		assert.Error(t, err)
	}
}

func TestSocialSearchLimits(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	user := s.do(t, SocialSearch, "GET", "/2/users/by/username/botbeat", nil).text("data", "id")
	s.Advance(15 * time.Minute)
	for _, c := range []struct {
		path, token string
		n           int
	}{
		{"/2/posts/search/recent?query=zebra", s.APIKey(SocialSearch), 450},
		{"/2/posts/search/recent?query=zebra", s.SocialUserToken(), 300},
		{"/2/users/by/username/nobody", s.SocialUserToken(), 300},
		{"/2/users/" + user + "/posts?max_results=1&end_time=2020-01-01T00:00:00Z", s.APIKey(SocialSearch), 1500},
	} {
		send := func() answer {
			return s.do(t, SocialSearch, "GET", c.path, nil, "Authorization", "Bearer "+c.token)
		}
		for i := range c.n {
			a := send()
			require.NotEqual(t, 429, a.Status, "%s: request %d", c.path, i)
			require.Equal(t, strconv.Itoa(c.n-1-i), a.Header.Get("X-Rate-Limit-Remaining"))
		}
		a := send()
		require.Equal(t, 429, a.Status, c.path)
		assert.Equal(t, strconv.FormatInt(s.Now().Add(15*time.Minute).Unix(), 10), a.Header.Get("X-Rate-Limit-Reset"))
		assert.Equal(t, "0", a.Header.Get("X-Rate-Limit-Remaining"))
		assert.Empty(t, a.Header.Get("Retry-After"))
	}
	s.Advance(15 * time.Minute)
	assert.Equal(t, 200, s.socialFind(t, "zebra").Status)
	assert.Zero(t, s.SocialUsage().PostsRead)
	assert.Empty(t, s.do(t, SocialSearch, "GET", "/2/posts/1", nil).Header.Get("X-Rate-Limit-Limit"), "a single post has no limit of its own")
}

func TestSocialSearchUsageCap(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	s.CapSocialUsage(15)
	assert.Len(t, socialIDs(s.socialFind(t, "-zebra")), 10)
	assert.Len(t, socialIDs(s.socialFind(t, "-zebra")), 10, "a page that has begun is whole")
	a := s.socialFind(t, "-zebra")
	assert.Equal(t, 429, a.Status)
	assert.Equal(t, "447", a.Header.Get("X-Rate-Limit-Remaining"), "requests remain")
	assert.Equal(t, "UsageCapExceeded", a.text("title"))
	for _, path := range []string{"/2/users/by/username/botbeat", "/2/users/1/posts", "/2/posts/1"} {
		a := s.do(t, SocialSearch, "GET", path, nil)
		assert.Equal(t, 429, a.Status, path)
		assert.NotEqual(t, "0", a.Header.Get("X-Rate-Limit-Remaining"), path)
		assert.NotEmpty(t, a.Header.Get("X-Rate-Limit-Remaining"), path)
	}
	assert.Equal(t, SocialUsage{PostsRead: 20}, s.SocialUsage())
	s.CapSocialUsage(-1)
	assert.Equal(t, 200, s.socialFind(t, "-zebra").Status)

	remove := s.Fault(Route{Service: SocialSearch}, Fault{Handled: true, Status: 503})
	assert.Equal(t, 503, s.socialFind(t, "-zebra").Status)
	remove()
	assert.Equal(t, SocialUsage{PostsRead: 40}, s.SocialUsage(), "what was read and lost costs too")
}
