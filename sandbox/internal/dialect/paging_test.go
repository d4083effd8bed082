package dialect_test

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// walked follows the cursors of a list and returns the field of each record.
func walked(t *testing.T, s *worldtest.World, service play.Service, path, param, list, field string, next ...any) (all []string) {
	t.Helper()
	for cursor := ""; len(all) < 1000; {
		at := path
		if cursor != "" {
			at += "&" + param + "=" + url.QueryEscape(cursor)
		}
		a := s.Do(t, service, "GET", at, nil)
		require.Equal(t, 200, a.Status, "%s", a.Raw)
		records, _ := a.At(list).([]any)
		for i := range records {
			all = append(all, a.Text(list, i, field))
		}
		if cursor, _ = a.At(next...).(string); cursor == "" {
			return all
		}
	}
	t.Fatal("the list does not end")
	return nil
}

const markets = "GET /api/v1/markets"

func TestOffsetsBecomeCursors(t *testing.T) {
	s := under(t, play.PredictMeta, deployment.Service{Operations: map[string]deployment.Operation{markets: {
		Words:  deployment.Words{Query: words{"limit": "top"}},
		Paging: &deployment.Paging{Form: deployment.PagingCursor, Param: "after", Next: "links.next", List: "markets"},
		Answer: []deployment.Step{{Unwrap: "data"}},
	}}}, func(c *play.Config) { c.Shape = 0 })
	all := s.Do(t, play.PredictMeta, "GET", "/api/v1/markets?top=1000", nil)
	count := len(all.At("data", "markets").([]any))
	require.Greater(t, count, 20)
	next := s.Do(t, play.PredictMeta, "GET", "/api/v1/markets?top=7", nil)
	require.NotEmpty(t, next.Text("links", "next"), "%s", next.Raw)
	require.Equal(t, next.At("data", "markets", 6), all.At("data", "markets", 6))
	second := s.Do(t, play.PredictMeta, "GET", "/api/v1/markets?top=7&after="+next.Text("links", "next"), nil)
	require.Equal(t, second.At("data", "markets", 0), all.At("data", "markets", 7))
	for cursor, pages := next.Text("links", "next"), 2; ; pages++ {
		page := s.Do(t, play.PredictMeta, "GET", "/api/v1/markets?top=7&after="+cursor, nil)
		if cursor = page.Text("links", "next"); cursor == "" {
			assert.Equal(t, (count+6)/7, pages)
			break
		}
	}
	try(t, s, play.PredictMeta, "GET", []tried{
		{name: "the documented parameter", path: "/api/v1/markets?offset=7", status: 400, problem: "query parameter offset, which the deployment has elsewhere"},
		{name: "no cursor", path: "/api/v1/markets?after=7", status: 400, problem: "query parameter after is no cursor of this list"},
		{name: "a cursor of another list", path: "/api/v1/markets?status=active&after=" + next.Text("links", "next"), status: 400, problem: "query parameter after is no cursor of this list"},
	})
}

func TestOffsetsBecomePages(t *testing.T) {
	first := 0
	s := under(t, play.PredictMeta, deployment.Service{Operations: map[string]deployment.Operation{markets: {
		Paging: &deployment.Paging{Form: deployment.PagingPage, Param: "p", First: &first, Size: 5, List: "markets"},
	}}})
	all := s.Do(t, play.PredictMeta, "GET", "/api/v1/markets?limit=100", nil)
	a := try(t, s, play.PredictMeta, "GET", []tried{
		{name: "size of the request", path: "/api/v1/markets?limit=3&p=2", status: 200},
		{name: "first", path: "/api/v1/markets?limit=3&p=0", status: 200},
		{name: "size of the deployment", path: "/api/v1/markets?p=2", status: 200},
		{name: "no number", path: "/api/v1/markets?p=x", status: 400, problem: "query parameter p is no number of a page or a record"},
	})
	assert.Equal(t, all.At("markets", 6), a["size of the request"].At("markets", 0))
	assert.Equal(t, all.At("markets", 0), a["first"].At("markets", 0))
	assert.Equal(t, all.At("markets", 10), a["size of the deployment"].At("markets", 0))

	s = under(t, play.PredictMeta, deployment.Service{Operations: map[string]deployment.Operation{markets: {
		Paging: &deployment.Paging{Form: deployment.PagingPage, Param: "p", List: "markets"},
	}}})
	try(t, s, play.PredictMeta, "GET", []tried{
		{name: "before the first", path: "/api/v1/markets?p=0", status: 400, problem: "query parameter p is no number of a page or a record"},
		{name: "of no size", path: "/api/v1/markets?p=1", status: 400, problem: "the request and the deployment say no number of records for a page"},
	})
}

