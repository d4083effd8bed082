package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	both, err := os.ReadFile(p.serve[len(p.serve)-1])
	require.NoError(t, err)
	more, err := os.ReadFile(p.path("identity"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(p.path("identity"), append(append(both, '\n'), more...), 0o600))
	policy, err := signer.LoadPolicy(p.path("next.toml"))
	require.NoError(t, err)
	p.serve = append(p.serve, "--policy", p.path("next.toml"), "--age-key", p.path("next.age"),
		"--age-identity", p.path("identity"), "--accept-policy", policy.Fingerprint())
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
