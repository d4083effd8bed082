package main

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/internal/program"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
	"golang.org/x/crypto/ssh"
)

// approvingPlace is a place whose payments above 0.1 SOL need a grant, with who may approve.
type approvingPlace struct {
	*place
	client  *client.Client
	agent   string // that holds the approver's key
	process *exec.Cmd
}

func (p *approvingPlace) stop(t *testing.T) {
	require.NoError(t, p.process.Process.Signal(os.Interrupt))
	require.NoError(t, p.process.Wait())
}

func newApprovingPlace(t *testing.T, flags ...string) *approvingPlace {
	return newApprovingPlaceWith(t, "", flags...)
}

// newApprovingPlaceWith has lines more at the beginning of the policy.
func newApprovingPlaceWith(t *testing.T, lines string, flags ...string) *approvingPlace {
	p := approving(t, sealed(t), lines)
	p.serve = append(p.serve, flags...)
	p.process = p.start(t)
	t.Cleanup(func() { p.stop(t) })
	var err error
	p.client, err = client.Dial(t.Context(), p.path("s"), "bot")
	require.NoError(t, err)
	t.Cleanup(p.client.Close)
	return p
}

// approving has an approver in the policy of a place that does not serve yet.
func approving(t *testing.T, of *place, lines string) *approvingPlace {
	_, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	key, err := ssh.NewSignerFromKey(private)
	require.NoError(t, err)
	p := &approvingPlace{place: of, agent: agentWith(t, private)}
	policy, err := os.ReadFile(p.path("policy.toml"))
	require.NoError(t, err)
	text := strings.Replace(string(policy), "[fees]", lines+"approvals = 1\ngrant_lasts = \"1h\"\n[fees]", 1)
	text = strings.Replace(text, "transaction = 1_000_000_000", "transaction = 1_000_000_000\nunapproved = 100_000_000", 1)
	text += fmt.Sprintf("[[approver]]\nname = \"ann\"\nkey = %q\n", ssh.MarshalAuthorizedKey(key.PublicKey()))
	require.NoError(t, os.WriteFile(p.path("policy.toml"), []byte(text), 0o600))
	require.NoError(t, os.WriteFile(p.path("ann.pub"), ssh.MarshalAuthorizedKey(key.PublicKey()), 0o600))
	return p
}

// ask asks for a grant for a payment.
func (p *approvingPlace) ask(t *testing.T, lamports walletfi.Amount) (signing.SetRequest, grant.Grant) {
	q := p.pay(t, lamports)
	_, err := p.client.SignSet(t.Context(), q)
	require.ErrorIs(t, err, signing.ErrWaits)
	g, err := p.client.AskGrant(t.Context(), q, "rent")
	require.NoError(t, err)
	q.Grant = g.Grant.ID
	return q, g.Grant
}

func (p *approvingPlace) approve(t *testing.T, in string, args ...string) (string, int) {
	return command(t, in, append([]string{"approve", "--socket", p.path("s"), "--agent", p.agent}, args...)...)
}

// TestApprove has a person read a grant and sign it with a key of a real agent.
func TestApprove(t *testing.T) {
	p := newApprovingPlace(t)
	q, g := p.ask(t, 500_000_000)
	out, status := p.approve(t, "yes\n", g.ID)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "500000000 lamports, which are 0.500000000 SOL")
	assert.Contains(t, out, "nothing was signed")
	_, err := p.client.SignSet(t.Context(), q)
	require.ErrorIs(t, err, signing.ErrWaits)
	out, status = p.approve(t, g.ID[:6]+"\n", g.ID, "--key", p.path("ann.pub"))
	require.Zero(t, status, out)
	assert.Contains(t, out, g.ID+": approved, approved by 1 of 1\n")
	q.Grant = ""
	_, err = p.client.SignSet(t.Context(), q)
	require.ErrorIs(t, err, signing.ErrWaits)
	_, err = p.client.Under(g.ID).SignSet(t.Context(), q)
	require.NoError(t, err)

	all, err := p.client.Grants(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, protocol.GrantApproved, all[0].State)
	out, status = p.approve(t, "", "nothing")
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "there is no grant")
}

