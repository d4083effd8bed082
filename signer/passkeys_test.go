package signer_test

import (
	"crypto/ed25519"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/internal/passkey"
	"github.com/walletfi/walletfi-go/signer/internal/passkey/passkeytest"
	"github.com/walletfi/walletfi-go/signer/protocol"
)

// page is a rig with passkeys: one of ann, who has a key of OpenSSH's too, and two of dan.
type page struct {
	*rig
	ann, dan, second *passkeytest.Passkey
	text             string // of the policy
}

const origin = "https://signer.example"

func newPage(t *testing.T) *page {
	site, err := passkey.ParseSite(origin)
	require.NoError(t, err)
	p := &page{ann: passkeytest.New(t, site), dan: passkeytest.New(t, site), second: passkeytest.NewRSA(t, site)}
	p.text = strings.Replace(approvedText(), "grant_lasts =", fmt.Sprintf("page = %q\ngrant_lasts =", origin), 1)
	p.text = strings.Replace(p.text, "name = \"ann\"", fmt.Sprintf("name = \"ann\"\npasskeys = [%q]", p.ann.Key()), 1)
	p.text += fmt.Sprintf("\n[[approver]]\nname = \"dan\"\npasskeys = [%q, %q]\n", p.dan.Key(), p.second.Key())
	p.rig = newRig(t, 3, func(c *signer.Config) { c.Policy = parsed(t, p.text) })
	return p
}

// hands hands in a signature for a grant.
func (p *page) hands(g protocol.Grant, signature string) (*protocol.Grant, error) {
	return p.Decide(p.t.Context(), protocol.Verdict{ID: g.Grant.ID, Signature: signature})
}

// TestPasskeysApprove mixes both kinds of keys. A person counts once, by whichever keys.
func TestPasskeysApprove(t *testing.T) {
	p := newPage(t)
	q := p.pay(payee, sol)
	g := p.ask(q)
	after, err := p.hands(g, p.ann.Says(g.Grant.Text(), grant.Approves))
	require.NoError(t, err)
	assert.Equal(t, []string{"ann"}, after.Approved)
	_, err = p.says(g, "ann", grant.Approves)
	require.ErrorContains(t, err, `"ann" has approved it already`)
	p.refused("trader", with(g, q), signer.CodeApproval)
	after, err = p.hands(g, p.second.Says(g.Grant.Text(), grant.Approves))
	require.NoError(t, err)
	assert.Equal(t, protocol.GrantApproved, after.State)
	_, err = p.hands(g, p.dan.Says(g.Grant.Text(), grant.Approves))
	require.ErrorContains(t, err, `"dan" has approved it already`)
	p.reopen()
	p.signed(with(g, q))

	other := p.ask(p.pay(payee, sol+1))
	after, err = p.hands(other, p.dan.Says(other.Grant.Text(), grant.Denies))
	require.NoError(t, err)
	assert.Equal(t, protocol.GrantDenied, after.State)
	p.reopen()
	assert.Equal(t, protocol.GrantDenied, p.Grants("")[1].State)
}

// TestPasskeysApproveNothingElse hands in what was signed for something else.
func TestPasskeysApproveNothingElse(t *testing.T) {
	p := newPage(t)
	g := p.ask(p.pay(payee, sol))
	other := p.ask(p.pay(payee, sol+1))
	said := p.dan.Says(g.Grant.Text(), grant.Approves)
	after, err := p.hands(g, said)
	require.NoError(t, err)
	require.Len(t, after.Approved, 1)
	changed := g.Grant
	changed.Most[0].Amount++
	c := p.Change(parsed(t, approvedText()))
	eve := passkeytest.New(t, passkey.Site{Origin: origin, RP: "signer.example"})
	unlocked := *p.dan
	unlocked.Flags = 1
	elsewhere := *p.dan
	elsewhere.Origin = "https://signer.example.evil"
	for name, signature := range map[string]string{
		"the same again":           said,
		"of another grant":         p.dan.Says(other.Grant.Text(), grant.Approves),
		"of the grant as changed":  p.dan.Says(changed.Text(), grant.Approves),
		"of a change of policy":    p.dan.Says(c.Text(), grant.Approves),
		"of nobody's passkey":      eve.Says(g.Grant.Text(), grant.Approves),
		"of a passkey of nobody's": strings.Replace(eve.Says(g.Grant.Text(), grant.Approves), eve.Key().ID, p.ann.Key().ID, 1),
		"by who was not verified":  unlocked.Says(g.Grant.Text(), grant.Approves),
		"on another page":          elsewhere.Says(g.Grant.Text(), grant.Denies),
		"a verdict of another":     p.dan.Says(other.Grant.Text(), grant.Denies),
		"huge":                     said[:len(said)-1] + strings.Repeat(" ", 1<<20) + "}",
	} {
		_, err := p.hands(g, signature)
		require.Error(t, err, name)
		assert.Equal(t, []string{"dan"}, p.Grants("")[0].Approved, name)
		assert.Equal(t, protocol.GrantWaiting, p.Grants("")[0].State, name)
	}
	_, err = p.hands(other, said)
	require.ErrorContains(t, err, "another text")
	assert.Empty(t, p.Grants("")[1].Approved)
}

