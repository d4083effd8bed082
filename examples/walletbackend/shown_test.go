package main

import (
	"bytes"
	"html"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/webhooks"
)

// lie has a route answer what it answers now, with words replaced.
func (r *rig) lie(t *testing.T, service sandbox.Service, path string, words ...string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), "GET", r.box.URL(service)+path, nil)
	require.NoError(t, err)
	request.Header.Set("x-api-key", r.box.APIKey(service))
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	honest, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	lie := strings.NewReplacer(words...).Replace(string(honest))
	require.NotEqual(t, string(honest), lie)
	r.box.Fault(sandbox.Route{Service: service, Pattern: path}, sandbox.Fault{Status: http.StatusOK, Body: []byte(lie)})
}

// TestATokenThatReadsAsAnother: the symbol of a token turns the text around and hides
// characters and has markup. No page has any of it, neither do titles and reports.
func TestATokenThatReadsAsAnother(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	const symbol = `\u202eCDSU\u202c\u200b\u2066\u0007\u009b31m<b onclick=x>`
	r.lie(t, sandbox.Swap, "/tokens-with-decimals", `"USDC"`, `"`+symbol+`"`)
	r.lie(t, sandbox.Lending, "/v1/pools", `"USDC"`, `"`+symbol+`"`)
	require.NoError(t, r.backend.clients.Tokens.Refresh(t.Context()))
	alice := r.signIn(t, "alice")
	deposit := alice.prepare(t, map[string]string{"kind": "deposit", "mint": r.box.Mint("USDC"), "amount": "100", "depositType": "protected"})
	alice.approve(t, deposit)
	alice.await(t, deposit.ID, "confirmed")
	p := alice.prepare(t, r.swapOf("25"))
	require.Contains(t, p.Title, "CDSU", "the lie has arrived")
	pages := []string{"/", "/prices", "/swap?mint=" + r.box.Mint("USDC") + "&amount=25", "/lending", "/burn", "/activity", "/payments/" + p.ID, "/payments/" + deposit.ID}
	named := 0
	for _, path := range pages {
		text := alice.page(t, path)
		require.False(t, strings.ContainsAny(text, "\u202e\u202c\u200b\u2066\u0007\u009b"), path)
		require.NotContains(t, text, "<b onclick", path)
		if strings.Contains(text, "CDSU31m&lt;b onclick=x&gt;") {
			named++
		}
	}
	require.Equal(t, len(pages), named, "each page names the token")
}

// TestAHostileWebhook: a delivery that is signed with the right secret and has markup
// and control characters where a signature should be.
func TestAHostileWebhook(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	secret := walletSecret(r.box.Webhooks().Secret())
	signer := webhooks.DeliverySigner{Secret: secret, Now: time.Now}
	body := []byte(`{"webhookId":"w\u202e","network":"solana-mainnet","slot":7,"transactions":[{"signature":"<i>\u202e\u0000x</i>",
		"meta":{"fee":1,"preBalances":[1],"postBalances":[0],"err":null},
		"transaction":{"message":{"accountKeys":["` + r.user(t, "alice").Address + `"],"instructions":[]},"signatures":[]}}]}`)
	request := signer.Request(r.url+"/hooks/ledger", body)
	request.RequestURI = ""
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	response.Body.Close()
	t.Log(response.StatusCode)
	text := alice.page(t, "/activity")
	require.False(t, bytes.ContainsAny([]byte(text), "\u202e\x00"))
	require.NotContains(t, text, "<i>")

	// What an older version kept is shown the same way.
	require.NoError(t, r.backend.db.AddEvent(t.Context(), store.Event{
		ID: "x", UserID: r.user(t, "alice").ID, Received: time.Now(), Title: "<i>title\u202e", Detail: "<script>detail\x00\u2028",
	}))
	text = alice.page(t, "/activity")
	require.Contains(t, text, "&lt;i&gt;title<")
	require.Contains(t, text, "&lt;script&gt;detail")
	require.False(t, strings.ContainsAny(text, "\u202e\x00\u2028"))
}

// TestADeliveryThatCannotBeRead: no transaction is told to have succeeded of which a part is missing
// or contradicts another.
func TestADeliveryThatCannotBeRead(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	signer := webhooks.DeliverySigner{Secret: walletSecret(r.box.Webhooks().Secret()), Now: time.Now}
	tx := func(signature, fee, post string) string {
		return `{"signature":"` + signature + `","meta":{` + fee + `"preBalances":[9],"postBalances":` + post + `,"err":null},
			"transaction":{"message":{"accountKeys":["` + r.user(t, "alice").Address + `"],"instructions":[]},"signatures":[]}}`
	}
	body := []byte(`{"webhookId":"w","network":"solana-mainnet","timestamp":1767225600,"slot":7,"transactions":[` +
		tx("good1", `"fee":1,`, "[8]") + "," + tx("nofee1", "", "[8]") + "," + tx("uneven1", `"fee":1,`, "[8,1]") + `]}`)
	request := signer.Request(r.url+"/hooks/ledger", body)
	request.RequestURI = ""
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	response.Body.Close()
	require.Equal(t, http.StatusOK, response.StatusCode)
	text := alice.page(t, "/activity")
	require.Equal(t, 1, strings.Count(text, "A transaction of your wallet succeeded"))
	require.Equal(t, 2, strings.Count(text, "What became of a transaction of your wallet could not be read"))
}

// TestRoomWithoutALimit: the largest number there is reads as no limit.
func TestRoomWithoutALimit(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	text := r.signIn(t, "alice").page(t, "/lending")
	require.Contains(t, text, "room for any amount")
	require.Contains(t, text, "room for 500<")
	require.NotContains(t, text, "18446")
}

// TestPageShowsTheReport: line by line and in its order, of a payment that may be approved and
// of one that the guard refuses.
func TestPageShowsTheReport(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	for _, attacked := range []bool{false, true} {
		if attacked {
			drain, err := sandbox.Drain(r.box, signing.MustPublicKey(r.box.Mint("USDC")).String())
			require.NoError(t, err)
			r.box.Attack(drain)
		}
		id := alice.prepare(t, r.swapOf("25")).ID
		var p struct{ Report *signing.Report }
		require.Equal(t, http.StatusOK, alice.call(t, "GET", "/api/payments/"+id, nil, &p))
		_, rest, _ := strings.Cut(html.UnescapeString(alice.page(t, "/payments/"+id)), "What it does")
		require.Equal(t, attacked, p.Report.Refusal != nil)
		for line := range strings.Lines(p.Report.Text()) {
			var found bool
			_, rest, found = strings.Cut(rest, ">"+strings.TrimSpace(line)+"<")
			require.True(t, found, line)
		}
	}
}
