package smartaccount_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// service answers in place of the network, under a test's virtual clock.
type service struct {
	mu     sync.Mutex
	valid  string                                    // the access token that is taken, "" for any
	answer func(r *http.Request, body string) answer // of the calls that get past the token
	seen   []call
}

type call struct {
	path, token, body string
	at                time.Time
}

type answer struct {
	status int
	body   string
	header http.Header
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.seen = append(s.seen, call{strings.TrimPrefix(r.URL.Path, "/api/v1"), token, string(body), time.Now()})
	a := answer{status: 401, body: `{"error": {"code": "UNAUTHORIZED", "message": "token expired"}}`}
	if token == "" || s.valid == "" || token == s.valid {
		a = s.answer(r, string(body))
	}
	if a.header == nil {
		a.header = http.Header{}
	}
	return &http.Response{StatusCode: a.status, Header: a.header, Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, nil
}

// paths lists what was asked for.
func (s *service) paths() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var paths []string
	for _, c := range s.seen {
		paths = append(paths, c.path)
	}
	return paths
}

func (s *service) count(path string) int {
	n := 0
	for _, p := range s.paths() {
		if p == path {
			n++
		}
	}
	return n
}

// newService is one whose refreshes issue at-1, at-2, ..., each for so long.
func newService(valid, expiresIn string) *service {
	s := &service{valid: valid}
	issued := 0
	s.answer = func(r *http.Request, body string) answer {
		if strings.HasPrefix(r.URL.Path, "/api/v1/auth/") {
			issued++
			token := fmt.Sprintf("at-%d", issued)
			if s.valid != "" {
				s.valid = token
			}
			refresh := `"refreshToken": "rt-123456", `
			if strings.HasSuffix(r.URL.Path, "/refresh") {
				refresh = "" // as documented
			}
			return answer{status: 200, body: fmt.Sprintf(`{%s"accessToken": %q, "expiresIn": %s, "passkeyId": "pk_1", "success": true}`, refresh, token, expiresIn)}
		}
		return answer{status: 200, body: completeFor(r.URL.Path, body)}
	}
	return s
}

func (s *service) client(t testing.TB, cfg smartaccount.Config) *smartaccount.Client {
	cfg.BaseURL = "https://accounts.example.com/api/v1"
	cfg.HTTPClient = &http.Client{Transport: s}
	return configured(t, cfg)
}

// pass lets virtual time go by.
func pass(d time.Duration) { <-time.After(d) }

func get(t *testing.T, c *smartaccount.Client) {
	t.Helper()
	_, err := c.GetAccount(t.Context(), "acc_1")
	require.NoError(t, err)
}