// TestCopiedPasskey approves with a passkey that does not count on, which may be a copy of it.
func TestCopiedPasskey(t *testing.T) {
	p := newPage(t)
	p.dan.Count = 7
	first := p.ask(p.pay(payee, sol))
	_, err := p.hands(first, p.dan.Says(first.Grant.Text(), grant.Approves))
	require.NoError(t, err)
	second := p.ask(p.pay(payee, sol+1))
	for _, count := range []uint32{7, 6, 0} {
		p.reopen()
		p.dan.Count = count
		_, err = p.hands(second, p.dan.Says(second.Grant.Text(), grant.Approves))
		require.ErrorContains(t, err, "somebody may have a copy")
	}
	c := p.Change(parsed(t, approvedText()))
	copied := p.dan.Says(c.Text(), grant.Approves)
	require.ErrorContains(t, p.change(parsed(t, approvedText()), copied, copied), "somebody may have a copy")
	p.dan.Count = 8
	_, err = p.hands(second, p.dan.Says(second.Grant.Text(), grant.Approves))
	require.NoError(t, err)
	third := p.ask(p.pay(payee, sol+2))
	p.dan.Count = 1
	after, err := p.hands(first, p.dan.Says(first.Grant.Text(), grant.Denies))
	require.NoError(t, err, "a denial counts all the same")
	assert.Equal(t, protocol.GrantDenied, after.State)
	p.dan.Count = 5
	_, err = p.hands(third, p.dan.Says(third.Grant.Text(), grant.Approves))
	require.ErrorContains(t, err, "8 times before", "a denial takes nothing back")
}

// TestCountsOutliveGrants: what a passkey has counted is known from the log also if the grant is long gone.
func TestCountsOutliveGrants(t *testing.T) {
	p := newPage(t)
	first := p.ask(p.pay(payee, sol))
	p.ask(p.pay(payee, sol+1))
	p.dan.Count = 7
	_, err := p.hands(first, p.dan.Says(first.Grant.Text(), grant.Approves))
	require.NoError(t, err)
	p.pass(3 * time.Hour)
	p.settle()
	require.Empty(t, p.Grants(""))
	p.reopen()
	later := p.ask(p.pay(payee, sol))
	p.dan.Count = 3
	_, err = p.hands(later, p.dan.Says(later.Grant.Text(), grant.Approves))
	require.ErrorContains(t, err, "7 times before")
}

// TestPasskeysChangeThePolicy approves a change by passkeys, as by keys of OpenSSH's.
func TestPasskeysChangeThePolicy(t *testing.T) {
	p := newPage(t)
	next := parsed(t, strings.Replace(p.text, "unapproved = 100_000_000", "unapproved = 200_000_000", 1))
	c := p.Change(next)
	says := func(by *passkeytest.Passkey) string { return by.Says(c.Text(), grant.Approves) }
	require.ErrorContains(t, p.change(next, says(p.dan), says(p.second)), "1 have signed")
	denies := p.dan.Says(c.Text(), grant.Denies)
	require.ErrorContains(t, p.change(next, says(p.ann), denies), "1 have signed")
	require.NoError(t, p.change(next, says(p.ann), says(p.second)))
	p.signed(p.pay(payee, 150_000_000))

	// What they signed for it counts as what they sign for a grant, before and after the process ends.
	c = p.Change(parsed(t, p.text))
	p.ann.Count = 4
	require.NoError(t, p.change(parsed(t, p.text), says(p.ann), says(p.second)))
	g := p.ask(p.pay(payee, sol))
	for range 2 {
		_, err := p.hands(g, p.ann.Says(g.Grant.Text(), grant.Approves))
		require.ErrorContains(t, err, "4 times before")
		p.reopen()
	}
}

