package page_test

import (
	"encoding/json"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/internal/page"
	"github.com/walletfi/walletfi-go/signer/internal/passkey"
	"github.com/walletfi/walletfi-go/signer/internal/passkey/passkeytest"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signer/signertest"
)

// TestDecide has two approve a grant that the page shows, and one deny another.
func TestDecide(t *testing.T) {
	r := newRig(t)
	g := r.ask(1_000_000_000, "rent")
	assert.Contains(t, r.get("/").Body.String(), "/grants/"+g.ID)
	shown := r.get("/grants/" + g.ID).Body.String()
	_, text, _ := strings.Cut(shown, `<pre id="text">`)
	text, _, _ = strings.Cut(text, "</pre>")
	require.Equal(t, g.Text(), html.UnescapeString(text), "it is the text that `approve` prints")
	for _, v := range []grant.Verdict{grant.Approves, grant.Denies} {
		assert.Contains(t, shown, `data-challenge="`+passkey.Challenge(g.Text(), v)+`"`)
	}
	assert.Contains(t, shown, `data-credentials="`+r.ann.Key().ID+" "+r.bob.Key().ID+`"`)
	assert.Contains(t, shown, `data-rp="signer.example"`)

	r.post("/grants/"+g.ID, r.ann.Says(g.Text(), grant.Approves), http.StatusOK)
	require.Equal(t, protocol.GrantWaiting, r.state(g.ID))
	assert.Contains(t, r.get("/grants/"+g.ID).Body.String(), "approved by 1 of 2: \"ann\".")
	r.post("/grants/"+g.ID, r.bob.Says(g.Text(), grant.Approves), http.StatusOK)
	require.Equal(t, protocol.GrantApproved, r.state(g.ID))

	other := r.ask(1_100_000_000, "rent")
	assert.JSONEq(t, `{"state":"denied","approved":[]}`,
		r.post("/grants/"+other.ID, r.ann.Says(other.Text(), grant.Denies), http.StatusOK))
	require.Equal(t, protocol.GrantDenied, r.state(other.ID))
	assert.NotContains(t, r.get("/grants/"+other.ID).Body.String(), "<button")
	assert.Equal(t, http.StatusNotFound, r.get("/grants/x").Code)
}

// TestHostileWords has names and reasons look like parts of the page.
func TestHostileWords(t *testing.T) {
	r := newRig(t)
	const bad = "\"><script>alert(1)</script>\u202egnp.\u2066\n</pre><button data-challenge=x>"
	g := r.ask(1_000_000_000, bad)
	r.post("/grants/"+g.ID, r.bob.Says(g.Text(), grant.Approves), http.StatusOK)
	for _, path := range []string{"/", "/grants/" + g.ID} {
		shown := r.get(path).Body.String()
		assert.Equal(t, 1, strings.Count(shown, "<script"), "its own alone")
		assert.NotContains(t, shown, "<button data-challenge=x")
		assert.NotContains(t, shown, "<b>")
		for _, c := range strings.ReplaceAll(shown, "·", "") {
			require.True(t, c == '\n' || c >= ' ' && c < 127, "%q", c)
		}
	}
	assert.Contains(t, r.get("/grants/"+g.ID).Body.String(), `\u202e`)
}

// TestHostileAssertions sends what approves nothing: each leaves the grants as they are.
func TestHostileAssertions(t *testing.T) {
	r := newRig(t)
	g, other := r.ask(1_000_000_000, "rent"), r.ask(1_100_000_000, "rent")
	said := r.ann.Says(g.Text(), grant.Approves)
	r.post("/grants/"+g.ID, said, http.StatusOK)
	changed := g
	changed.Payees = append(changed.Payees, "thief")
	edited := func(f func(*passkeytest.Passkey)) string {
		p := *r.bob
		f(&p)
		return p.Says(g.Text(), grant.Approves)
	}
	eve := passkeytest.New(t, passkey.Site{Origin: origin, RP: "signer.example"})
	refused := 0
	for name, test := range map[string][2]string{
		"the same again":               {g.ID, said},
		"for another grant":            {other.ID, said},
		"of the grant as changed":      {g.ID, r.bob.Says(changed.Text(), grant.Approves)},
		"nobody's passkey":             {g.ID, eve.Says(g.Text(), grant.Denies)},
		"another approver's ID":        {g.ID, strings.Replace(said, r.ann.Key().ID, r.bob.Key().ID, 1)},
		"another origin":               {g.ID, edited(func(p *passkeytest.Passkey) { p.Origin = "https://signer.evil" })},
		"another site":                 {g.ID, edited(func(p *passkeytest.Passkey) { p.RP = "evil" })},
		"not verified":                 {g.ID, edited(func(p *passkeytest.Passkey) { p.Flags = 1 })},
		"a grant that is not there":    {"x", said},
		"no assertion":                 {g.ID, "{}"},
		"nothing":                      {g.ID, ""},
		"an approval in another shape": {g.ID, strings.Replace(said, "{", `{"verdict":"denies",`, 1)},
	} {
		r.post("/grants/"+test[0], test[1], http.StatusForbidden)
		require.Equal(t, protocol.GrantWaiting, r.state(g.ID), name)
		require.Equal(t, protocol.GrantWaiting, r.state(other.ID), name)
		refused++
	}
	require.Equal(t, 12, refused)
	assert.Equal(t, []string{"ann"}, r.Grants("")[0].Approved)
}

