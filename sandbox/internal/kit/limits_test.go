package kit_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestStrictHeadersOfLimits asks for the headers that the text documents, with a
// fault and with limits off.
func TestStrictHeadersOfLimits(t *testing.T) {
	for _, noLimits := range []bool{false, true} {
		s := start(t, play.Config{ManualClock: true, NoLimits: noLimits})
		access, _ := s.SmartAccount.SignIn("a@example.com")
		accounts := func() answer {
			return s.Do(t, play.SmartAccount, "GET", "/accounts", nil, "Authorization", "Bearer "+access)
		}
		a := accounts()
		assert.Equal(t, 200, a.Status)
		assert.Equal(t, "100", a.Header.Get("X-RateLimit-Limit"))
		assert.Equal(t, "99", a.Header.Get("X-RateLimit-Remaining"))
		assert.Equal(t, "1767225660", a.Header.Get("X-RateLimit-Reset"))

		s.Fault(play.Route{Service: play.SmartAccount}, play.Fault{Status: 429, Times: 1})
		a = accounts()
		assert.Equal(t, 429, a.Status)
		assert.Equal(t, "RATE_LIMITED", a.Text("error", "code"))
		assert.Equal(t, "100", a.Header.Get("X-RateLimit-Limit"))
		assert.Equal(t, "0", a.Header.Get("X-RateLimit-Remaining"))
		assert.Equal(t, "1767225660", a.Header.Get("X-RateLimit-Reset"))

		for _, path := range []string{"/2/posts/search/recent?query=a", "/2/posts/1"} {
			s.Fault(play.Route{Service: play.SocialSearch}, play.Fault{Status: 429, Times: 1})
			a = s.Do(t, play.SocialSearch, "GET", path, nil)
			assert.Equal(t, 429, a.Status)
			assert.NotEmpty(t, a.Header.Get("X-Rate-Limit-Reset"), path)
		}
		s.Fault(play.Route{Service: play.SmartAccount}, play.Fault{Status: 429, Times: 1, Header: http.Header{"X-Ratelimit-Reset": {"7"}}})
		assert.Equal(t, "7", accounts().Header.Get("X-RateLimit-Reset"), "the caller's replaces it")
	}
}

func TestLongRunShelf(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	s.Lock()
	aged, capped := kit.NewShelf[int, string](s.Core, time.Minute, 0), kit.NewShelf[int, string](s.Core, 0, 3)
	aged.Put(1, "one")
	for i := range 5 {
		capped.Put(i, "x")
	}
	assert.Equal(t, 3, capped.Len())
	_, ok := capped.Get(1)
	assert.False(t, ok, "the eldest went first")
	capped.Put(2, "again")
	capped.Put(9, "y")
	v, ok := capped.Get(2)
	assert.True(t, ok && v == "again", "what is put again is young again")
	capped.Delete(2)
	capped.Delete(2)
	assert.Equal(t, 2, capped.Len())
	for i := range 1000 {
		capped.Put(i, "z")
		capped.Delete(i)
	}
	capped.Put(7, "seven")
	_, ok = capped.Get(7)
	assert.True(t, ok, "what was deleted does not take its successor along")
	s.Unlock()

	s.Advance(59 * time.Second)
	s.Lock()
	_, ok = aged.Get(1)
	assert.True(t, ok)
	aged.Put(2, "two")
	s.Unlock()
	s.Advance(time.Second)
	s.Lock()
	_, ok = aged.Get(1)
	assert.False(t, ok)
	assert.Equal(t, 1, aged.Len())
	s.Unlock()
	s.Advance(time.Minute)
	s.Lock()
	assert.Zero(t, aged.Len(), "without another call")
	s.Unlock()
}

func TestRefusedRequestsAreViolations(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	get := func(path string, headers ...string) answer {
		return s.Do(t, play.Lending, "GET", path, nil, headers...)
	}
	for _, test := range []struct {
		name    string
		send    func() answer
		status  int
		code    string
		problem string
	}{
		{"unknown parameter", func() answer { return get("/v1/pools?x=1") }, 400, "BAD_REQUEST", "unknown query parameter x"},
		{"no key", func() answer { return get("/v1/pools", "X-Api-Key", "") }, 401, "UNAUTHORIZED", "no credential: X-Api-Key is missing"},
		{"unknown path", func() answer { return get("/v1/pool") }, 404, "NOT_FOUND", "no such route"},
		{"trailing slash", func() answer { return get("/v1/pools/") }, 404, "NOT_FOUND", "no such route"},
		{"method", func() answer { return s.Do(t, play.Lending, "POST", "/v1/pools", nil) }, 405, "BAD_REQUEST", "the method is not allowed here"},
		{"escaped slash", func() answer { return get("/v1/account/a%2fhistory") }, 400, "BAD_REQUEST", "path parameter walletAddress is no address"},
		{"idempotency", func() answer {
			return s.Do(t, play.Lending, "POST", "/v1/referrer/claim", map[string]string{"referrer": s.WalletAddress()}, "Idempotency-Key", "1")
		}, 404, "NOT_FOUND", "an Idempotency-Key, which no service documents"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := test.send()
			assert.Equal(t, test.status, a.Status)
			assert.Equal(t, test.code, a.Text("error", "code"))
			problems := s.TakeProblems()
			assert.Equal(t, []string{test.problem}, problems)
		})
	}
}