// TestAuditChecksApprovals writes other verdicts with the log's own key: the audit holds each against
// its approver's.
func TestAuditChecksApprovals(t *testing.T) {
	p := newPage(t)
	g := p.ask(p.pay(payee, sol))
	other := p.ask(p.pay(payee, sol+1))
	_, err := p.hands(g, p.dan.Says(g.Grant.Text(), grant.Approves))
	require.NoError(t, err)
	_, err = p.says(g, "bob", grant.Approves)
	require.NoError(t, err)
	require.NoError(t, p.Signer.Close())
	p.rewrites(t, `SELECT 1`)
	entries, err := signer.Audit(t.Context(), p.cfg.Store, p.cfg.Anchor, public)
	require.NoError(t, err)
	assert.Equal(t, int64(6), entries)
	for name, change := range map[string]string{
		"of another approver": `UPDATE log SET client = 'ann' WHERE kind = 'verdict'`,
		"of another grant":    fmt.Sprintf(`UPDATE log SET body = replace(body, '%s', '%s') WHERE kind = 'verdict'`, g.Grant.ID, other.Grant.ID),
		"of no grant":         fmt.Sprintf(`UPDATE log SET body = replace(body, '%s', 'x') WHERE kind = 'verdict'`, g.Grant.ID),
		"the other verdict":   `UPDATE log SET body = replace(body, 'approves', 'denies') WHERE kind = 'verdict'`,
		"a grant for more":    fmt.Sprintf(`UPDATE log SET body = replace(body, '"%d"', '"1%[1]d"') WHERE kind = 'grant'`, int64(sol)),
		"another passkey":     fmt.Sprintf(`UPDATE log SET body = replace(body, '%s', '%s')`, p.dan.Key().ID, p.ann.Key().ID),
		"another policy":      `UPDATE log SET body = replace(body, 'signer.example', 'signer.evil') WHERE kind = 'policy'`,
	} {
		t.Run(name, func(t *testing.T) {
			whole := p.cfg
			defer func() { p.cfg = whole }()
			p.cfg.Store, p.cfg.Anchor = t.TempDir()+"/store.db", t.TempDir()+"/anchor"
			copyFile(t, whole.Store, p.cfg.Store)
			p.rewrites(t, change)
			_, err := signer.Audit(t.Context(), p.cfg.Store, p.cfg.Anchor, public)
			require.ErrorIs(t, err, signer.ErrAltered)
		})
	}
	p.open()
}

// TestAuditChecksThePolicy writes another policy with the log's key, under the fingerprint of the first.
func TestAuditChecksThePolicy(t *testing.T) {
	p := newPage(t)
	require.NoError(t, p.Signer.Close())
	p.cfg.Anchor = t.TempDir() + "/anchor"
	p.rewrites(t, `UPDATE log SET body = replace(body, '5_000_000_000', '9_000_000_000') WHERE kind = 'policy'`)
	_, err := signer.Audit(t.Context(), p.cfg.Store, p.cfg.Anchor, public)
	require.ErrorContains(t, err, "the text is of policy")
	require.ErrorIs(t, err, signer.ErrAltered)
	p.rewrites(t, `UPDATE log SET body = replace(body, '9_000_000_000', '5_000_000_000') WHERE kind = 'policy'`)
	p.open()
}

