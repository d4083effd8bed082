package smartaccount_test

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/smartaccount"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// client is a user of the service under test.
type client struct {
	*started
	t       *testing.T
	email   string
	token   string
	account string
	address string
}

// userOf signs a user in and gives it an account.
func userOf(t *testing.T, s *started, email string) *client {
	t.Helper()
	access, _ := s.SmartAccount.SignIn(email)
	u := &client{started: s, t: t, email: email, token: access}
	a := u.ok("POST", "/accounts", map[string]any{"name": "Main", "type": "personal"})
	u.account, u.address = a.Text("id"), a.Text("address")
	return u
}

func (u *client) send(method, path string, body any) answer {
	u.t.Helper()
	return u.Do(u.t, play.SmartAccount, method, path, body, "Authorization", "Bearer "+u.token)
}

func (u *client) ok(method, path string, body any) answer {
	u.t.Helper()
	a := u.send(method, path, body)
	require.Equal(u.t, 200, a.Status, "%s %s: %s", method, path, a.Raw)
	return a
}

// own is ok on a path below the account.
func (u *client) own(method, path string, body any) answer {
	u.t.Helper()
	return u.ok(method, "/accounts/"+u.account+path, body)
}

// no expects a refusal on a path below the account.
func (u *client) no(status int, code, method, path string, body any) answer {
	u.t.Helper()
	a := u.send(method, "/accounts/"+u.account+path, body)
	require.Equal(u.t, fmt.Sprint(status, " ", code), fmt.Sprint(a.Status, " ", a.Text("error", "code")), "%s %s: %s", method, path, a.Raw)
	require.NotEmpty(u.t, a.Text("error", "message"))
	return a
}

// later lets time pass, and takes a new token in the place of one that may
// have expired meanwhile.
func (u *client) later(d time.Duration) {
	u.Advance(d)
	u.token, _ = u.SmartAccount.SignIn(u.email)
}

// smartAccountPublic sends to a route that takes no token.
func (s *started) public(t *testing.T, path string, body any) answer {
	t.Helper()
	return s.Do(t, play.SmartAccount, "POST", path, body, "Authorization", "")
}

func TestSignsInByCode(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	assert.Empty(t, s.SmartAccount.OneTimeCode("a@example.com"))
	sent := s.public(t, "/auth/email/otp", map[string]any{"email": "a@example.com"})
	require.Equal(t, 200, sent.Status, "%s", sent.Raw)
	assert.Equal(t, true, sent.At("success"))
	assert.NotEmpty(t, sent.Text("message"))
	code := s.SmartAccount.OneTimeCode("a@example.com")
	require.Regexp(t, `^\d{6}$`, code)

	in := s.public(t, "/auth/email/verify", map[string]any{"email": "a@example.com", "otp": code})
	require.Equal(t, 200, in.Status, "%s", in.Raw)
	assert.Equal(t, "900", in.Text("expiresIn"), "in seconds first")
	assert.NotEmpty(t, in.Text("refreshToken"))
	u := &client{started: s, t: t, token: in.Text("accessToken")}
	assert.Equal(t, "0", u.ok("GET", "/accounts", nil).Text("total"))

	again := s.public(t, "/auth/email/verify", map[string]any{"email": "a@example.com", "otp": code})
	assert.Equal(t, 401, again.Status, "a code is good once")
	assert.Equal(t, "UNAUTHORIZED", again.Text("error", "code"))
	bad := s.public(t, "/auth/email/otp", map[string]any{"email": "nobody"})
	assert.Equal(t, []string{"field email is no email address"}, s.TakeProblems())
	assert.Equal(t, 400, bad.Status)
	assert.Equal(t, "VALIDATION_ERROR", bad.Text("error", "code"))
}