// TestHostileRequests sends what no browser sends from the page itself.
func TestHostileRequests(t *testing.T) {
	r := newRig(t)
	g := r.ask(1_000_000_000, "rent")
	good := r.ann.Says(g.Text(), grant.Denies)
	path := "/grants/" + g.ID
	for name, test := range map[string]struct {
		status int
		change func(*http.Request)
	}{
		"another host":        {421, func(q *http.Request) { q.Host = "evil.example" }},
		"no port":             {421, func(q *http.Request) { q.Host = "signer.example" }},
		"no host":             {421, func(q *http.Request) { q.Host = "" }},
		"another origin":      {403, func(q *http.Request) { q.Header.Set("Origin", "https://evil.example") }},
		"an opaque origin":    {403, func(q *http.Request) { q.Header.Set("Origin", "null") }},
		"no origin":           {403, func(q *http.Request) { q.Header.Del("Origin") }},
		"another port":        {403, func(q *http.Request) { q.Header.Set("Origin", "https://signer.example") }},
		"another site":        {403, func(q *http.Request) { q.Header.Set("Sec-Fetch-Site", "cross-site") }},
		"the same site":       {403, func(q *http.Request) { q.Header.Set("Sec-Fetch-Site", "same-site") }},
		"a form":              {415, func(q *http.Request) { q.Header.Set("Content-Type", "text/plain") }},
		"another method":      {405, func(q *http.Request) { q.Method = http.MethodPut }},
		"the same with HEAD":  {421, func(q *http.Request) { q.Method, q.Host = http.MethodHead, "evil" }},
		"a huge body":         {413, func(q *http.Request) { q.Body = http.NoBody; huge(q) }},
		"a path beside it":    {404, func(q *http.Request) { q.URL.Path += "/x" }},
		"a place of no grant": {405, func(q *http.Request) { q.URL.Path = "/" }},
	} {
		q := request(http.MethodPost, path, good)
		test.change(q)
		w := r.does(q)
		require.Equal(t, test.status, w.Code, "%s: %s", name, w.Body.String())
		require.Equal(t, protocol.GrantWaiting, r.state(g.ID), name)
	}
	r.post(path, good, http.StatusOK)
	require.Equal(t, protocol.GrantDenied, r.state(g.ID))
}

func huge(q *http.Request) {
	*q = *request(q.Method, q.URL.Path, strings.Repeat(" ", 1<<20))
}

// TestRate has somebody send without end.
func TestRate(t *testing.T) {
	r := newRig(t)
	statuses := map[int]int{}
	for range 500 {
		statuses[r.get("/page.css").Code]++
	}
	assert.Greater(t, statuses[http.StatusOK], 50)
	assert.Positive(t, statuses[http.StatusTooManyRequests], "%v", statuses)
	assert.Len(t, statuses, 2)
}

