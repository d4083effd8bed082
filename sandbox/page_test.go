package sandbox_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// byPassword gives the token as a browser does.
func byPassword(p *port) func(*http.Request) {
	return func(r *http.Request) { r.SetBasicAuth("me", p.APIKey(sandbox.Control)) }
}

func TestPageShowsEverything(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true, Shape: 1, Tenants: []sandbox.Tenant{{Name: "alice"}}})
	alice := user{p, sandbox.Tenants(p.Sandbox)[0]}
	alice.trade()
	p.Fault(sandbox.Route{Service: sandbox.AMM}, sandbox.Fault{Status: 503, Times: 7, Tenant: "alice"})
	status, _ := call("GET", p.URL(sandbox.Lending)+"/v1/pools?x=%3Cscript%3Ealert(1)%3C/script%3E", "",
		"X-Api-Key", p.APIKey(sandbox.Lending), "User-Agent", `<script>alert(2)</script>`)
	require.Equal(t, 400, status)
	call("POST", p.URL(sandbox.Lending)+"/v1/pools", `{"a":"</pre><script>alert(3)</script>"}`, "User-Agent", "poster")

	status, h, page := p.request("GET", "/", "", byPassword(p))
	require.Equal(t, 200, status, page)
	assert.Equal(t, "text/html; charset=utf-8", h.Get("Content-Type"))
	assert.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'")
	assert.Equal(t, "no-store", h.Get("Cache-Control"))
	for _, want := range []string{
		"2026-01-01 00:00:00 UTC, slot 320000000", p.WalletAddress(), "100000000000 lamports", "10000000000 USDC",
		"alice", alice.Address, "executed", "Program log:", "closed", "<td>100000000 SOL<td>",
		"amm", "status 503, times 7", "the method is not allowed here", "poster", "&lt;script&gt;alert(2)&lt;/script&gt;",
		"/v1/pools?x=%3Cscript%3E", "&lt;/pre&gt;&lt;script&gt;alert(3)", "sendTransaction", "lending",
	} {
		assert.Contains(t, page, want)
	}
	assert.NotContains(t, page, "<script")
	for _, service := range sandbox.Services() {
		if key := p.APIKey(service); key != "" {
			assert.NotContains(t, page, key)
		}
	}
	assert.NotContains(t, page, p.APIKey(sandbox.Control))

	_, _, page = p.request("GET", "/?service=rpc&status=200", "", byPassword(p))
	requests := page[strings.Index(page, `<section id="requests">`):]
	assert.Contains(t, requests, "sendTransaction")
	assert.NotContains(t, requests, "poster")
	assert.NotContains(t, requests, "<td>lending")
	status, h, style := p.request("GET", "/page.css", "", byPassword(p))
	assert.Equal(t, 200, status)
	assert.Equal(t, "text/css; charset=utf-8", h.Get("Content-Type"))
	assert.Contains(t, style, "table")
}

func TestPageIsClosedToOthers(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true})
	for name, c := range map[string]struct {
		status int
		change func(*http.Request)
	}{
		"nobody":             {401, func(r *http.Request) { r.Header.Del("Authorization") }},
		"another password":   {401, func(r *http.Request) { r.SetBasicAuth("me", "x") }},
		"an empty password":  {401, func(r *http.Request) { r.SetBasicAuth(p.APIKey(sandbox.Control), "") }},
		"the password":       {200, byPassword(p)},
		"the token":          {200, nil},
		"its own link":       {200, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") }},
		"another page":       {403, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
		"another port":       {403, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }},
		"a script elsewhere": {403, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }},
		"another name":       {403, func(r *http.Request) { r.Host = "evil.example" }},
	} {
		status, h, _ := p.request("GET", "/", "", c.change)
		assert.Equal(t, c.status, status, name)
		if c.status == 401 {
			assert.Contains(t, h.Get("Www-Authenticate"), "Basic ", name)
		}
	}
	before := p.Now()
	status, _, _ := p.request("POST", "/advance", `{"by":1}`, byPassword(p))
	assert.Equal(t, 401, status, "the password opens the page alone")
	status, _, _ = p.request("POST", "/", "", nil)
	assert.Equal(t, 404, status)
	assert.Equal(t, before, p.Now())
}