func TestCodesEnd(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	verify := func(code string) int {
		return s.public(t, "/auth/email/verify", map[string]any{"email": "a@example.com", "otp": code}).Status
	}
	request := func() string {
		s.public(t, "/auth/email/otp", map[string]any{"email": "a@example.com"})
		return s.SmartAccount.OneTimeCode("a@example.com")
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
	assert.Empty(t, s.SmartAccount.OneTimeCode("a@example.com"))

	code = request()
	s.Advance(10 * time.Minute)
	assert.Empty(t, s.SmartAccount.OneTimeCode("a@example.com"))
	assert.Equal(t, 401, verify(code), "ten minutes end it")
}

func TestTokensExpireAndAreRefreshed(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	access, refresh := s.SmartAccount.SignIn("a@example.com")
	u := &client{started: s, t: t, token: access}
	s.Advance(15*time.Minute - time.Second)
	u.ok("GET", "/accounts", nil)
	s.Advance(time.Second)
	expired := u.send("GET", "/accounts", nil)
	assert.Equal(t, 401, expired.Status)
	assert.Equal(t, "UNAUTHORIZED", expired.Text("error", "code"))

	for i, expires := range []string{"900", "900000", "900"} {
		a := s.public(t, "/auth/refresh", map[string]any{"refreshToken": refresh})
		require.Equal(t, 200, a.Status, "%s", a.Raw)
		assert.Equal(t, expires, a.Text("expiresIn"), "the unit is not documented: %d", i)
		assert.Nil(t, a.At("refreshToken"), "the old refresh token stays good")
		u.token = a.Text("accessToken")
		u.ok("GET", "/accounts", nil)
	}
	for _, bad := range []string{"rt_unknown", u.token} {
		a := s.public(t, "/auth/refresh", map[string]any{"refreshToken": bad})
		assert.Equal(t, 401, a.Status)
	}
	s.Advance(30 * 24 * time.Hour)
	assert.Equal(t, 401, s.public(t, "/auth/refresh", map[string]any{"refreshToken": refresh}).Status)
}

func TestPasskey(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	access, _ := s.SmartAccount.SignIn("a@example.com")
	u := &client{started: s, t: t, token: access}
	key := map[string]any{"credentialId": "cred-1", "publicKey": "AQID", "attestation": map[string]any{"fmt": "none"}}
	a := u.ok("POST", "/auth/passkey/register", key)
	assert.Equal(t, true, a.At("success"))
	assert.Regexp(t, "^pk_", a.Text("passkeyId"))
	assert.Equal(t, 400, u.send("POST", "/auth/passkey/register", key).Status, "registered already")
	for name, bad := range map[string]any{"publicKey": "!", "credentialId": "", "attestation": "none"} {
		body := map[string]any{"credentialId": "cred-2", "publicKey": "AQID", "attestation": map[string]any{}}
		body[name] = bad
		assert.Equal(t, 400, u.send("POST", "/auth/passkey/register", body).Status, name)
		assert.Len(t, s.TakeProblems(), 1, name)
	}

	in := s.public(t, "/auth/passkey/authenticate", map[string]any{"credentialId": "cred-1", "assertion": map[string]any{"signature": "x"}})
	require.Equal(t, 200, in.Status, "%s", in.Raw)
	assert.NotEmpty(t, in.Text("refreshToken"))
	for credential, assertion := range map[string]any{"cred-9": map[string]any{"signature": "x"}, "cred-1": map[string]any{}} {
		a := s.public(t, "/auth/passkey/authenticate", map[string]any{"credentialId": credential, "assertion": assertion})
		assert.Equal(t, 401, a.Status, credential)
		assert.Equal(t, "UNAUTHORIZED", a.Text("error", "code"))
	}

	without := s.public(t, "/auth/passkey/register", key)
	assert.Equal(t, 401, without.Status)
	with := u.send("POST", "/auth/refresh", map[string]any{"refreshToken": "x"})
	assert.Equal(t, 400, with.Status, "a token where none is asked for")
	assert.Len(t, s.TakeProblems(), 2)
}

func TestBudgets(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	u := userOf(t, s, "a@example.com")
	s.Advance(time.Minute)
	reset := strconv.FormatInt(s.Time().Add(time.Minute).Unix(), 10)
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
		assert.Equal(t, "RATE_LIMITED", a.Text("error", "code"))
		assert.Equal(t, "0", a.Header.Get("X-RateLimit-Remaining"))
		assert.Equal(t, reset, a.Header.Get("X-RateLimit-Reset"))
		assert.Empty(t, a.Header.Get("Retry-After"))
	}
	base := "/accounts/" + u.account
	limited(30, func() answer { return u.send("PATCH", base, map[string]any{"name": "x"}) })
	limited(10, func() answer {
		return u.send("POST", base+"/transactions", map[string]any{"instructions": []any{map[string]any{"programId": s.WalletAddress(), "accounts": []any{}, "data": ""}}})
	})
	signIns := 0
	limited(10, func() answer { // registering, which needs a token, counts with the rest
		if signIns++; signIns == 1 {
			return u.send("POST", "/auth/passkey/register", map[string]any{"credentialId": "c", "publicKey": "AQID", "attestation": map[string]any{}})
		}
		return s.public(t, "/auth/refresh", map[string]any{"refreshToken": "x"})
	})
	other, _ := s.SmartAccount.SignIn("a@example.com")
	reads := 0
	limited(100, func() answer { // a new token is the same user
		if reads++; reads == 50 {
			u.token = other
		}
		return u.send("GET", "/accounts", nil)
	})
	userOf(t, s, "b@example.com").ok("GET", "/accounts", nil)
	s.Advance(time.Minute)
	u.ok("GET", "/accounts", nil)
}