// TestRegister has the page show the line of a passkey, and of no other.
func TestRegister(t *testing.T) {
	r := newRig(t)
	_, challenge, _ := strings.Cut(r.get("/register").Body.String(), `data-challenge="`)
	challenge, _, _ = strings.Cut(challenge, `"`)
	require.NotEmpty(t, challenge)
	site := passkey.Site{Origin: origin, RP: "signer.example"}
	for name, p := range map[string]*passkeytest.Passkey{"ES256": passkeytest.New(t, site), "RS256": passkeytest.NewRSA(t, site)} {
		var got struct{ Line string }
		require.NoError(t, json.Unmarshal([]byte(r.post("/register", p.Registers(challenge), http.StatusOK)), &got), name)
		key, err := passkey.ParseKey(got.Line)
		require.NoError(t, err)
		assert.Equal(t, p.Key().String(), key.String(), name)
	}
	before := r.Policy().Approvers
	p := passkeytest.New(t, site)
	edited := func(f func(*passkeytest.Passkey)) string {
		other := *p
		f(&other)
		return other.Registers(challenge)
	}
	for name, body := range map[string]string{
		"another challenge": p.Registers("AAAA"), "nothing": "", "no object": "{}", "an assertion": p.Says("x", grant.Approves),
		"another origin": edited(func(p *passkeytest.Passkey) { p.Origin = "https://evil.example" }),
		"another site":   edited(func(p *passkeytest.Passkey) { p.RP = "evil.example" }),
		"not verified":   edited(func(p *passkeytest.Passkey) { p.Flags = 1 }),
		"a short ID":     edited(func(p *passkeytest.Passkey) { p.ID = p.ID[:8] }),
	} {
		assert.NotContains(t, r.post("/register", body, http.StatusUnprocessableEntity), "line", name)
	}
	r.post("/register", strings.Repeat(" ", 1<<20), http.StatusRequestEntityTooLarge)
	assert.Equal(t, before, r.Policy().Approvers, "registering alone changes nothing")
	g := r.ask(1_000_000_000, "rent")
	r.post("/grants/"+g.ID, p.Says(g.Text(), grant.Denies), http.StatusForbidden)
}

// TestPolicy has the page show what another policy changes. What an approver signs of that serves where
// the signer begins with it.
func TestPolicy(t *testing.T) {
	r := newRig(t)
	text := strings.Replace(r.text, "unapproved = 0", "unapproved = 100_000_000", 1)
	next, err := signer.ParsePolicy([]byte(text))
	require.NoError(t, err)
	send := func(policy string) (int, string) {
		var body strings.Builder
		form := multipart.NewWriter(&body)
		file, err := form.CreateFormFile("policy", "next.toml")
		require.NoError(t, err)
		_, err = io.WriteString(file, policy)
		require.NoError(t, err)
		require.NoError(t, form.Close())
		q := request(http.MethodPost, "/policy", body.String())
		q.Header.Set("Content-Type", form.FormDataContentType())
		w := r.does(q)
		return w.Code, w.Body.String()
	}
	status, shown := send(text)
	require.Equal(t, http.StatusOK, status, shown)
	c := r.Change(next)
	assert.Contains(t, html.UnescapeString(shown), c.Text())
	assert.Contains(t, c.Text(), `+ From owner "bot" leaves at most 100000000 of SOL in one transaction without a grant.`)
	assert.Contains(t, shown, `data-challenge="`+passkey.Challenge(c.Text(), grant.Approves)+`"`)
	assert.Contains(t, shown, `data-to=""`)
	assert.NotContains(t, shown, passkey.Challenge(c.Text(), grant.Denies))
	status, shown = send(strings.Replace(text, "version", "<version>\u202e", 1))
	assert.Equal(t, http.StatusUnprocessableEntity, status)
	assert.NotContains(t, shown, "\u202e")
	status, _ = send(strings.Repeat("#", 1<<20))
	assert.Equal(t, http.StatusRequestEntityTooLarge, status)
	r.post("/policy", text, http.StatusBadRequest)
	assert.Equal(t, http.StatusOK, r.get("/policy").Code)
}

func TestNoPage(t *testing.T) {
	text := strings.Split(policy, "[[approver]]")[0]
	text = strings.NewReplacer("page = \"ORIGIN\"\n", "", "approvals = 2\ngrant_lasts = \"1h\"\n", "", "unapproved = 0\n", "",
		"PAYEE", "11111111111111111111111111111112").Replace(text)
	_, err := page.New(signertest.Start(t, text))
	require.ErrorContains(t, err, "the policy has no page")
}

// TestLight: who asks a signer, or has one in his tests, links nothing that reads registrations.
func TestLight(t *testing.T) {
	for _, of := range []string{"client", "grant", "protocol", "signertest", "."} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "../../"+of).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "github.com/walletfi/walletfi-go/signer", of)
		assert.NotContains(t, string(out), "go-webauthn", of)
		assert.NotContains(t, string(out), "cbor", of)
	}
}