func TestPagesBecomeOffsetsAndCursors(t *testing.T) {
	const pools = "GET /networks/{network}/pools"
	s := under(t, play.OnchainData, deployment.Service{Operations: map[string]deployment.Operation{
		pools: {Paging: &deployment.Paging{Form: deployment.PagingOffset, Param: "from", Size: 20, List: "data"}},
	}})
	plain := under(t, play.OnchainData, deployment.Service{})
	documented := plain.Do(t, play.OnchainData, "GET", "/networks/solana/pools?page=2", nil)
	a := try(t, s, play.OnchainData, "GET", []tried{
		{name: "second", path: "/networks/solana/pools?from=20", status: 200},
		{name: "within a page", path: "/networks/solana/pools?from=21", status: 400, problem: "query parameter from is not at the start of a page of 20"},
	})
	require.Equal(t, documented.Text("data", 0, "id"), a["second"].Text("data", 0, "id"))

	s = under(t, play.OnchainData, deployment.Service{Operations: map[string]deployment.Operation{
		pools: {Paging: &deployment.Paging{Form: deployment.PagingCursor, Param: "cursor", Size: 20, Next: "next", List: "data"}},
	}})
	seen := map[string]bool{}
	for path, page := "/networks/solana/pools", 1; page <= 3; page++ {
		a := s.Do(t, play.OnchainData, "GET", path, nil)
		for i := range 20 {
			seen[a.Text("data", i, "id")] = true
		}
		path = "/networks/solana/pools?cursor=" + a.Text("next")
	}
	require.Len(t, seen, 60)
	require.NotContains(t, seen, "")
}

// TestTokensBecomeWhatNot: every form returns each post once, and the live answer has no
// documented token.
func TestTokensBecomeWhatNot(t *testing.T) {
	const search = "/2/posts/search/recent?query=solana&max_results=10"
	plain := under(t, play.SocialSearch, deployment.Service{}, func(c *play.Config) { c.Shape = 0 })
	want := walked(t, plain, play.SocialSearch, search, "next_token", "data", "id", "meta", "next_token")
	require.Greater(t, len(want), 30)
	for _, form := range []deployment.PagingForm{deployment.PagingCursor, deployment.PagingOffset, deployment.PagingPage} {
		t.Run(string(form), func(t *testing.T) {
			s := under(t, play.SocialSearch, deployment.Service{Operations: map[string]deployment.Operation{
				"GET /2/posts/search/recent": {Paging: &deployment.Paging{Form: form, Param: "at", Next: "paging.next", More: "paging.more", List: "data"}},
			}}, func(c *play.Config) { c.Shape = 0 })
			var got []string
			if form == deployment.PagingCursor {
				got = walked(t, s, play.SocialSearch, search, "at", "data", "id", "paging", "next")
			}
			for page := 0; form != deployment.PagingCursor && page < 100; page++ {
				at := len(got)
				if form == deployment.PagingPage {
					at = page + 1
				}
				a := s.Do(t, play.SocialSearch, "GET", fmt.Sprintf("%s&at=%d", search, at), nil)
				require.Equal(t, 200, a.Status, "%s", a.Raw)
				require.Nil(t, a.At("meta", "next_token"))
				records, _ := a.At("data").([]any)
				require.NotEmpty(t, records)
				for i := range records {
					got = append(got, a.Text("data", i, "id"))
				}
				if a.At("paging", "more") == false {
					break
				}
				require.Equal(t, true, a.At("paging", "more"), "%s", a.Raw)
			}
			assert.Equal(t, want, got)
			refused := s.Do(t, play.SocialSearch, "GET", search+"&next_token=x", nil)
			assert.Equal(t, 400, refused.Status)
			assert.Contains(t, s.TakeProblems(), "query parameter next_token, which the deployment has elsewhere")
		})
	}
}

// TestSearchOperators: the values of operators are words, phrases are not.
func TestSearchOperators(t *testing.T) {
	s := under(t, play.SocialSearch, deployment.Service{Words: deployment.Words{Values: map[string]map[string]string{
		"is": {"repost": "share"}, "has": {"links": "urls"}, "post.fields": {"created_at": "made", "entities": "parts"},
	}}})
	search := func(query string) string { return "/2/posts/search/recent?query=" + url.QueryEscape(query) }
	try(t, s, play.SocialSearch, "GET", []tried{
		{name: "live", path: search(`solana -is:share has:urls "is:repost" OR from:alice`), status: 200},
		{name: "documented", path: search(`solana is:repost`), status: 400, problem: `query parameter query has "repost", which the deployment calls "share"`},
		{name: "a list", path: search("solana") + "&post.fields=made,parts,author_id", status: 200},
		{name: "a documented item", path: search("solana") + "&post.fields=made,entities", status: 400, problem: `query parameter post.fields has "entities", which the deployment calls "parts"`},
	})
}