// TestApproveElsewhere renders and signs on a machine that does not reach the signer.
func TestApproveElsewhere(t *testing.T) {
	p := newApprovingPlace(t)
	_, g := p.ask(t, 600_000_000)
	listed, status := command(t, "", "grants", "--socket", p.path("s"))
	require.Zero(t, status, listed)
	require.NoError(t, os.WriteFile(p.path("grants.json"), []byte(listed), 0o600))
	var made, asked strings.Builder
	away := []string{"approve", "--socket", p.path("none"), "--agent", p.agent, "--from", p.path("grants.json"), g.ID, "--deny"}
	require.Zero(t, program.Run(t.Context(), away, strings.NewReader(g.ID[:6]), &made, &asked))
	assert.Contains(t, asked.String(), "sign that you deny this")
	require.NoError(t, os.WriteFile(p.path("made"), []byte(made.String()), 0o600))
	out, status := p.approve(t, "", g.ID, "--signature", p.path("made"))
	require.Zero(t, status, out)
	assert.Contains(t, out, ": denied,")
}

// TestAnotherKeyApprovesNothing signs with an agent of somebody else.
func TestAnotherKeyApprovesNothing(t *testing.T) {
	p := newApprovingPlace(t)
	_, g := p.ask(t, 600_000_000)
	_, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	p.agent = agentWith(t, private)
	out, status := p.approve(t, g.ID[:6], g.ID)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "no approver")
	out, status = p.approve(t, g.ID[:6], g.ID, "--key", p.path("ann.pub"))
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "holds 0 such ed25519 keys")
}

// TestApprovePolicy changes the policy of a signer that is started again with what the approver signed.
func TestApprovePolicy(t *testing.T) {
	p := newApprovingPlace(t)
	text, err := os.ReadFile(p.path("policy.toml"))
	require.NoError(t, err)
	wider := strings.Replace(string(text), "unapproved = 100_000_000", "unapproved = 900_000_000", 1)
	require.NoError(t, os.WriteFile(p.path("next.toml"), []byte(wider), 0o600))
	next, err := signer.LoadPolicy(p.path("next.toml"))
	require.NoError(t, err)
	args := []string{"approve-policy", p.path("policy.toml"), p.path("next.toml"), "--agent", p.agent, "--socket", p.path("s")}
	var signature, asked strings.Builder
	require.Zero(t, program.Run(t.Context(), args, strings.NewReader(next.Fingerprint()[:6]), &signature, &asked), asked.String())
	assert.Contains(t, asked.String(), `+ From owner "bot" leaves at most 900000000 of SOL in one transaction without a grant.`)
	require.NoError(t, os.WriteFile(p.path("made"), []byte(signature.String()), 0o600))
	args[1], args[2] = args[2], args[1]
	out, status := command(t, "", args...)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "is not the signer's policy")

	p.stop(t)
	p.serve = append(p.serve, "--policy", p.path("next.toml"), "--accept-policy", next.Fingerprint())
	out, status = command(t, "", p.serve...)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "is changed by 1 of its approvers, and 0 have signed")
	p.serve = append(p.serve, "--approval", p.path("made"))
	p.process = p.start(t)
	_, err = p.client.SignSet(t.Context(), p.pay(t, 800_000_000))
	require.NoError(t, err)
}

// TestTold has the grant posted to a chat's webhook, which fails at first.
func TestTold(t *testing.T) {
	type told struct {
		Text  string
		Page  string
		Grant grant.Grant
	}
	var posts atomic.Int32
	got := make(chan told, 1)
	chat := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if posts.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		var body told
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&body))
		got <- body
	}))
	t.Cleanup(chat.Close)
	hook := filepath.Join(t.TempDir(), "hook")
	require.NoError(t, os.WriteFile(hook, []byte(chat.URL+"/secret\n"), 0o600))
	p := newApprovingPlaceWith(t, "page = \"https://signer.example\"\n", "--webhook", hook)
	_, g := p.ask(t, 500_000_000)
	body := <-got
	assert.Equal(t, g.ID, body.Grant.ID)
	assert.Equal(t, g.Text(), body.Text)
	assert.Equal(t, "https://signer.example/grants/"+g.ID, body.Page)

	require.NoError(t, os.WriteFile(hook, []byte("nowhere"), 0o600))
	out, status := command(t, "", append(p.serve, "--store", p.path("other.db"), "--socket", p.path("o"))...)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "has no URL")
}
