package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
)

// importing is a place whose policy has a template, and the arguments of import.
func importing(t *testing.T) (p *place, to *age.X25519Recipient, args []string) {
	p = sealed(t)
	text, err := os.ReadFile(p.path("policy.toml"))
	require.NoError(t, err)
	changed := strings.Replace(string(text), `owners = ["bot"]`, "owners = [\"bot\"]\ntemplates = [\"user\"]", 1) + `
[[template]]
name = "user"
most = 90
made = [{length = "1h", most = 1}]
ceiling = [{mint = "SOL", transaction = 1, window = [{length = "1h", most = 1}]}]
sum = [{mint = "SOL", window = [{length = "1h", most = 1}]}]
`
	require.NoError(t, os.WriteFile(p.path("policy.toml"), []byte(changed), 0o600))
	identity, err := os.ReadFile(p.serve[len(p.serve)-1])
	require.NoError(t, err)
	parsed, err := age.ParseX25519Identity(strings.TrimSpace(string(identity)))
	require.NoError(t, err)
	out, status := command(t, "", "init", "--log-key", p.path("other.key"), "--age-key", p.path("seed.age"),
		"--recipient", parsed.Recipient().String())
	require.Zero(t, status, out)
	p.serve = append(p.serve, "--seed-key", p.path("seed.age"))
	return p, parsed.Recipient(), append([]string{"import", p.path("keys.age"), "--template", "user"}, p.serve[1:]...)
}

// writeKeys writes the keys of names, and more.
func (p *place) writeKeys(t *testing.T, to *age.X25519Recipient, more string, names ...string) {
	file, err := os.Create(p.path("keys.age"))
	require.NoError(t, err)
	defer file.Close()
	sealing, err := age.Encrypt(file, to)
	require.NoError(t, err)
	for _, name := range names {
		k := signer.ImportedKey{Name: name, Seed: []byte(strings.Repeat(name, 32))[:32]}
		require.NoError(t, json.NewEncoder(sealing).Encode(k))
	}
	fmt.Fprintln(sealing, more)
	require.NoError(t, sealing.Close())
}

// TestImport: a file of keys is taken in; after one that cannot be, the rest is by another run. What was
// taken in is served after a restart, told of as what was elsewhere.
func TestImport(t *testing.T) {
	p, to, args := importing(t)
	p.writeKeys(t, to, `{"name":"c","seed":`, "a", "b")
	out, status := command(t, "", args...)
	require.Equal(t, 1, status)
	assert.Contains(t, out, "after 2 keys: ")
	p.writeKeys(t, to, `{"name":"c","seed":"`+strings.Repeat("A", 43)+`="}`, "a", "b")
	out, status = command(t, "", args...)
	require.Zero(t, status, out)
	assert.Contains(t, out, "3 owners have a key that was elsewhere\n")
	assert.NotContains(t, out, strings.Repeat("a", 32))
	args[3] = "none"
	out, status = command(t, "", args...)
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

// TestImportKilled: an import that is killed in the middle has lost nothing, and the next one ends it.
func TestImportKilled(t *testing.T) {
	p, to, args := importing(t)
	var names []string
	for i := range 60 {
		names = append(names, fmt.Sprintf("user %d", i))
	}
	p.writeKeys(t, to, "", names...)
	killed := exec.Command(os.Args[0], args...)
	killed.Env = append(os.Environ(), "WALLETFI_SIGNER_MAIN=1")
	out, err := killed.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, killed.Start())
	told := bufio.NewScanner(out)
	for range 10 {
		require.True(t, told.Scan())
	}
	require.NoError(t, killed.Process.Kill())
	require.Error(t, killed.Wait())
	text, status := command(t, "", args...)
	require.Zero(t, status, text)
	assert.Contains(t, text, "60 owners have a key that was elsewhere\n")
	text, status = command(t, "", "audit", "verify", "--store", p.path("store.db"), "--anchor", p.path("anchor"),
		"--log-public", p.logPublic)
	require.Zero(t, status, text)
	assert.Contains(t, text, "entries=63 ", "two openings, the policy and 60 owners")
}
