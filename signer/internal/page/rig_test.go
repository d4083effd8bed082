package page_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/internal/page"
	"github.com/walletfi/walletfi-go/signer/internal/passkey"
	"github.com/walletfi/walletfi-go/signer/internal/passkey/passkeytest"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signer/signertest"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

const origin = "https://signer.example:7444"

const policy = `version = 1
genesis = "{{.Genesis}}"
approvals = 2
grant_lasts = "1h"
page = "ORIGIN"
[fees]
network = 10_000
[[owner]]
name = "bot"
key = "{{.Key}}"
[[owner.ceiling]]
mint = "SOL"
transaction = 2_000_000_000
unapproved = 0
window = [{length = "1h", most = 5_000_000_000}]
[[payee]]
name = "exchange"
address = "PAYEE"
[[client]]
name = "trader"
uid = {{.UID}}
owners = ["bot"]
services = [""]
share = 100
rate = 100
`

// rig is a page of a signer whose approvers are ann and bob.
type rig struct {
	testing.TB
	*signertest.Signer
	http.Handler
	ann, bob *passkeytest.Passkey
	text     string // of the policy
}

func newRig(t testing.TB) *rig {
	site, err := passkey.ParseSite(origin)
	require.NoError(t, err)
	r := &rig{TB: t, ann: passkeytest.New(t, site), bob: passkeytest.New(t, site)}
	r.text = strings.NewReplacer("ORIGIN", origin, "PAYEE", signingtest.Key("payee").PublicKey().String()).Replace(policy)
	r.text += fmt.Sprintf("[[approver]]\nname = \"ann\"\npasskeys = [%q]\n", r.ann.Key())
	r.text += fmt.Sprintf("[[approver]]\nname = \"bob\\u202e<b>\"\npasskeys = [%q]\n", r.bob.Key())
	r.Signer = signertest.Start(t, r.text)
	require.NoError(t, r.Settle(t.Context())) // a new signer does not know the ledger's time before
	fill := strings.NewReplacer("{{.Genesis}}", r.Policy().Genesis, "{{.Key}}", r.Client.PublicKey().String(),
		"{{.UID}}", strconv.Itoa(os.Getuid()))
	r.text = fill.Replace(r.text)
	r.Handler, err = page.New(r.Signer)
	require.NoError(t, err)
	return r
}

// ask asks for a grant.
func (r *rig) ask(lamports walletfi.Amount, reason string) grant.Grant {
	r.Helper()
	q := r.Payment(r, signingtest.Key("payee").PublicKey(), lamports)
	g, err := r.Client.AskGrant(r.Context(), q, reason)
	require.NoError(r, err)
	return g.Grant
}

// state is the state of a grant.
func (r *rig) state(id string) protocol.GrantState {
	r.Helper()
	for _, g := range r.Grants("") {
		if g.Grant.ID == id {
			return g.State
		}
	}
	require.Fail(r, "there is no such grant")
	return ""
}

// request is one of a browser's, from the page.
func request(method, path, body string) *http.Request {
	q := httptest.NewRequest(method, origin+path, strings.NewReader(body))
	q.Header.Set("Sec-Fetch-Site", "same-origin")
	if method != http.MethodGet {
		q.Header.Set("Origin", origin)
		q.Header.Set("Content-Type", "application/json")
	}
	return q
}

// does answers a request, with the headers that every answer has.
func (r *rig) does(q *http.Request) *httptest.ResponseRecorder {
	r.Helper()
	w := httptest.NewRecorder()
	r.ServeHTTP(w, q)
	for name, value := range map[string]string{
		"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
	} {
		require.Equal(r, value, w.Header().Get(name))
	}
	require.True(r, strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'; "))
	require.Contains(r, w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'")
	return w
}

func (r *rig) get(path string) *httptest.ResponseRecorder {
	r.Helper()
	return r.does(request(http.MethodGet, path, ""))
}

// post sends a body, and requires the status.
func (r *rig) post(path, body string, status int) string {
	r.Helper()
	w := r.does(request(http.MethodPost, path, body))
	require.Equal(r, status, w.Code, w.Body.String())
	return w.Body.String()
}
