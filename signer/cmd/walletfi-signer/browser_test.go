package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/internal/passkey"
	"github.com/walletfi/walletfi-go/signer/internal/program"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// The environment of the browser tests: the first makes a missing Chromium a failure, the second is a folder
// for screenshots.
const (
	browserRequired  = "WALLETFI_SIGNER_BROWSER"
	screenshotFolder = "WALLETFI_SIGNER_SCREENSHOTS"
)

// tab is a tab of a Chromium of the test's own, with an authenticator in software. It notes what a
// developer would see in red, and each request.
type tab struct {
	*approvingPlace
	t      *testing.T
	ctx    context.Context
	origin string
	key    webauthn.AuthenticatorID

	mu       sync.Mutex
	problems []string
	asked    []string
}

// newTab starts a signer whose policy has a page, and a browser. Nil if there is no browser.
func newTab(t *testing.T) *tab {
	if _, err := exec.LookPath("chromium"); err != nil {
		require.Empty(t, os.Getenv(browserRequired), "there is no chromium")
		t.Log("not run: there is no chromium")
		return nil
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	_, port, _ := net.SplitHostPort(address)
	b := &tab{t: t, origin: "http://localhost:" + port}
	b.approvingPlace = newApprovingPlaceWith(t, fmt.Sprintf("page = %q\n", b.origin), "--page", address)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("chromium"),
		chromedp.NoSandbox, // it runs as root in a container
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Run(ctx))
	b.ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	chromedp.ListenTarget(b.ctx, b.listen)
	b.run(network.Enable(), webauthn.Enable(), chromedp.ActionFunc(func(ctx context.Context) (err error) {
		b.key, err = webauthn.AddVirtualAuthenticator(&webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}).Do(ctx)
		return err
	}))
	b.width(1280)
	return b
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.asked = append(b.asked, e.Request.URL)
	case *runtime.EventExceptionThrown:
		b.problems = append(b.problems, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		for _, x := range e.Args {
			b.problems = append(b.problems, string(x.Value)+x.Description)
		}
	case *log.EventEntryAdded:
		b.problems = append(b.problems, fmt.Sprintf("%s %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
	}
}

// quiet asserts that the console says nothing but the text, if there is one, and that nobody else was asked.
func (b *tab) quiet(but ...string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, problem := range b.problems {
		require.True(b.t, len(but) > 0 && strings.Contains(problem, but[0]), "the console says: %s", problem)
	}
	require.NotEmpty(b.t, b.asked)
	for _, url := range b.asked {
		require.True(b.t, strings.HasPrefix(url, b.origin+"/"), "it asked for %s", url)
	}
}

func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	err := chromedp.Run(b.ctx, actions...)
	if err != nil {
		b.shoot("failed-" + b.t.Name())
		b.mu.Lock()
		defer b.mu.Unlock()
	}
	require.NoError(b.t, err, "%q", b.problems)
}

func (b *tab) visit(path string) {
	b.t.Helper()
	b.run(chromedp.Navigate(b.origin+path), chromedp.WaitReady("#problem"))
}

// width has the screen of a telephone, or of a desk.
func (b *tab) width(pixels int64) {
	b.t.Helper()
	b.run(emulation.SetDeviceMetricsOverride(pixels, 900, 1, pixels < 800))
}

func (b *tab) text(selector string) (text string) {
	b.t.Helper()
	b.run(chromedp.Text(selector, &text, chromedp.ByQuery))
	return text
}

// made returns the text that the page shows at the end of a registration, or of the signature of a change.
func (b *tab) made() (text string) {
	b.t.Helper()
	b.run(chromedp.WaitVisible("#made"), chromedp.Value("#made", &text))
	return text
}

// problem waits for the page to say one.
func (b *tab) problem() string {
	b.t.Helper()
	b.run(chromedp.Poll(`document.getElementById("problem").textContent !== ""`, nil))
	return b.text("#problem")
}

func (b *tab) shoot(name string) {
	folder := os.Getenv(screenshotFolder)
	if folder == "" {
		return
	}
	var png []byte
	require.NoError(b.t, chromedp.Run(b.ctx, chromedp.FullScreenshot(&png, 100)))
	require.NoError(b.t, os.MkdirAll(folder, 0o755))
	require.NoError(b.t, os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644))
}

// register makes a passkey, and has ann, who has a key of OpenSSH's, approve the policy that lists it as dan's.
func (b *tab) register() {
	b.t.Helper()
	b.visit("/register")
	b.run(chromedp.SendKeys("#name", "dan"), chromedp.Click("#make"))
	b.changePolicy(func(text string) string {
		return text + fmt.Sprintf("[[approver]]\nname = \"dan\"\npasskeys = [%q]\n", b.made())
	}, func(next *signer.Policy) string {
		args := []string{"approve-policy", b.path("policy.toml"), b.path("next.toml"), "--agent", b.agent, "--socket", b.path("s")}
		var signature, asked strings.Builder
		in := strings.NewReader(next.Fingerprint()[:6])
		require.Zero(b.t, program.Run(b.t.Context(), args, in, &signature, &asked), asked.String())
		return signature.String()
	})
}

