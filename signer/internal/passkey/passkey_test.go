package passkey_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/internal/passkey"
	"github.com/walletfi/walletfi-go/signer/internal/passkey/passkeytest"
)

const text = "GRANT \"7f1c\"\n"

func site(t *testing.T) passkey.Site {
	s, err := passkey.ParseSite("https://signer.example:8443")
	require.NoError(t, err)
	return s
}

func TestVerify(t *testing.T) {
	page := site(t)
	ann, bob := passkeytest.New(t, page), passkeytest.NewRSA(t, page)
	var keys []*passkey.Key
	for _, p := range []*passkeytest.Passkey{ann, bob} {
		k, err := passkey.ParseKey(p.Key().String())
		require.NoError(t, err)
		keys = append(keys, k)
	}
	for i, p := range []*passkeytest.Passkey{ann, bob} {
		for _, want := range []grant.Verdict{grant.Approves, grant.Denies} {
			p.Count++
			key, v, count, err := page.Verify(text, p.Says(text, want), keys)
			require.NoError(t, err)
			assert.Equal(t, i, key)
			assert.Equal(t, want, v)
			assert.Equal(t, p.Count, count)
		}
	}
	ann.Client = map[string]any{"other_keys_can_be_added_here": "as Chromium says"}
	ann.Flags, ann.After = passkeytest.Verified|8|16|128, []byte{0xa0} // synchronized, with an extension
	_, _, _, err := page.Verify(text, ann.Says(text, grant.Approves), keys)
	require.NoError(t, err)
}

// hostile are assertions that approve nothing. lax says that go-webauthn takes it.
var hostile = map[string]struct {
	do  func(p *passkeytest.Passkey) string
	lax bool
}{
	"another page":         {do: set(func(p *passkeytest.Passkey) { p.Origin = "https://evil.example" })},
	"another port":         {do: set(func(p *passkeytest.Passkey) { p.Origin = "https://signer.example" })},
	"no TLS":               {do: set(func(p *passkeytest.Passkey) { p.Origin = "http://signer.example:8443" })},
	"a page above":         {lax: true, do: set(func(p *passkeytest.Passkey) { p.Origin = "https://signer.example:8443/" })},
	"another site":         {do: set(func(p *passkeytest.Passkey) { p.RP = "example" })},
	"an origin as a site":  {do: set(func(p *passkeytest.Passkey) { p.RP = p.Origin })},
	"nobody verified":      {do: set(func(p *passkeytest.Passkey) { p.Flags = 1 })},
	"nobody present":       {do: set(func(p *passkeytest.Passkey) { p.Flags = 4 })},
	"no flags":             {do: set(func(p *passkeytest.Passkey) { p.Flags = 0 })},
	"a copy without leave": {lax: true, do: set(func(p *passkeytest.Passkey) { p.Flags |= 16 })},
	"registration data":    {do: set(func(p *passkeytest.Passkey) { p.Flags |= 64 })},
	"no extension":         {do: set(func(p *passkeytest.Passkey) { p.Flags |= 128 })},
	"bytes more":           {do: set(func(p *passkeytest.Passkey) { p.After = []byte{0} })},
	"a registration":       {do: set(func(p *passkeytest.Passkey) { p.Type = "webauthn.create" })},
	"a payment":            {do: set(func(p *passkeytest.Passkey) { p.Type = "payment.get" })},
	"in a frame":           {do: with("crossOrigin", true)},
	"in a frame, as text":  {do: with("crossOrigin", "false")},
	"below a page":         {do: with("topOrigin", "https://evil.example")},
	"another text":         {do: func(p *passkeytest.Passkey) string { return p.Says(text+" ", grant.Approves) }},
	"no challenge":         {do: with("challenge", "")},
	"a challenge as list":  {do: with("challenge", []string{passkey.Challenge(text, grant.Approves)})},
	"origin twice": {lax: true, do: client(`{"type":"webauthn.get","challenge":"C","origin":"https://evil.example",
		"origin":"https://signer.example:8443"}`)},
	"a name in capitals": {lax: true, do: client(`{"type":"webauthn.get","challenge":"C","Origin":"https://signer.example:8443"}`)},
	"a null":             {do: client(`null`)},
	"no text":            {do: client(``)},
	"a list":             {do: client(`[]`)},
	"more than a text":   {do: client(`{"type":"webauthn.get","challenge":"C","origin":"https://signer.example:8443"} {}`)},
	"padded":             {lax: true, do: edited(func(a *passkey.Assertion) { a.AuthenticatorData += "=" })},
	"in lines":           {lax: true, do: edited(func(a *passkey.Assertion) { a.Signature = "\n" + a.Signature })},
	"an empty signature": {do: edited(func(a *passkey.Assertion) { a.Signature = "" })},
	"short data":         {do: edited(func(a *passkey.Assertion) { a.AuthenticatorData = a.AuthenticatorData[:40] })},
	"data less a byte":   {do: edited(func(a *passkey.Assertion) { a.AuthenticatorData = a.AuthenticatorData[:48] })},
	"no data":            {do: edited(func(a *passkey.Assertion) { a.AuthenticatorData = "" })},
}

