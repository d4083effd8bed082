package main

import (
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestAChosenSessionIsWorthNothing: a cookie that was planted before the sign-in does
// not become the session.
func TestAChosenSessionIsWorthNothing(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	planted := &http.Cookie{Name: "session", Value: "CHOSENBYANATTACKER", Path: "/"}
	jar.SetCookies(mustURL(t, r.url), []*http.Cookie{planted})
	victim := &caller{rig: r, client: &http.Client{Jar: jar, Transport: r.document}}
	require.Equal(t, http.StatusOK, victim.call(t, "POST", "/api/login", map[string]string{"name": "alice", "password": r.password}, nil))
	require.NotEqual(t, planted.Value, jar.Cookies(mustURL(t, r.url))[0].Value)

	attacker, err := cookiejar.New(nil)
	require.NoError(t, err)
	attacker.SetCookies(mustURL(t, r.url), []*http.Cookie{planted})
	require.Equal(t, http.StatusUnauthorized, (&caller{rig: r, client: &http.Client{Jar: attacker, Transport: r.document}}).call(t, "GET", "/api/portfolio", nil, nil))
}

// TestAnotherUsersDigest: each has a payment under review; the digest of one approves
// nothing of the other.
func TestAnotherUsersDigest(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice, bob := r.signIn(t, "alice"), r.signIn(t, "bob")
	mine, theirs := alice.prepare(t, r.swapOf("25")), bob.prepare(t, r.swapOf("25"))
	require.NotEqual(t, mine.Digest, theirs.Digest)
	require.Equal(t, http.StatusConflict, alice.call(t, "POST", "/api/payments/"+mine.ID+"/approval", map[string]string{"digest": theirs.Digest}, nil))
	require.Equal(t, http.StatusNotFound, alice.call(t, "POST", "/api/payments/"+theirs.ID+"/approval", map[string]string{"digest": theirs.Digest}, nil))
	require.EqualValues(t, 1_000_000_000, r.usdc(t, "alice"))
	require.EqualValues(t, 1_000_000_000, r.usdc(t, "bob"))
}

func TestHugeBodiesAreCutOff(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	for _, path := range []string{"/api/login", "/api/payments", "/api/payments/x/approval"} {
		status := alice.call(t, "POST", path, map[string]string{"kind": strings.Repeat("x", 1<<20)}, nil)
		require.GreaterOrEqual(t, status, 400, path)
		require.Less(t, status, 500, path)
	}
	require.Equal(t, http.StatusOK, alice.call(t, "GET", "/api/tokens", nil, nil))
}

// TestWhatStrangersWriteIsEscaped: titles of markets and public posts with markup.
func TestWhatStrangersWriteIsEscaped(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	const markup = "<img src=x onerror=alert(1)>"
	lies := func(service sandbox.Service, path, body string) {
		r.box.Fault(sandbox.Route{Service: service, Pattern: path}, sandbox.Fault{Status: http.StatusOK, Body: []byte(body)})
	}
	const mint, other = "So11111111111111111111111111111111111111112", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	const event = `{"ticker":"T","title":"` + markup + `","description":"","series_ticker":"S","category":"c",` +
		`"status":"active","close_time":"2030-01-01T00:00:00Z","markets":[{"ticker":"T-M","last_price":0.5,` +
		`"yes_mint":"` + mint + `","no_mint":"` + other + `","volume_24h":1}]}`
	lies(sandbox.PredictMeta, "/api/v1/events", `{"events":[`+event+`],"total":1,"limit":1,"offset":0}`)
	lies(sandbox.PredictMeta, "/api/v1/event/{ticker}", event)
	lies(sandbox.SocialSearch, "/2/posts/search/recent", `{"data":[{"id":"1","text":"`+markup+`","author_id":"7","created_at":"2026-01-01T00:00:00Z"}],
		"includes":{"users":[{"id":"7","username":"`+markup+`"}]},"meta":{"result_count":1}}`)
	text := r.signIn(t, "alice").page(t, "/prices")
	require.NotContains(t, text, "<img")
	require.Equal(t, 3, strings.Count(text, "&lt;img src=x onerror=alert(1)&gt;"), "a title, a post, its author")
}

// TestStreamsAreBounded: a user who opens page after page keeps no more than 16.
func TestStreamsAreBounded(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	open := 0
	for range 20 {
		request, err := http.NewRequestWithContext(t.Context(), "GET", r.url+"/api/events", nil)
		require.NoError(t, err)
		response, err := alice.client.Do(request)
		require.NoError(t, err)
		t.Cleanup(func() { response.Body.Close() })
		if response.StatusCode == http.StatusOK {
			open++
			continue
		}
		require.Equal(t, http.StatusTooManyRequests, response.StatusCode)
	}
	require.Equal(t, 16, open)
}

// TestNoSecretInTheLogOfABadDay has everything go wrong that is logged, at the most
// talkative level, and looks in the log and in the database for each secret that there is:
// the services' keys, the node's address, the control port's token, passwords, sessions,
// form tokens, and what tokens are sealed with.
func TestNoSecretInTheLogOfABadDay(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	alice.approve(t, p)
	alice.await(t, p.ID, "confirmed")
	token, err := r.backend.db.Token(r.user(t, "alice").ID).Load(t.Context())
	require.NoError(t, err)
	require.False(t, token.Access.IsZero())

	wrong := &caller{rig: r, client: &http.Client{Transport: r.document}}
	wrong.call(t, "POST", "/api/login", map[string]string{"name": "alice", "password": r.password + "x"}, nil)
	alice.csrf, wrong.csrf = "guess", alice.csrf
	require.Equal(t, http.StatusForbidden, alice.call(t, "POST", "/api/payments", r.swapOf("25"), nil))
	alice.csrf = wrong.csrf
	hook, err := http.Post(r.url+"/hooks/ledger", "application/json", http.NoBody)
	require.NoError(t, err)
	hook.Body.Close()
	faults := 0
	for _, service := range sandbox.Services() {
		for _, f := range []sandbox.Fault{{Status: http.StatusUnauthorized, Times: 2}, {Reset: true, Times: 4}, {Garbage: true, Times: 2}} {
			r.box.Fault(sandbox.Route{Service: service}, f)
			faults++
		}
	}
	require.Positive(t, faults)
	failed := 0
	for range 3 {
		for _, path := range []string{"/", "/prices", "/swap?amount=25", "/lending", "/burn"} {
			if status, _ := alice.raw(t, "GET", path, nil); status >= 400 {
				failed++
			}
		}
		alice.call(t, "POST", "/api/payments", r.swapOf("25"), nil)
	}
	require.Positive(t, failed)
	require.Contains(t, r.log.String(), "request failed")

	secrets := map[string]string{
		"password": r.password, "form token": alice.csrf, "hash": r.user(t, "alice").Password,
		"access token": token.Access.Reveal(), "refresh token": token.Refresh.Reveal(),
	}
	for _, name := range settings.Names {
		secret, err := r.settings.Secret(name)
		require.NoError(t, err)
		if !secret.IsZero() {
			secrets[name] = secret.Reveal()
		}
	}
	for _, cookie := range alice.client.Jar.Cookies(mustURL(t, r.url)) {
		secrets["cookie"] = cookie.Value
	}
	master, err := os.ReadFile(filepath.Join(r.data, "master.key"))
	require.NoError(t, err)
	secrets["master key"] = string(master)
	require.Greater(t, len(secrets), 15)
	log, database := r.log.String(), readAll(t, r.data, "walletbackend.db*")
	kept := []string{"form token", "hash"} // which are worth nothing alone
	for name, secret := range secrets {
		require.Greater(t, len(secret), 5, name)
		if name == settings.RPCURL { // in the demo only an address, which errors name without its path
			continue
		}
		require.NotContains(t, log, secret, name)
		if !slices.Contains(kept, name) {
			require.NotContains(t, database, secret, name)
		}
	}
}