// changePolicy begins the signer again with another policy, as it was signed.
func (b *tab) changePolicy(change func(text string) string, sign func(*signer.Policy) string) {
	b.t.Helper()
	text, err := os.ReadFile(b.path("policy.toml"))
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(b.path("next.toml"), []byte(change(string(text))), 0o600))
	next, err := signer.LoadPolicy(b.path("next.toml"))
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(b.path("made"), []byte(sign(next)), 0o600))
	b.stop(b.t)
	require.NoError(b.t, os.Rename(b.path("next.toml"), b.path("policy.toml")))
	b.serve = append(b.serve, "--accept-policy", next.Fingerprint(), "--approval", b.path("made"))
	b.process = b.start(b.t)
}

func (b *tab) state(id string) protocol.GrantState {
	b.t.Helper()
	all, err := b.client.Grants(b.t.Context())
	require.NoError(b.t, err)
	for _, g := range all {
		if g.Grant.ID == id {
			return g.State
		}
	}
	require.Fail(b.t, "there is no such grant")
	return ""
}

// newAsked is a tab with a passkey that approves, and a payment that waits for a grant. The tab is nil without Chromium.
func newAsked(t *testing.T) (*tab, signing.SetRequest, grant.Grant) {
	b := newTab(t)
	if b == nil {
		return nil, signing.SetRequest{}, grant.Grant{}
	}
	b.register()
	q, g := b.ask(t, 500_000_000)
	return b, q, g
}

// TestBrowserApproves registers a passkey, and approves one grant and denies another with it.
func TestBrowserApproves(t *testing.T) {
	b, q, g := newAsked(t)
	if b == nil {
		return
	}
	b.visit("/")
	b.run(chromedp.Click("#grants a"), chromedp.WaitVisible("#approve"))
	assert.Equal(t, strings.TrimSpace(g.Text()), strings.TrimSpace(b.text("#text")))
	b.run(chromedp.Click("#approve"), chromedp.WaitVisible(`//strong[@id="state" and text()="approved"]`))
	b.shoot("approved")
	require.Equal(t, protocol.GrantApproved, b.state(g.ID))
	_, err := b.client.SignSet(t.Context(), q)
	require.NoError(t, err)

	_, other := b.ask(t, 600_000_000)
	b.visit("/grants/" + other.ID)
	b.run(chromedp.Click("#deny"), chromedp.WaitVisible(`//strong[@id="state" and text()="denied"]`))
	require.Equal(t, protocol.GrantDenied, b.state(other.ID))
	b.quiet()

	b.stop(t)
	out, status := command(t, "", "audit", "verify", "--store", b.path("store.db"), "--anchor", b.path("anchor"),
		"--log-public", b.logPublic)
	assert.Zero(t, status, out)
	assert.Contains(t, out, "altered=0")
	b.process = b.start(t)
}

