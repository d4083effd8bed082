package sandbox

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// smartAccountClient is a user of the service under test.
type smartAccountClient struct {
	*started
	t       *testing.T
	email   string
	token   string
	account string
	address string
}

// smartAccountUserOf signs a user in and gives it an account.
func smartAccountUserOf(t *testing.T, s *started, email string) *smartAccountClient {
	t.Helper()
	access, _ := s.SmartAccountTokens(email)
	u := &smartAccountClient{started: s, t: t, email: email, token: access}
	a := u.ok("POST", "/accounts", map[string]any{"name": "Main", "type": "personal"})
	u.account, u.address = a.text("id"), a.text("address")
	return u
}

func (u *smartAccountClient) send(method, path string, body any) answer {
	u.t.Helper()
	return u.do(u.t, SmartAccount, method, path, body, "Authorization", "Bearer "+u.token)
}

func (u *smartAccountClient) ok(method, path string, body any) answer {
	u.t.Helper()
	a := u.send(method, path, body)
	require.Equal(u.t, 200, a.Status, "%s %s: %s", method, path, a.Raw)
	return a
}

// own is ok on a path below the account.
func (u *smartAccountClient) own(method, path string, body any) answer {
	u.t.Helper()
	return u.ok(method, "/accounts/"+u.account+path, body)
}

// no expects a refusal on a path below the account.
func (u *smartAccountClient) no(status int, code, method, path string, body any) answer {
	u.t.Helper()
	a := u.send(method, "/accounts/"+u.account+path, body)
	require.Equal(u.t, fmt.Sprint(status, " ", code), fmt.Sprint(a.Status, " ", a.text("error", "code")), "%s %s: %s", method, path, a.Raw)
	require.NotEmpty(u.t, a.text("error", "message"))
	return a
}

// later lets time pass, and takes a new token in the place of one that may
// have expired meanwhile.
func (u *smartAccountClient) later(d time.Duration) {
	u.Advance(d)
	u.token, _ = u.SmartAccountTokens(u.email)
}

// smartAccountPublic sends to a route that takes no token.
func (s *started) smartAccountPublic(t *testing.T, path string, body any) answer {
	t.Helper()
	return s.do(t, SmartAccount, "POST", path, body, "Authorization", "")
}

func TestSmartAccountSignsInByCode(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	assert.Empty(t, s.OneTimeCode("a@example.com"))
	sent := s.smartAccountPublic(t, "/auth/email/otp", map[string]any{"email": "a@example.com"})
	require.Equal(t, 200, sent.Status, "%s", sent.Raw)
	assert.Equal(t, true, sent.at("success"))
	assert.NotEmpty(t, sent.text("message"))
	code := s.OneTimeCode("a@example.com")
	require.Regexp(t, `^\d{6}$`, code)

	in := s.smartAccountPublic(t, "/auth/email/verify", map[string]any{"email": "a@example.com", "otp": code})
	require.Equal(t, 200, in.Status, "%s", in.Raw)
	assert.Equal(t, "900", in.text("expiresIn"), "in seconds first")
	assert.NotEmpty(t, in.text("refreshToken"))
	u := &smartAccountClient{started: s, t: t, token: in.text("accessToken")}
	assert.Equal(t, "0", u.ok("GET", "/accounts", nil).text("total"))

	again := s.smartAccountPublic(t, "/auth/email/verify", map[string]any{"email": "a@example.com", "otp": code})
	assert.Equal(t, 401, again.Status, "a code is good once")
	assert.Equal(t, "UNAUTHORIZED", again.text("error", "code"))
	bad := s.smartAccountPublic(t, "/auth/email/otp", map[string]any{"email": "nobody"})
	assert.Equal(t, 400, bad.Status)
	assert.Equal(t, "VALIDATION_ERROR", bad.text("error", "code"))
}

func TestSmartAccountCodesEnd(t *testing.T) {
	s := start(t, Config{ManualClock: true, NoLimits: true})
	verify := func(code string) int {
		return s.smartAccountPublic(t, "/auth/email/verify", map[string]any{"email": "a@example.com", "otp": code}).Status
	}
	request := func() string {
		s.smartAccountPublic(t, "/auth/email/otp", map[string]any{"email": "a@example.com"})
		return s.OneTimeCode("a@example.com")
	}
	first := request()
	second := request()
	assert.Equal(t, 401, verify(first), "a new code replaces the old one")
	assert.Equal(t, 200, verify(second))

	code := request()
	for range 5 {
		assert.Equal(t, 401, verify("wrong"))
	}
	assert.Equal(t, 401, verify(code), "five wrong tries end it")
	assert.Empty(t, s.OneTimeCode("a@example.com"))

	code = request()
	s.Advance(10 * time.Minute)
	assert.Empty(t, s.OneTimeCode("a@example.com"))
	assert.Equal(t, 401, verify(code), "ten minutes end it")
}

