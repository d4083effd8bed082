package kit_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

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
