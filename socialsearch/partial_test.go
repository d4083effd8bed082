package socialsearch_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/socialsearch"
)

const (
	goneEntry = `{"title":"Not Found Error","detail":"Could not find user with ids: [7].",` +
		`"resource_type":"user","resource_id":"7","type":"https://example.com/2/problems/resource-not-found"}`
	hiddenEntry = `{"title":"Authorization Error","detail":"Not yours.","resource_type":"post","value":"8"}`
)

// answering is a client whose calls all get one answer.
func answering(t *testing.T, status int, body string) *socialsearch.Client {
	t.Helper()
	carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: status, Body: body}}}
	return wiretest.Client(t, socialsearch.New, socialsearch.Config{
		BaseURL: "https://social.example", BearerToken: wiretest.Key(), Options: walletfi.Options{HTTPClient: carrier.Client()},
	})
}

// TestPartial: errors beside data say what the answer lacks, and the data wins.
func TestPartial(t *testing.T) {
	want := []socialsearch.Partial{
		{"Not Found Error", "Could not find user with ids: [7].", "user", "7", "https://example.com/2/problems/resource-not-found"},
		{Message: "Authorization Error", Detail: "Not yours.", Resource: "post", ResourceID: "8"},
		{Message: "a text"},
		{Message: "m"},
		{Message: `{"new":1}`},
	}
	beside := `,"errors":[` + goneEntry + `,` + hiddenEntry + `,"a text",{"message":"m","detail":7},{"new":1}]}`
	one := answering(t, 200, `{"data":{"id":"5","username":"ann"}`+beside)
	post, err := one.GetPost(t.Context(), "5")
	require.NoError(t, err)
	require.Equal(t, "5", post.Post.ID)
	want[3].Detail = "7" // what is no text is read as one
	require.Equal(t, want, post.Partial())
	user, err := one.GetUserByUsername(t.Context(), "ann")
	require.NoError(t, err)
	require.Equal(t, "ann", user.User.Username)
	require.Equal(t, want, user.Partial())

	many := answering(t, 200, `{"data":[{"id":"5"},{"id":"6"}]`+beside)
	page, err := many.ListUserPosts(t.Context(), "1", socialsearch.UserPostsRequest{})
	require.NoError(t, err)
	require.Len(t, page.Items, 2)
	require.Equal(t, want, page.Partial())
	var ids []string
	for post, err := range many.AllUserPosts(t.Context(), "1", socialsearch.UserPostsRequest{}) {
		require.NoError(t, err)
		ids = append(ids, post.ID)
	}
	require.Equal(t, []string{"5", "6"}, ids)

	empty, err := answering(t, 200, `{"data":[]`+beside).ListUserPosts(t.Context(), "1", socialsearch.UserPostsRequest{})
	require.NoError(t, err, "an empty page is data")
	require.Equal(t, want, empty.Partial())
}

// TestErrorsWithoutData are the service's error. Under a status of success the first entry
// says what kind it is, under another the status does.
func TestErrorsWithoutData(t *testing.T) {
	for name, row := range map[string]struct {
		status int
		body   string
		kind   error
		says   string
	}{
		"not found":           {200, `{"errors":[` + goneEntry + `]}`, walletfi.ErrNotFound, "Could not find user with ids: [7]."},
		"not found, by type":  {200, `{"data":null,"errors":[{"type":"about/resource-not-found"}]}`, walletfi.ErrNotFound, "about/resource-not-found"},
		"not found, by title": {200, `{"errors":[{"title":"not found error"}]}`, walletfi.ErrNotFound, "not found error"},
		"not one's own":       {200, `{"errors":[` + hiddenEntry + `,` + goneEntry + `]}`, walletfi.ErrForbidden, "Not yours."},
		"not one's own, by type": {200, `{"errors":[{"type":"https://x/2/problems/not-authorized-for-resource","detail":"d"}]}`,
			walletfi.ErrForbidden, "d"},
		"anything else":   {200, `{"errors":[{"message":"m"}],"meta":{"result_count":0}}`, walletfi.ErrRejected, "m"},
		"one object":      {200, `{"errors":{"detail":"d"}}`, walletfi.ErrRejected, "d"},
		"one text":        {200, `{"errors":"it failed"}`, walletfi.ErrRejected, "it failed"},
		"by a name":       {200, `{"data":null,"errors":{"user":["gone"]}}`, walletfi.ErrRejected, `{"user":["gone"]}`},
		"a number":        {200, `{"errors":7}`, walletfi.ErrRejected, "7"},
		"one not found":   {200, `{"data":{},"errors":` + goneEntry + `}`, walletfi.ErrNotFound, "Could not find user"},
		"a text of a 404": {404, `{"errors":"gone"}`, walletfi.ErrNotFound, "gone"},
		"by status":       {400, `{"errors":[` + goneEntry + `],"title":"t","detail":"whole"}`, walletfi.ErrInvalidRequest, "whole"},
		"404":             {404, `{"errors":[{"message":"m"}]}`, walletfi.ErrNotFound, "m"},
		"data of failure": {500, `{"errors":[{"message":"m"}]}`, walletfi.ErrUnavailable, "m"},
	} {
		c := answering(t, row.status, row.body)
		_, post := c.GetPost(t.Context(), "7", walletfi.WithoutRetry())
		_, user := c.GetUserByUsername(t.Context(), "ann", walletfi.WithoutRetry())
		_, page := c.ListUserPosts(t.Context(), "7", socialsearch.UserPostsRequest{}, walletfi.WithoutRetry())
		_, found := c.SearchRecent(t.Context(), socialsearch.SearchRequest{Query: socialsearch.RawQuery("gm")}, walletfi.WithoutRetry())
		for _, err := range []error{post, user, page, found} {
			require.ErrorIs(t, err, row.kind, name)
			require.ErrorContains(t, err, row.says, name)
			require.NotEmpty(t, wiretest.As[*socialsearch.Error](t, err).Problems, name)
		}
	}
	for _, body := range []string{`[]`, `null`, `""`, `{}`, `false`} {
		body = `{"data":{"id":"7"},"errors":` + body + `}`
		require.NoError(t, wiretest.Error(answering(t, http.StatusOK, body).GetPost(t.Context(), "7")), body)
	}
	err := wiretest.Error(answering(t, http.StatusOK, `{"data":{"id":"7"},"error":"no"}`).GetPost(t.Context(), "7"))
	require.ErrorIs(t, err, walletfi.ErrRejected, "what says no, says no")
	require.False(t, errors.Is(err, walletfi.ErrDecode))
}