func TestSmartAccountTokensExpireAndAreRefreshed(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	access, refresh := s.SmartAccountTokens("a@example.com")
	u := &smartAccountClient{started: s, t: t, token: access}
	s.Advance(15*time.Minute - time.Second)
	u.ok("GET", "/accounts", nil)
	s.Advance(time.Second)
	expired := u.send("GET", "/accounts", nil)
	assert.Equal(t, 401, expired.Status)
	assert.Equal(t, "UNAUTHORIZED", expired.text("error", "code"))

	for i, expires := range []string{"900", "900000", "900"} {
		a := s.smartAccountPublic(t, "/auth/refresh", map[string]any{"refreshToken": refresh})
		require.Equal(t, 200, a.Status, "%s", a.Raw)
		assert.Equal(t, expires, a.text("expiresIn"), "the unit is not documented: %d", i)
		assert.Nil(t, a.at("refreshToken"), "the old refresh token stays good")
		u.token = a.text("accessToken")
		u.ok("GET", "/accounts", nil)
	}
	for _, bad := range []string{"rt_unknown", u.token} {
		a := s.smartAccountPublic(t, "/auth/refresh", map[string]any{"refreshToken": bad})
		assert.Equal(t, 401, a.Status)
	}
	s.Advance(30 * 24 * time.Hour)
	assert.Equal(t, 401, s.smartAccountPublic(t, "/auth/refresh", map[string]any{"refreshToken": refresh}).Status)
}

func TestSmartAccountPasskey(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	access, _ := s.SmartAccountTokens("a@example.com")
	u := &smartAccountClient{started: s, t: t, token: access}
	key := map[string]any{"credentialId": "cred-1", "publicKey": "AQID", "attestation": map[string]any{"fmt": "none"}}
	a := u.ok("POST", "/auth/passkey/register", key)
	assert.Equal(t, true, a.at("success"))
	assert.Regexp(t, "^pk_", a.text("passkeyId"))
	assert.Equal(t, 400, u.send("POST", "/auth/passkey/register", key).Status, "registered already")
	for name, bad := range map[string]any{"publicKey": "!", "credentialId": "", "attestation": "none"} {
		body := map[string]any{"credentialId": "cred-2", "publicKey": "AQID", "attestation": map[string]any{}}
		body[name] = bad
		assert.Equal(t, 400, u.send("POST", "/auth/passkey/register", body).Status, name)
	}

	in := s.smartAccountPublic(t, "/auth/passkey/authenticate", map[string]any{"credentialId": "cred-1", "assertion": map[string]any{"signature": "x"}})
	require.Equal(t, 200, in.Status, "%s", in.Raw)
	assert.NotEmpty(t, in.text("refreshToken"))
	for credential, assertion := range map[string]any{"cred-9": map[string]any{"signature": "x"}, "cred-1": map[string]any{}} {
		a := s.smartAccountPublic(t, "/auth/passkey/authenticate", map[string]any{"credentialId": credential, "assertion": assertion})
		assert.Equal(t, 401, a.Status, credential)
		assert.Equal(t, "UNAUTHORIZED", a.text("error", "code"))
	}

	without := s.smartAccountPublic(t, "/auth/passkey/register", key)
	assert.Equal(t, 401, without.Status)
	with := u.send("POST", "/auth/refresh", map[string]any{"refreshToken": "x"})
	assert.Equal(t, 400, with.Status, "a token where none is asked for")
	assert.Len(t, s.takeViolations(), 2)
}

func TestSmartAccountBudgets(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	u := smartAccountUserOf(t, s, "a@example.com")
	s.Advance(time.Minute)
	reset := strconv.FormatInt(s.Now().Add(time.Minute).Unix(), 10)
	limited := func(n int, request func() answer) {
		t.Helper()
		for i := range n {
			a := request()
			require.NotEqual(t, 429, a.Status, "request %d: %s", i, a.Raw)
			require.Equal(t, strconv.Itoa(n), a.Header.Get("X-RateLimit-Limit"))
			require.Equal(t, strconv.Itoa(n-1-i), a.Header.Get("X-RateLimit-Remaining"))
			require.Equal(t, reset, a.Header.Get("X-RateLimit-Reset"))
		}
		a := request()
		require.Equal(t, 429, a.Status)
		assert.Equal(t, "RATE_LIMITED", a.text("error", "code"))
		assert.Equal(t, "0", a.Header.Get("X-RateLimit-Remaining"))
		assert.Equal(t, reset, a.Header.Get("X-RateLimit-Reset"))
		assert.Empty(t, a.Header.Get("Retry-After"))
	}
	base := "/accounts/" + u.account
	limited(30, func() answer { return u.send("PATCH", base, map[string]any{"name": "x"}) })
	limited(10, func() answer { return u.send("POST", base+"/transactions", map[string]any{"instructions": []any{}}) })
	signIns := 0
	limited(10, func() answer { // registering, which needs a token, counts with the rest
		if signIns++; signIns == 1 {
			return u.send("POST", "/auth/passkey/register", map[string]any{"credentialId": "c", "publicKey": "AQID", "attestation": map[string]any{}})
		}
		return s.smartAccountPublic(t, "/auth/refresh", map[string]any{"refreshToken": "x"})
	})
	other, _ := s.SmartAccountTokens("a@example.com")
	reads := 0
	limited(100, func() answer { // a new token is the same user
		if reads++; reads == 50 {
			u.token = other
		}
		return u.send("GET", "/accounts", nil)
	})
	smartAccountUserOf(t, s, "b@example.com").ok("GET", "/accounts", nil)
	s.Advance(time.Minute)
	u.ok("GET", "/accounts", nil)
}
