package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/internal/program"
	"github.com/walletfi/walletfi-go/signing"
)

// rotated is a place whose owner's key is changed, with an identity of age's for both keys.
func rotated(t *testing.T, p *place) (next string) {
	identity, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(p.path("identity"), []byte(identity.String()), 0o600))
	var text, said bytes.Buffer
	args := []string{"rotate", "bot", "--policy", p.path("policy.toml"), "--age-key", p.path("next.age"),
		"--recipient", identity.Recipient().String()}
	require.Zero(t, program.Run(t.Context(), args, strings.NewReader(""), &text, &said), said.String())
	require.NoError(t, os.WriteFile(p.path("next.toml"), text.Bytes(), 0o600))
	policy, err := signer.LoadPolicy(p.path("next.toml"))
	require.NoError(t, err)
	require.Len(t, policy.Owners, 2)
	next = policy.Owners[1].Key.String()
	assert.Equal(t, fmt.Sprintf("owner %q has the key %s\n", "bot-2", next), said.String())
	sealed, err := os.ReadFile(p.path("next.age"))
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(sealed, []byte("age-encryption.org/")))
	return next
}

// serveNext has serve take the policy and the key that rotated has made.
func (p *place) serveNext(t *testing.T) {
	first, err := os.ReadFile(p.serve[slices.Index(p.serve, "--age-identity")+1])
	require.NoError(t, err)
	second, err := os.ReadFile(p.path("identity"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(p.path("identity"), slices.Concat(first, second), 0o600))
	policy, err := signer.LoadPolicy(p.path("next.toml"))
	require.NoError(t, err)
	p.serve = append(p.serve, "--policy", p.path("next.toml"), "--age-key", p.path("next.age"),
		"--age-identity", p.path("identity"), "--accept-policy", policy.Fingerprint())
}

// TestRotate makes the next key, and the policy by which only it may be paid by the old one.
func TestRotate(t *testing.T) {
	p := sealed(t)
	process := p.start(t)
	next := rotated(t, p)
	out, status := command(t, "", "check-policy", p.path("policy.toml"), p.path("next.toml"))
	require.Zero(t, status, out)
	assert.Contains(t, out, `+ Sweep of owner "bot" to owner "bot-2": owner "bot" signs nothing else.`)
	_, status = command(t, "", "rotate", "nobody", "--policy", p.path("policy.toml"), "--age-key", p.path("none"))
	assert.Equal(t, 1, status)
	assert.NoFileExists(t, p.path("none"))
	out, status = command(t, "", "rotate", "bot", "--policy", p.path("policy.toml"), "--key", next, "--name", "cold")
	require.Zero(t, status, out)
	assert.Contains(t, out, `name = "cold"`)

	require.NoError(t, process.Process.Signal(os.Interrupt))
	require.NoError(t, process.Wait())
	p.serveNext(t)
	process = p.start(t)
	c, err := client.Dial(t.Context(), p.path("s"), "bot")
	require.NoError(t, err)
	defer c.Close()
	_, err = c.SignSet(t.Context(), p.pay(t, 1000))
	require.ErrorIs(t, err, signing.ErrRefused)
	require.ErrorContains(t, err, `owner "bot" signs the sweep to owner "bot-2" alone`)
	require.NoError(t, process.Process.Signal(os.Interrupt))
	require.NoError(t, process.Wait())
}

// TestSweep has a client send all that the old key has to the next one, each mint under a grant.
func TestSweep(t *testing.T) {
	p := sealed(t)
	mint := ""
	for _, token := range p.Ledger().Tokens() {
		classic := signing.AssociatedTokenAddress(p.owner, signing.MustPublicKey(token.Mint), signing.TokenProgram)
		if token.Mint != walletfi.NativeMint && p.Ledger().AssociatedAccount(p.owner.String(), token.Mint) == classic.String() {
			mint = token.Mint
		}
	}
	require.NoError(t, p.Ledger().FundToken(p.owner.String(), mint, 12_345))
	policy, err := os.ReadFile(p.path("policy.toml"))
	require.NoError(t, err)
	text := strings.Replace(string(policy), "network = 10_000", "network = 10_000\nforeign_rent = 10_000_000", 1)
	ceiling := fmt.Sprintf("[[owner.ceiling]]\nmint = %q\ntransaction = 1\nwindow = [{length = \"1h\", most = 1}]\n[[payee]]", mint)
	text = strings.Replace(text, "[[payee]]", ceiling, 1)
	require.NoError(t, os.WriteFile(p.path("policy.toml"), []byte(text), 0o600))
	a := approving(t, p, "")
	next := rotated(t, p)
	p.serveNext(t)
	process := p.start(t)
	sweep := func(args ...string) (string, int) {
		return command(t, "", append([]string{"sweep", "bot", "--to", next, "--nodes", p.path("nodes.txt"), "--socket", p.path("s")}, args...)...)
	}
	for _, what := range []string{mint, "SOL"} {
		out, status := sweep("--mint", what)
		require.Equal(t, 1, status)
		assert.Contains(t, out, signer.CodeApproval)
		id, status := sweep("--mint", what, "--ask")
		require.Zero(t, status, id)
		id = strings.TrimSpace(id)
		out, status = a.approve(t, id[:6], id)
		require.Zero(t, status, out)
		assert.Contains(t, out, `It is the sweep of owner "bot" to owner "bot-2"`)
		out, status = sweep("--mint", what, "--grant", id)
		require.Zero(t, status, out)
		assert.Contains(t, out, " of "+what+": ")
		out, status = sweep("--mint", what)
		require.Zero(t, status, out)
		assert.Equal(t, "there is nothing of "+what+"\n", out)
	}
	assert.Zero(t, p.Ledger().Balance(p.owner.String()))
	assert.Zero(t, p.Ledger().TokenBalance(p.owner.String(), mint))
	assert.Equal(t, uint64(12_345), p.Ledger().TokenBalance(next, mint))
	assert.InDelta(t, 1e12, p.Ledger().Balance(next), 2*5000+2*2_039_280, "less the fees and an account's rent")
	out, status := command(t, "", "sweep", "bot", "--to", p.owner.String(), "--nodes", p.path("nodes.txt"), "--socket", p.path("s"))
	require.Zero(t, status, out)
	require.NoError(t, process.Process.Signal(os.Interrupt))
	require.NoError(t, process.Wait())
}