// TestFormsOfErrors: beside data, errors of any form are what the answer lacks, and all that
// came is in Errors.
func TestFormsOfErrors(t *testing.T) {
	for errors, want := range map[string][]socialsearch.Partial{
		`[{"detail":"d"},"t"]`: {{Detail: "d"}, {Message: "t"}},
		`{"detail":"d"}`:       {{Detail: "d"}},
		`"t"`:                  {{Message: "t"}},
		`{"user":["gone"]}`:    {{Message: `{"user":["gone"]}`}},
		`7`:                    {{Message: "7"}},
		`true`:                 {{Message: "true"}},
		`null`:                 {}, `""`: {}, `{}`: {}, `[]`: {}, `false`: {}, `0`: {}, `[null,{}]`: {},
	} {
		one := answering(t, 200, `{"data":{"id":"5","username":"ann"},"errors":`+errors+`}`)
		post, err := one.GetPost(t.Context(), "5")
		require.NoError(t, err, errors)
		require.Equal(t, want, post.Partial(), errors)
		user, err := one.GetUserByUsername(t.Context(), "ann")
		require.NoError(t, err, errors)
		require.Equal(t, want, user.Partial(), errors)
		if len(want) == 1 {
			require.Equal(t, errors, user.Errors[0].String())
		}
		many := answering(t, 200, `{"data":[{"id":"5"}],"errors":`+errors+`}`)
		page, err := many.ListUserPosts(t.Context(), "1", socialsearch.UserPostsRequest{})
		require.NoError(t, err, errors)
		require.Len(t, page.Items, 1)
		require.Equal(t, want, page.Partial(), errors)
		found, err := many.SearchRecent(t.Context(), socialsearch.SearchRequest{Query: socialsearch.RawQuery("gm")})
		require.NoError(t, err, errors)
		require.Equal(t, want, found.Partial(), errors)
	}
}

// TestNoPosts: a page without posts is one that has a list, or a count of 0.
func TestNoPosts(t *testing.T) {
	for body, isPage := range map[string]bool{
		`{"data":[]}`: true, `{"data":[],"meta":{"result_count":0}}`: true, `{"meta":{"result_count":0}}`: true,
		`{"data":null,"meta":{"result_count":0}}`: true,
		`{}`: false, `[]`: false, `null`: false, `{"posts":[]}`: false, `{"data":null}`: false,
		`{"data":{}}`: false, `{"data":""}`: false, `{"data":{},"meta":{"result_count":0}}`: false, `{"meta":{}}`: false,
		`{"meta":{"result_count":2}}`: false, `{"data":[],"meta":{"result_count":2}}`: false, `{"meta":{"result_count":null}}`: false,
		`{"data":null,"meta":{"result_count":2}}`: false, `{"data":{"id":"5"}}`: false, `{"meta":{"result_count":-1}}`: false,
	} {
		c := answering(t, http.StatusOK, body)
		found := wiretest.Error(c.SearchRecent(t.Context(), socialsearch.SearchRequest{Query: socialsearch.RawQuery("gm")}))
		page := wiretest.Error(c.ListUserPosts(t.Context(), "1", socialsearch.UserPostsRequest{}))
		for _, err := range []error{found, page} {
			if isPage {
				require.NoError(t, err, body)
				continue
			}
			require.ErrorIs(t, err, walletfi.ErrDecode, body)
		}
	}
}

// TestNoRecord: a look-up without a record is an error, never an empty value.
func TestNoRecord(t *testing.T) {
	for body, want := range map[string]error{
		`{"data":null}`: walletfi.ErrNotFound, `{"data":null,"errors":[]}`: walletfi.ErrNotFound,
		`{"data":{}}`: walletfi.ErrDecode, `{"data":[]}`: walletfi.ErrDecode, `{"data":""}`: walletfi.ErrDecode, `{"data":7}`: walletfi.ErrDecode,
		`{"data":[{"id":"7","username":"ann"}]}`: walletfi.ErrDecode, `{"data":{"text":"x"}}`: walletfi.ErrDecode,
		`{}`: walletfi.ErrDecode, `null`: walletfi.ErrDecode, `[]`: walletfi.ErrDecode, `{"errors":[]}`: walletfi.ErrDecode,
	} {
		c := answering(t, http.StatusOK, body)
		post, err := c.GetPost(t.Context(), "7")
		require.ErrorIs(t, err, want, body)
		require.Nil(t, post)
		user, err := c.GetUserByUsername(t.Context(), "ann")
		require.ErrorIs(t, err, want, body)
		require.Nil(t, user)
		require.Equal(t, want == walletfi.ErrDecode, errors.Is(err, walletfi.ErrDecode), body)
	}
}
