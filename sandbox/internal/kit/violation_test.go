package kit_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

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