// ceremony is a credential in JSON, as a relying party reads it.
type ceremony struct {
	ID, RawID, Type string
	Response        struct{ ClientDataJSON, AttestationObject, AuthenticatorData, Signature string }
}

func readCeremony(t *testing.T, raw json.RawMessage, kind string) (c ceremony, client []byte) {
	t.Helper()
	require.NoError(t, json.Unmarshal(raw, &c))
	client, err := base64.RawURLEncoding.DecodeString(c.Response.ClientDataJSON)
	require.NoError(t, err)
	var data struct{ Type, Challenge, Origin string }
	require.NoError(t, json.Unmarshal(client, &data))
	assert.Equal(t, []string{kind, "https://" + smartaccount.RelyingParty, "public-key", c.ID}, []string{data.Type, data.Origin, c.Type, c.RawID})
	assert.Len(t, data.Challenge, 22)
	return c, client
}

// A relying party that verifies WebAuthn takes what the authenticator makes.
func TestControlPasskeyVerifies(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	p, err := s.SmartAccount.CreatePasskey()
	require.NoError(t, err)
	der, err := base64.StdEncoding.DecodeString(p.PublicKey)
	require.NoError(t, err)
	public, err := x509.ParsePKIXPublicKey(der)
	require.NoError(t, err)
	key := public.(*ecdsa.PublicKey)
	point, err := key.Bytes()
	require.NoError(t, err)

	made, _ := readCeremony(t, p.Attestation, "webauthn.create")
	assert.Equal(t, p.CredentialID, made.ID)
	object, err := base64.RawURLEncoding.DecodeString(made.Response.AttestationObject)
	require.NoError(t, err)
	const head = "\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59"
	require.Equal(t, head, string(object[:len(head)]))
	data := object[len(head)+2:]
	assert.EqualValues(t, len(data), binary.BigEndian.Uint16(object[len(head):]))
	party := sha256.Sum256([]byte(smartaccount.RelyingParty))
	assert.Equal(t, party[:], data[:32])
	assert.EqualValues(t, 0x45, data[32])
	id, err := base64.RawURLEncoding.DecodeString(p.CredentialID)
	require.NoError(t, err)
	assert.EqualValues(t, len(id), binary.BigEndian.Uint16(data[53:]))
	assert.Equal(t, id, data[55:55+len(id)])
	cose := data[55+len(id):]
	assert.Equal(t, append(append([]byte("\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20"), point[1:33]...), append([]byte("\x22\x58\x20"), point[33:]...)...), cose)

	counts := []uint32{binary.BigEndian.Uint32(data[33:])}
	for range 2 {
		raw, err := s.SmartAccount.AssertPasskey(p.CredentialID)
		require.NoError(t, err)
		c, client := readCeremony(t, raw, "webauthn.get")
		data, err := base64.RawURLEncoding.DecodeString(c.Response.AuthenticatorData)
		require.NoError(t, err)
		signature, err := base64.RawURLEncoding.DecodeString(c.Response.Signature)
		require.NoError(t, err)
		sum := sha256.Sum256(client)
		digest := sha256.Sum256(append(append([]byte{}, data...), sum[:]...))
		assert.True(t, ecdsa.VerifyASN1(key, digest[:], signature))
		counts = append(counts, binary.BigEndian.Uint32(data[33:]))
	}
	assert.Equal(t, []uint32{1, 2, 3}, counts, "the signature counter rises")
	_, err = s.SmartAccount.AssertPasskey("another")
	assert.Error(t, err)
	other, err := s.SmartAccount.CreatePasskey()
	require.NoError(t, err)
	assert.NotEqual(t, p.PublicKey, other.PublicKey)
}
