package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

func TestWhoMayWhat(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	stranger := &caller{rig: r, client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	for _, path := range []string{"/api/portfolio", "/api/payments", "/api/events"} {
		require.Equal(t, http.StatusUnauthorized, stranger.call(t, "GET", path, nil, nil), path)
	}
	status, _ := stranger.raw(t, "GET", "/", nil)
	require.Equal(t, http.StatusSeeOther, status, "a page leads to the sign-in")
	require.Equal(t, http.StatusUnauthorized, stranger.call(t, "POST", "/api/login", map[string]string{"name": "alice", "password": "guess"}, nil))
	require.Equal(t, http.StatusUnauthorized, stranger.call(t, "POST", "/api/login", map[string]string{"name": "eve", "password": "guess"}, nil))

	alice := r.signIn(t, "alice")
	token := alice.csrf
	for _, wrong := range []string{"", "guess", r.signIn(t, "bob").csrf} {
		alice.csrf = wrong
		require.Equal(t, http.StatusForbidden, alice.call(t, "POST", "/api/payments", r.swapOf("25"), nil), wrong)
	}
	alice.csrf = token
	alice.prepare(t, r.swapOf("25"))
	require.Equal(t, http.StatusOK, alice.call(t, "POST", "/api/logout", nil, nil))
	require.Equal(t, http.StatusUnauthorized, alice.call(t, "GET", "/api/portfolio", nil, nil))
}

func TestAnotherSitesFormIsRefused(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	request, err := http.NewRequestWithContext(t.Context(), "POST", r.url+"/login", strings.NewReader("name=alice&password="+r.password))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	response.Body.Close()
	require.Equal(t, http.StatusForbidden, response.StatusCode)
	policy := response.Header.Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'none'")
	require.NotContains(t, policy, "unsafe")
}

func TestAUserHasALimit(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice, bob := r.signIn(t, "alice"), r.signIn(t, "bob")
	refused := 0
	for range 100 {
		if alice.call(t, "GET", "/api/tokens", nil, nil) == http.StatusTooManyRequests {
			refused++
		}
	}
	require.Positive(t, refused)
	require.Equal(t, http.StatusOK, bob.call(t, "GET", "/api/tokens", nil, nil), "another user's requests are not counted")

	refused = 0
	for range 20 {
		if alice.call(t, "POST", "/api/login", map[string]string{"name": "bob", "password": "guess"}, nil) == http.StatusTooManyRequests {
			refused++
		}
	}
	require.Positive(t, refused, "passwords cannot be guessed fast")
}

func TestWebhooksAreVerifiedAndLive(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	alice.approve(t, p)
	signature := alice.await(t, p.ID, "confirmed").Result.Steps[0].Signature
	var answer struct{ Events []struct{ ID, Title string } }
	require.Eventually(t, func() bool {
		alice.call(t, "GET", "/api/webhooks", nil, &answer)
		return len(answer.Events) == 1
	}, waitMost, waitEvery)
	require.Contains(t, answer.Events[0].ID, signature)

	forger := webhooks.DeliverySigner{Secret: walletSecret("guess"), Now: r.box.Now}
	body, err := json.Marshal(map[string]any{"webhookId": "w", "network": "solana-mainnet", "slot": 7, "transactions": []any{}})
	require.NoError(t, err)
	request := forger.Request(r.url+"/hooks/ledger", body)
	request.RequestURI = ""
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	response.Body.Close()
	require.Equal(t, http.StatusUnauthorized, response.StatusCode)
}
