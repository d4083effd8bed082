package main

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signing"
)

// anybody is a browser without a session.
func anybody(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &http.Client{Jar: jar}
}

// challenged asks for something to sign.
func (r *rig) challenged(t *testing.T, client *http.Client) (s signIn) {
	t.Helper()
	status, told := r.post(t, client, "/api/challenge", map[string]string{})
	require.Equal(t, http.StatusOK, status)
	text, err := json.Marshal(told)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &s))
	return s
}

// signsIn answers with a signed text.
func (r *rig) signsIn(t *testing.T, client *http.Client, key *signing.LocalKey, address, text string) (int, map[string]any) {
	t.Helper()
	s, err := key.Sign(t.Context(), []byte(text))
	require.NoError(t, err)
	return r.post(t, client, "/api/session", map[string]any{"address": address, "message": []byte(text), "signature": s[:]})
}

// TestSignIn: the text names this site, is good once, for one session and not for long.
func TestSignIn(t *testing.T) {
	r := newRig(t)
	client := anybody(t)
	for name, change := range map[string]func(*signIn){
		"domain": func(s *signIn) { s.Domain = "evil.example" }, "nonce": func(s *signIn) { s.Nonce = "12345678" },
		"expiry": func(s *signIn) { s.ExpirationTime = "2099-01-01T00:00:00Z" },
	} {
		s := r.challenged(t, client)
		change(&s)
		status, told := r.signsIn(t, client, r.key, r.address, s.text(r.address))
		require.Equal(t, http.StatusUnauthorized, status, name)
		require.Contains(t, told["error"], "another text was signed", name)
	}
	other, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	s := r.challenged(t, client)
	status, told := r.signsIn(t, client, other, r.address, s.text(r.address))
	require.Equal(t, http.StatusUnauthorized, status)
	require.Contains(t, told["error"], "not that of the address")
	status, _ = r.signsIn(t, client, r.key, r.address, s.text(r.address))
	require.Equal(t, http.StatusUnauthorized, status, "a challenge is good for one answer")

	s = r.challenged(t, client)
	status, _ = r.signsIn(t, anybody(t), r.key, r.address, s.text(r.address))
	require.Equal(t, http.StatusUnauthorized, status, "another browser's")
	r.backend.mu.Lock()
	r.backend.now = func() time.Time { return time.Now().Add(signInLife + time.Second) }
	r.backend.mu.Unlock()
	status, told = r.signsIn(t, client, r.key, r.address, s.text(r.address))
	require.Equal(t, http.StatusUnauthorized, status)
	require.Contains(t, told["error"], "too long")

	s = r.challenged(t, client)
	status, told = r.signsIn(t, client, r.key, r.address, s.text(r.address))
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, r.address, told["owner"])
}

// TestPaymentsAreASessions: a key is its session's alone, and no other site's page can use it.
func TestPaymentsAreASessions(t *testing.T) {
	r := newRig(t)
	client := anybody(t)
	in := func(client *http.Client, key *signing.LocalKey) {
		address := key.PublicKey().String()
		status, _ := r.signsIn(t, client, key, address, r.challenged(t, client).text(address))
		require.Equal(t, http.StatusOK, status)
	}
	status, told := r.post(t, client, "/api/payments", map[string]string{"amount": "25000000"})
	require.Equal(t, []any{http.StatusUnauthorized, "session"}, []any{status, told["code"]})
	in(client, r.key)
	status, _ = r.post(t, client, "/api/payments", map[string]string{"amount": "25000000"}, "Origin", "http://evil.example")
	require.Equal(t, http.StatusForbidden, status)
	status, _ = r.post(t, client, "/api/payments", map[string]string{"amount": "25000000"}, "Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, status)
	status, first := r.post(t, client, "/api/payments", map[string]string{"amount": "25000000"})
	require.Equal(t, http.StatusOK, status, "%v", first)
	path := "/api/payments/" + first["key"].(string)
	status, again := r.post(t, client, path+"/prepared", nil)
	require.Equal(t, []any{http.StatusOK, true}, []any{status, again["replayed"]})
	require.Equal(t, first["transactions"], again["transactions"])

	stranger := anybody(t)
	key, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	in(stranger, key)
	for _, action := range []string{"/prepared", "/signed", "/declined"} {
		status, told = r.post(t, stranger, path+action, map[string]any{})
		require.Equal(t, []any{http.StatusNotFound, "notFound"}, []any{status, told["code"]}, action)
	}
}
