package hollow

import (
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

// told is an answer under a status of success, and the sentinel that it is, nil if it is an answer.
type told struct {
	service     sandbox.Service
	route, body string
	is          error
}

// documentedNo has for each row of the table of docs/errors.md, by the begin of its first column, answers
// of which the row tells.
func documentedNo() map[string][]told {
	const (
		series, search, hook = "GET /api/v1/series", "GET /2/posts/search/recent", "GET /webhooks/rest/v1/webhooks/{webhookId}"
		post, networks, fee  = "GET /2/posts/{id}", "GET /api/v3/onchain/networks", "GET /main/auto-fee"
		fees                 = `{"default":{"vh":3,"h":2,"m":1}}`
	)
	missing := `[{"title":"Not Found Error","detail":"no such post"}]`
	said := func(members string, is error) told {
		return told{sandbox.PredictMeta, series, `{"series":[],` + members + `}`, is}
	}
	social := func(route, body string, is error) told { return told{sandbox.SocialSearch, route, body, is} }
	return map[string][]told{
		"`success` that is false": {said(`"success":false`, walletfi.ErrRejected)},
		"`data` of `amm` without a `success`": {
			{sandbox.AMM, fee, `{"id":"1","data":` + fees + `}`, walletfi.ErrRejected},
			{sandbox.AMM, fee, `{"id":"1","success":"yes","data":` + fees + `}`, walletfi.ErrRejected},
			{sandbox.AMM, fee, `{"id":"1","success":true,"data":` + fees + `}`, nil},
		},
		"`error` that is a text": {
			said(`"error":"x"`, walletfi.ErrRejected), said(`"error":{"code":1}`, walletfi.ErrRejected), said(`"error":7`, walletfi.ErrRejected),
		},
		"`error` or `errors` that is null": {
			said(`"error":null,"errors":[]`, nil), said(`"error":false,"errors":null`, nil), said(`"error":0,"errors":{}`, nil), said(`"error":""`, nil),
		},
		"any of them inside":         {said(`"x":{"error":"x","errors":["x"],"success":false}`, nil)},
		"`ok`, `code`":               {said(`"ok":false,"code":500,"statusCode":500,"status":"error","msg":"failed"`, nil)},
		"`error` of a webhook":       {{sandbox.Webhooks, hook, `{"id":"wh_1","error":"x"}`, nil}},
		"`errors` that is not":       {said(`"errors":[{"message":"x"}]`, walletfi.ErrRejected), said(`"errors":"x"`, walletfi.ErrRejected)},
		"a `status` with a code":     {{sandbox.OnchainData, networks, `{"data":[],"status":{"error_code":404}}`, walletfi.ErrNotFound}},
		"`errors` without `data`":    {social(post, `{"errors":`+missing+`}`, walletfi.ErrNotFound), social(post, `{"errors":["x"]}`, walletfi.ErrRejected)},
		"`errors` beside `data`":     {social(post, `{"data":{"id":"1"},"errors":`+missing+`}`, nil), social(search, `{"data":[],"errors":["x"],"meta":{"result_count":0}}`, nil)},
		"`errors` of `socialsearch`": {social(post, `{"errors":"x"}`, walletfi.ErrRejected), social(post, `{"data":{"id":"1"},"errors":7}`, nil)},
	}
}

// TestDocumentedNo holds the table of docs/errors.md to what the clients do: each row has answers here, and
// nothing else has.
func TestDocumentedNo(t *testing.T) {
	text, err := os.ReadFile("../../docs/errors.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "## A success that says no")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	rows, answers := 0, documentedNo()
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| the top level has") {
			continue
		}
		rows++
		isOf := func(begin string) bool { return strings.HasPrefix(line, "| "+begin) }
		begins := slices.DeleteFunc(slices.Collect(maps.Keys(answers)), func(begin string) bool { return !isOf(begin) })
		require.Len(t, begins, 1, "answers of the row %s", line)
		for _, a := range answers[begins[0]] {
			all := hollows[a.service](t)
			at := slices.IndexFunc(all, func(row hollow) bool { return row.route == a.route })
			require.GreaterOrEqual(t, at, 0, a.route)
			_, _, err := all[at].ask(t, http.StatusOK, a.body)
			if a.is == nil {
				require.NoError(t, err, a.body)
				continue
			}
			require.ErrorIs(t, err, a.is, a.body)
			require.NotContains(t, line, "a part of the answer")
		}
	}
	require.Equal(t, len(answers), rows)
}