func set(f func(*passkeytest.Passkey)) func(*passkeytest.Passkey) string {
	return func(p *passkeytest.Passkey) string {
		f(p)
		return p.Says(text, grant.Approves)
	}
}

func with(name string, value any) func(*passkeytest.Passkey) string {
	return set(func(p *passkeytest.Passkey) { p.Client = map[string]any{name: value} })
}

func client(said string) func(*passkeytest.Passkey) string {
	return func(p *passkeytest.Passkey) string {
		signed, err := p.Sign(strings.Replace(said, `"C"`, `"`+passkey.Challenge(text, grant.Approves)+`"`, 1))
		require.NoError(p, err)
		return signed
	}
}

func edited(f func(*passkey.Assertion)) func(*passkeytest.Passkey) string {
	return func(p *passkeytest.Passkey) string {
		var a passkey.Assertion
		require.NoError(p, json.Unmarshal([]byte(p.Says(text, grant.Approves)), &a))
		f(&a)
		edited, err := json.Marshal(a)
		require.NoError(p, err)
		return string(edited)
	}
}

// library has go-webauthn verify an assertion that approves the text.
func library(p *passkeytest.Passkey, page passkey.Site, said string) error {
	var a passkey.Assertion
	if err := json.Unmarshal([]byte(said), &a); err != nil {
		return err
	}
	full, err := json.Marshal(map[string]any{
		"id": a.ID, "rawId": a.ID, "type": "public-key", "response": map[string]string{
			"authenticatorData": a.AuthenticatorData, "clientDataJSON": a.ClientDataJSON, "signature": a.Signature,
		},
	})
	if err != nil {
		return err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(full)
	if err != nil {
		return err
	}
	return parsed.Verify(passkey.Challenge(text, grant.Approves), page.RP, "", []string{page.Origin}, nil, nil,
		protocol.TopOriginExplicitVerificationMode, false, true, true, p.COSE(), protocol.SignaturePolicy{})
}

// TestHostile holds what is refused also against go-webauthn, which is never the stricter one.
func TestHostile(t *testing.T) {
	page := site(t)
	require.Greater(t, len(hostile), 30)
	for name, test := range hostile {
		p := passkeytest.New(t, page)
		keys := []*passkey.Key{p.Key()}
		good := p.Says(text, grant.Approves)
		require.NoError(t, library(p, page, good), name)
		_, _, _, err := page.Verify(text, good, keys)
		require.NoError(t, err, name)
		said := test.do(p)
		_, _, _, err = page.Verify(text, said, keys)
		require.Error(t, err, name)
		assert.Equal(t, test.lax, library(p, page, said) == nil, "%s: go-webauthn says %v", name, library(p, page, said))
	}
}

// TestNoOtherAssertion has one altered: each byte, another approver's credential, and the verdict.
func TestNoOtherAssertion(t *testing.T) {
	page := site(t)
	ann, bob := passkeytest.New(t, page), passkeytest.New(t, page)
	keys := []*passkey.Key{ann.Key(), bob.Key()}
	said := ann.Says(text, grant.Approves)
	for i := range said {
		altered := []byte(said)
		altered[i] ^= 1
		_, _, _, err := page.Verify(text, string(altered), keys)
		require.Error(t, err, "byte %d", i)
	}
	_, _, _, err := page.Verify(text, strings.Replace(said, keys[0].ID, keys[1].ID, 1), keys)
	require.ErrorContains(t, err, "not the passkey's")
	_, _, _, err = page.Verify(text, said, keys[1:])
	require.ErrorContains(t, err, "no approver")
	_, _, _, err = page.Verify(text, said, nil)
	require.ErrorContains(t, err, "no approver")
	for _, other := range []string{
		"", "{", "{}", "null", said + said, strings.Replace(said, "{", `{"x":1,`, 1), strings.Replace(said, `"id"`, `"ID"`, 1),
		said[:len(said)-1] + strings.Repeat(" ", passkey.MaxAssertion) + "}",
	} {
		_, _, _, err = page.Verify(text, other, keys)
		require.Error(t, err, "%.60s", other)
	}
	flip := edited(func(a *passkey.Assertion) {
		client, err := base64.RawURLEncoding.DecodeString(a.ClientDataJSON)
		require.NoError(t, err)
		approves, denies := passkey.Challenge(text, grant.Approves), passkey.Challenge(text, grant.Denies)
		require.Contains(t, string(client), approves)
		client = []byte(strings.Replace(string(client), approves, denies, 1))
		a.ClientDataJSON = base64.RawURLEncoding.EncodeToString(client)
	})(ann)
	_, _, _, err = page.Verify(text, flip, keys)
	require.ErrorContains(t, err, "not the passkey's")
	other, err := passkey.ParseSite("https://other.example")
	require.NoError(t, err)
	_, _, _, err = other.Verify(text, said, keys)
	require.ErrorContains(t, err, "another page")
}

// FuzzVerify has anything for an assertion: one that verifies is the one that was made, as its key signed it.
func FuzzVerify(f *testing.F) {
	page := passkey.Site{Origin: "https://signer.example:8443", RP: "signer.example"}
	p := passkeytest.New(f, page)
	keys := []*passkey.Key{p.Key()}
	good := p.Says(text, grant.Approves)
	f.Add(good)
	f.Add(p.Says(text+" ", grant.Approves))
	f.Add("{}")
	f.Fuzz(func(t *testing.T, said string) {
		var made, other passkey.Assertion
		require.NoError(t, json.Unmarshal([]byte(good), &made))
		if _, v, _, err := page.Verify(text, said, keys); err == nil {
			require.NoError(t, json.Unmarshal([]byte(said), &other))
			require.Equal(t, made, other)
			require.Equal(t, grant.Approves, v)
		}
	})
}

func TestParseSite(t *testing.T) {
	for origin, want := range map[string][2]string{
		"https://signer.example":  {"signer.example", "signer.example"},
		"https://a.b:8443":        {"a.b", "a.b:8443"},
		"http://localhost:7444":   {"localhost", "localhost:7444"},
		"https://xn--bcher-kva.x": {"xn--bcher-kva.x", "xn--bcher-kva.x"},
	} {
		s, err := passkey.ParseSite(origin)
		require.NoError(t, err)
		assert.Equal(t, want, [2]string{s.RP, s.Host()})
	}
	for _, origin := range []string{
		"", "signer.example", "http://signer.example", "http://localhost.evil:1", "https://signer.example/", "https://a@b",
		"https://Signer.example", "https://a:443", "http://localhost:80", "https://127.0.0.1", "https://[::1]:1", "https://:1",
		"https://a?b", "https://a#b", "ftp://localhost", "https://a b",
	} {
		_, err := passkey.ParseSite(origin)
		require.Error(t, err, origin)
	}
}

func TestParseKey(t *testing.T) {
	good := passkeytest.New(t, site(t)).Key().String()
	id, public, _ := strings.Cut(good, " ")
	der := func(public any) string {
		b, err := x509.MarshalPKIXPublicKey(public)
		require.NoError(t, err)
		return base64.RawURLEncoding.EncodeToString(b)
	}
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	require.NoError(t, err)
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	identity := ed25519.PublicKey(append([]byte{1}, make([]byte, 31)...))
	three := &rsa.PublicKey{N: passkeytest.NewRSA(t, site(t)).Private.Public().(*rsa.PublicKey).N, E: 3}
	raw, err := base64.RawURLEncoding.DecodeString(public)
	require.NoError(t, err)
	raw[len(raw)-1] ^= 1 // off the curve
	for name, line := range map[string]string{
		"nothing": "", "no key": id, "two spaces": id + "  " + public, "a space more": good + " ", "padded": good + "=",
		"a line":     good + "\n",
		"a short ID": "AAAA " + public, "a long ID": strings.Repeat("A", 1368) + " " + public,
		"long":  good + strings.Repeat("A", 9000),
		"P-384": id + " " + der(p384.Public()), "RSA-1024": id + " " + der(small.Public()), "exponent 3": id + " " + der(three),
		"ed25519 of order 1": id + " " + der(identity), "bytes more": good + "AAAA",
		"no point": id + " " + base64.RawURLEncoding.EncodeToString(raw),
	} {
		_, err := passkey.ParseKey(line)
		require.Error(t, err, name)
	}
	k, err := passkey.ParseKey(good)
	require.NoError(t, err)
	assert.Equal(t, good, k.String())
}