// TestAuditChecksChanges writes other changes of the policy with the log's key: its approvers signed none.
func TestAuditChecksChanges(t *testing.T) {
	p := newPage(t)
	next := parsed(t, strings.Replace(p.text, "unapproved = 100_000_000", "unapproved = 200_000_000", 1))
	eves := parsed(t, strings.Replace(p.text, "approvals = 2", "approvals = 1", 1))
	c := p.Change(next)
	says := []string{p.ann.Says(c.Text(), grant.Approves), p.dan.Says(c.Text(), grant.Approves)}
	denial := p.dan.Says(c.Text(), grant.Denies)
	before := p.Change(eves)
	earlier := []string{p.ann.Says(before.Text(), grant.Approves), p.dan.Says(before.Text(), grant.Approves)}
	require.NoError(t, p.change(next, says...))
	require.NoError(t, p.Signer.Close())
	set := func(path string, value any) string {
		text, err := json.Marshal(value)
		require.NoError(t, err)
		return fmt.Sprintf(`UPDATE log SET body = json_set(body, '$.%s', json('%s')) WHERE kind = 'policy' AND seq > 1`, path,
			strings.ReplaceAll(string(text), "'", "''"))
	}
	text := p.cfg.Policy.Fingerprint()
	require.Equal(t, next.Fingerprint(), text)
	for name, change := range map[string]string{
		"nothing":         "",
		"nobody":          set("approvals", []string{}),
		"nobody, by name": set("approvals", []string{}) + ";" + set("approved", []string{}),
		"a change before": set("change", before.Text()) + ";" + set("approvals", earlier),
		"one":             set("approvals", says[:1]),
		"one twice":       set("approvals", []string{says[0], says[0]}),
		"one denies":      set("approvals", []string{says[0], denial}),
		"others by name":  set("approved", []string{"ann", "bob"}),
		"another text":    set("change", c.Text()+" "),
		"another policy":  set("is", eves.Fingerprint()),
		"another's words": `UPDATE log SET body = replace(body, 'approvals = 2', 'approvals = 1') WHERE seq > 1`,
		"no words":        set("text", ""),
	} {
		t.Run(name, func(t *testing.T) {
			whole := p.cfg
			defer func() { p.cfg = whole }()
			p.cfg.Store, p.cfg.Anchor = t.TempDir()+"/store.db", t.TempDir()+"/anchor"
			copyFile(t, whole.Store, p.cfg.Store)
			if change == "" {
				change = `SELECT 1`
			}
			p.rewrites(t, change)
			_, err := signer.Audit(t.Context(), p.cfg.Store, p.cfg.Anchor, public)
			if name == "nothing" { // as it was
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, signer.ErrAltered)
		})
	}
	p.open()
}

// rewrites changes the log, and links and signs it again, as who has the log's key can.
func (p *page) rewrites(t *testing.T, change string) {
	db, err := sql.Open("sqlite", p.cfg.Store)
	require.NoError(t, err)
	defer db.Close()
	result, err := db.Exec(change)
	require.NoError(t, err)
	if change != `SELECT 1` {
		n, err := result.RowsAffected()
		require.NoError(t, err)
		require.Positive(t, n, "nothing was changed")
	}
	before, done := "", 0
	for seq := 1; ; seq++ {
		var e signer.Entry
		var at int64
		var body string
		row := db.QueryRow("SELECT seq, at, kind, client, body FROM log WHERE seq = ?", seq)
		if err := row.Scan(&e.Seq, &at, &e.Kind, &e.Client, &body); err != nil {
			require.ErrorIs(t, err, sql.ErrNoRows)
			break
		}
		e.At, e.Body = time.Unix(0, at).UTC(), []byte(body)
		before = signer.Link(before, &e)
		signature := hex.EncodeToString(ed25519.Sign(p.cfg.LogKey, []byte(before)))
		_, err = db.Exec("UPDATE log SET hash = ?, signature = ? WHERE seq = ?", before, signature, seq)
		require.NoError(t, err)
		done++
	}
	require.Positive(t, done)
}

func TestPasskeysOfAPolicy(t *testing.T) {
	p := newPage(t)
	words := strings.Join(p.cfg.Policy.Words(), "\n")
	assert.Contains(t, words, "Passkeys approve on the page https://signer.example.")
	assert.Contains(t, words, `"dan" may approve with the passkey `+p.second.Key().String())
	for problem, change := range map[string][2]string{
		"has a passkey, and the policy has no page":  {fmt.Sprintf("page = %q\n", origin), ""},
		"has no host name":                           {origin, "https://127.0.0.1"},
		"neither https nor http://localhost":         {origin, "http://signer.example"},
		"has neither a key nor a passkey":            {fmt.Sprintf("[%q, %q]", p.dan.Key(), p.second.Key()), "[]"},
		"of approver \"dan\" comes twice":            {p.second.Key().String(), p.ann.Key().String()},
		"is not the line of a passkey":               {p.second.Key().String(), "x"},
		"approver \"ann\" comes twice":               {`name = "dan"`, `name = "ann"`},
		"approvals is 5, and there are 4 approvers":  {"approvals = 2", "approvals = 5"},
		"passkey is no member of a policy":           {"passkeys = [", "passkey = ["},
		"of approver \"dan\" comes twice, also else": {p.second.Key().ID, p.dan.Key().ID},
	} {
		require.Contains(t, p.text, change[0], problem)
		_, err := signer.ParsePolicy([]byte(strings.Replace(p.text, change[0], change[1], 1)))
		require.ErrorContains(t, err, strings.TrimSuffix(problem, ", also else"))
	}
}
