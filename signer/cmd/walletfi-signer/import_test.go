package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
)

// TestImport: a file of keys is taken in; after one that cannot be, the rest is by another run. What was
// taken in is served after a restart, told of as what was elsewhere.
func TestImport(t *testing.T) {
	p := sealed(t)
	text, err := os.ReadFile(p.path("policy.toml"))
	require.NoError(t, err)
	changed := strings.Replace(string(text), `owners = ["bot"]`, "owners = [\"bot\"]\ntemplates = [\"user\"]", 1) + `
[[template]]
name = "user"
most = 9
made = [{length = "1h", most = 1}]
ceiling = [{mint = "SOL", transaction = 1, window = [{length = "1h", most = 1}]}]
sum = [{mint = "SOL", window = [{length = "1h", most = 1}]}]
`
	require.NoError(t, os.WriteFile(p.path("policy.toml"), []byte(changed), 0o600))
	identities := p.serve[len(p.serve)-1]
	identity, err := os.ReadFile(identities)
	require.NoError(t, err)
	parsed, err := age.ParseX25519Identity(strings.TrimSpace(string(identity)))
	require.NoError(t, err)
	out, status := command(t, "", "init", "--log-key", p.path("other.key"), "--age-key", p.path("seed.age"),
		"--recipient", parsed.Recipient().String())
	require.Zero(t, status, out)
	p.serve = append(p.serve, "--seed-key", p.path("seed.age"))
	write := func(more string) {
		file, err := os.Create(p.path("keys.age"))
		require.NoError(t, err)
		defer file.Close()
		sealing, err := age.Encrypt(file, parsed.Recipient())
		require.NoError(t, err)
		for _, name := range []string{"a", "b"} {
			k := signer.ImportedKey{Name: name, Seed: []byte(strings.Repeat(name, 32))}
			require.NoError(t, json.NewEncoder(sealing).Encode(k))
		}
		fmt.Fprintln(sealing, more)
		require.NoError(t, sealing.Close())
	}
	args := append([]string{"import", p.path("keys.age"), "--template", "user"}, p.serve[1:]...)
	write(`{"name":"c","seed":`)
	out, status = command(t, "", args...)
	require.Equal(t, 1, status)
	assert.Contains(t, out, "after 2 keys: ")
	write(`{"name":"c","seed":"` + strings.Repeat("A", 43) + `="}`)
	out, status = command(t, "", args...)
	require.Zero(t, status, out)
	assert.Contains(t, out, "3 owners have a key that was elsewhere\n")
	assert.NotContains(t, out, strings.Repeat("a", 32))
	out, status = command(t, "", append([]string{"import", p.path("keys.age"), "--template", "none"}, p.serve[1:]...)...)
	require.Equal(t, 1, status)
	assert.Contains(t, out, `owner "a", after 0: `)

	process := p.start(t)
	for _, name := range []string{"a", "b", "c"} {
		c, err := client.Dial(t.Context(), p.path("s"), name)
		require.NoError(t, err)
		c.Close()
	}
	out, status = command(t, "", "health", "--socket", p.path("s"))
	require.Zero(t, status, out)
	assert.Contains(t, out, `"elsewhere": 3`)
	require.NoError(t, process.Process.Kill())
	require.Error(t, process.Wait())
}