// TestBrowserWantsItsUser has the authenticator not know its user, and say so or not.
func TestBrowserWantsItsUser(t *testing.T) {
	b, _, g := newAsked(t)
	if b == nil {
		return
	}
	b.visit("/grants/" + g.ID)
	b.run(webauthn.SetUserVerified(b.key, false), chromedp.Click("#approve"))
	assert.NotEmpty(t, b.problem(), "the browser refuses")
	// A browser that does not insist on it: the signer does.
	var answer string
	b.run(chromedp.Evaluate(`(async () => {
		const place = document.getElementById("decision");
		const challenge = bytes(document.getElementById("approve").dataset.challenge);
		const got = await navigator.credentials.get({publicKey: {challenge, rpId: place.dataset.rp, userVerification: "discouraged",
			allowCredentials: [{type: "public-key", id: bytes(place.dataset.credentials)}]}});
		const answer = await fetch(place.dataset.to, {method: "POST", headers: {"Content-Type": "application/json"},
			body: JSON.stringify({id: text(got.rawId), authenticatorData: text(got.response.authenticatorData),
				clientDataJSON: text(got.response.clientDataJSON), signature: text(got.response.signature)})});
		return answer.status + " " + await answer.text();
	})()`, &answer, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	assert.Contains(t, answer, "403 ")
	assert.Contains(t, answer, "its user was not verified")
	require.Equal(t, protocol.GrantWaiting, b.state(g.ID))
	b.quiet("the server responded with a status of 403")
}

// TestBrowserBogusSignature has an authenticator whose signature is none.
func TestBrowserBogusSignature(t *testing.T) {
	b, _, g := newAsked(t)
	if b == nil {
		return
	}
	b.visit("/grants/" + g.ID)
	b.run(webauthn.SetResponseOverrideBits(b.key).WithIsBogusSignature(true), chromedp.Click("#approve"))
	assert.Contains(t, b.problem(), "the signature is not the passkey's")
	require.Equal(t, protocol.GrantWaiting, b.state(g.ID))
	b.quiet("the server responded with a status of 403")
}

// TestBrowserKeepsOthersOut opens a page of another port of the same host, whose passkeys are the same: it
// can neither show the signer's page, nor send to it, nor have anything signed that approves.
func TestBrowserKeepsOthersOut(t *testing.T) {
	b, _, g := newAsked(t)
	if b == nil {
		return
	}
	policy, err := signer.LoadPolicy(b.path("policy.toml"))
	require.NoError(t, err)
	id, _, _ := strings.Cut(policy.Approvers[1].Passkeys[0], " ")
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<iframe id="frame" src="%s/grants/%s"></iframe><p id="problem"></p>`, b.origin, g.ID)
	}))
	t.Cleanup(evil.Close)
	b.quiet()
	b.run(chromedp.Navigate(strings.Replace(evil.URL, "127.0.0.1", "localhost", 1)), chromedp.WaitReady("#frame"))
	script := fmt.Sprintf(`(async () => {
		const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
		const text = (b) => btoa(String.fromCharCode(...new Uint8Array(b)))
			.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
		const got = await navigator.credentials.get({publicKey: {challenge: bytes(%q), rpId: "localhost",
			userVerification: "required", allowCredentials: [{type: "public-key", id: bytes(%q)}]}});
		const made = JSON.stringify({id: text(got.rawId), authenticatorData: text(got.response.authenticatorData),
			clientDataJSON: text(got.response.clientDataJSON), signature: text(got.response.signature)});
		const sent = [];
		for (const type of ["text/plain", "application/json"]) {
			for (const mode of ["cors", "no-cors"]) {
				const answer = await fetch(%q, {method: "POST", mode, headers: {"Content-Type": type}, body: made}).catch((e) => e);
				sent.push(answer.ok === true);
			}
		}
		let framed = "";
		try { framed = document.getElementById("frame").contentDocument.body.textContent; } catch (e) {}
		return JSON.stringify({made, sent, framed});
	})()`, passkey.Challenge(g.Text(), grant.Approves), id, b.origin+"/grants/"+g.ID)
	var answer string
	b.run(chromedp.Evaluate(script, &answer, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	var got struct {
		Made, Framed string
		Sent         []bool
	}
	require.NoError(t, json.Unmarshal([]byte(answer), &got))
	assert.Equal(t, []bool{false, false, false, false}, got.Sent)
	assert.NotContains(t, got.Framed, "GRANT")
	b.mu.Lock()
	assert.Contains(t, strings.Join(b.problems, "\n"), "frame-ancestors")
	b.mu.Unlock()
	require.Equal(t, protocol.GrantWaiting, b.state(g.ID))
	_, err = b.client.Decide(t.Context(), g.ID, got.Made) // somebody hands it in all the same
	require.ErrorContains(t, err, "it was signed on another page than "+b.origin)
	require.Equal(t, protocol.GrantWaiting, b.state(g.ID))
}

// TestBrowserChangesThePolicy signs the change of the policy with a passkey.
func TestBrowserChangesThePolicy(t *testing.T) {
	b := newTab(t)
	if b == nil {
		return
	}
	b.register()
	b.changePolicy(func(text string) string {
		return strings.Replace(text, "unapproved = 100_000_000", "unapproved = 900_000_000", 1)
	}, func(*signer.Policy) string {
		b.visit("/policy")
		b.run(chromedp.SetUploadFiles("#next", []string{b.path("next.toml")}), chromedp.Click("#read"), chromedp.WaitVisible("#approve"))
		assert.Contains(t, b.text("#text"), `+ From owner "bot" leaves at most 900000000 of SOL in one transaction without a grant.`)
		b.run(chromedp.Click("#approve"))
		made := b.made()
		require.True(t, json.Valid([]byte(made)), made)
		return made
	})
	_, err := b.client.SignSet(t.Context(), b.pay(t, 800_000_000))
	require.NoError(t, err)
	b.quiet()
}

// TestBrowserFits shows each page on a telephone and on a desk, in light of words that do not break.
func TestBrowserFits(t *testing.T) {
	b := newTab(t)
	if b == nil {
		return
	}
	q := b.pay(t, 500_000_000)
	g, err := b.client.AskGrant(t.Context(), q, strings.Repeat("W", 400)+"<img src=x onerror=alert(1)>")
	require.NoError(t, err)
	for _, width := range []int64{390, 1280} {
		b.width(width)
		for name, path := range map[string]string{"list": "/", "grant": "/grants/" + g.Grant.ID, "policy": "/policy", "register": "/register"} {
			b.visit(path)
			var wide int64
			b.run(chromedp.Evaluate(`document.documentElement.scrollWidth`, &wide))
			assert.LessOrEqual(t, wide, width, "%s at %d", name, width)
			b.shoot(fmt.Sprintf("%s-%d", name, width))
		}
		var small bool
		b.run(chromedp.Evaluate(`[...document.querySelectorAll("button")].some((b) => b.offsetHeight < 44)`, &small))
		assert.False(t, small, "a button is too small for a finger")
	}
	b.quiet()
}
