package socialsearch_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/socialsearch"
)

func TestAllRecentPassesEmptyPagesAndEndsOnARepeatedToken(t *testing.T) {
	pages := map[string]string{
		"":  `{"data":[{"id":"1"}],"meta":{"next_token":"a"}}`,
		"a": `{"meta":{"result_count":0,"next_token":"b"}}`,
		"b": `{"data":[{"id":"2","author_id":"u"}],"includes":{"users":[{"id":"u","username":"ann"}]},"meta":{"next_token":"a"}}`,
	}
	s := wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, pages[r.URL.Query().Get("next_token")])
	})
	var ids []string
	for post, err := range client(t, s.URL, nil).AllSearchRecent(t.Context(), gm()) {
		require.NoError(t, err)
		ids = append(ids, post.ID)
		if post.ID == "2" {
			require.Equal(t, "ann", post.Author.Username)
		}
	}
	require.Equal(t, []string{"1", "2"}, ids)
	require.Len(t, s.Requests(), 3)
}

func TestAllUserPostsEndsAtTheFirstError(t *testing.T) {
	s := wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("next_token") != "" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		io.WriteString(w, `{"data":[{"id":"1"}],"meta":{"next_token":"a"}}`)
	})
	var last error
	n := 0
	for _, err := range client(t, s.URL, nil).AllUserPosts(t.Context(), "u1", socialsearch.UserPostsRequest{}) {
		n, last = n+1, err
	}
	require.Equal(t, 2, n)
	require.ErrorIs(t, last, walletfi.ErrForbidden)
}

func TestRequestsThatCannotBe(t *testing.T) {
	s := wiretest.Serve(t, func(http.ResponseWriter, *http.Request) { t.Error("something was sent") })
	c := client(t, s.URL, nil)
	for field, req := range map[string]socialsearch.SearchRequest{
		"query":          {},
		"max_results":    {Query: gm().Query, Limit: new(9)},
		"start_time":     {Query: gm().Query, Start: time.Now().Add(-8 * 24 * time.Hour)},
		"end_time":       {Query: gm().Query, Start: time.Now().Add(-time.Hour), End: time.Now().Add(-2 * time.Hour)},
		"sort_order":     {Query: gm().Query, SortOrder: "best"},
		"post.fields[0]": {Query: gm().Query, PostFields: []socialsearch.PostField{"lang"}},
		"user.fields[0]": {Query: gm().Query, UserFields: []socialsearch.UserField{"lang"}},
		"expansions[0]":  {Query: gm().Query, Expansions: []socialsearch.Expansion{"geo"}},
	} {
		_, err := c.SearchRecent(t.Context(), req)
		wiretest.Refused(t, err, field)
	}
	_, err := c.SearchRecent(t.Context(), socialsearch.SearchRequest{Query: gm().Query, Limit: new(101)})
	require.ErrorContains(t, err, "10 to 100; fewer would be billed as 10")
	require.ErrorIs(t, wiretest.Error(c.GetPost(t.Context(), "")), walletfi.ErrInvalidRequest)
	require.ErrorContains(t, wiretest.Error(socialsearch.New(socialsearch.Config{BaseURL: s.URL})), "Config.BearerToken")
	_, err = socialsearch.New(socialsearch.Config{BaseURL: s.URL, BearerToken: walletfi.NewSecret("b\r\nx"), TokenKind: "bot"})
	require.ErrorContains(t, err, "Config.TokenKind")
	_, err = socialsearch.NewMeter(socialsearch.MeterConfig{Budget: -1})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
}

func TestBudgetsByKindOfToken(t *testing.T) {
	s := wiretest.Serve(t, nil)
	for kind, want := range map[socialsearch.TokenKind]int{socialsearch.TokenApp: 450, socialsearch.TokenUser: 300, "": 300} {
		c, err := socialsearch.New(socialsearch.Config{
			BaseURL: s.URL, BearerToken: walletfi.NewSecret("b-123456"), TokenKind: kind,
		})
		require.NoError(t, err)
		for class, most := range map[string]int{
			socialsearch.ClassSearch: want, socialsearch.ClassUsers: 300, socialsearch.ClassUserPosts: 1500, socialsearch.ClassPosts: -1,
		} {
			require.Equal(t, most, free(t, c.Limiter(class)), "%s %s", kind, class)
		}
	}
}

// free counts the slots that are free at once, -1 where there are more than
// any documented limit has.
func free(t *testing.T, l ratelimit.Limiter) int {
	for n := range 2000 {
		done, err := l.Permit(t.Context(), 0)
		if err != nil {
			return n
		}
		done(t.Context(), true)
	}
	return -1
}
