package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// secretsOf are the key of a user and what it is derived from, in each form that a program could hold.
func secretsOf(t *testing.T, p *process, name string) map[string][]byte {
	t.Helper()
	const text = "walletfi-signer: the seed of the owners that are made at run time, version 1"
	root, err := signingtest.Key("seed").Sign(t.Context(), []byte(text))
	require.NoError(t, err)
	user := p.user(t, name)
	seed, err := hkdf.Key(sha256.New, root[:], nil, "owner "+user.ID, ed25519.SeedSize)
	require.NoError(t, err)
	key, err := signing.NewLocalKeyFromSeed(seed)
	require.NoError(t, err)
	require.Equal(t, user.Address, key.PublicKey().String(), "it is the user's key")
	all := map[string][]byte{}
	for what, raw := range map[string][]byte{"key": seed, "root": root[:32]} {
		what += " of " + name
		all[what] = raw
		all[what+" in hex"] = []byte(hex.EncodeToString(raw))
		all[what+" in base58"] = []byte(signing.PublicKey(raw).String())
		all[what+" in base64"] = []byte(base64.RawStdEncoding.EncodeToString(raw)[:42])
	}
	return all
}

// inMemory searches all memory that a process may write for secrets, and names those that are there.
func inMemory(t *testing.T, pid int, secrets map[string][]byte) (found []string) {
	t.Helper()
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	require.NoError(t, err)
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	require.NoError(t, err)
	defer memory.Close()
	read := 0
	there := map[string]bool{}
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		var may string
		_, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &may)
		require.NoError(t, err)
		if !strings.HasPrefix(may, "rw") {
			continue
		}
		part := make([]byte, to-from)
		n, _ := memory.ReadAt(part, int64(from)) // less of what was never touched
		read += n
		for name, secret := range secrets {
			if bytes.Contains(part[:n], secret) && !there[name] {
				there[name] = true
				found = append(found, name)
			}
		}
	}
	require.Greater(t, read, 10<<20, "next to nothing was read")
	return found
}

// TestNoKeyInTheBackend: after payments of every user the process of the backend has no key in its memory,
// and the search finds those that are planted there.
func TestNoKeyInTheBackend(t *testing.T) {
	p := startProcess(t, sandbox.Config{InstantConfirmation: true})
	r := &rig{box: p.box, url: "http://" + p.address, password: p.password}
	r.document = newDocument(t, r.url)
	secrets := map[string][]byte{}
	for _, name := range demo.Names {
		c := r.signIn(t, name)
		paid := c.prepare(t, r.swapOf("25"))
		c.approve(t, paid)
		c.await(t, paid.ID, "confirmed")
		for what, secret := range secretsOf(t, p, name) {
			secrets[what] = secret
		}
	}
	require.Len(t, secrets, 16)
	found := inMemory(t, p.command.Process.Pid, secrets)
	t.Logf("keys in backend=%d", len(found))
	require.Empty(t, found)
	require.NotEmpty(t, inMemory(t, p.command.Process.Pid, map[string][]byte{"address": []byte(p.user(t, "alice").Address)}))

	p.kill()
	file := t.TempDir() + "/planted"
	planted := bytes.Join([][]byte{secrets["key of alice"], []byte("x")}, nil)
	require.NoError(t, os.WriteFile(file, planted, 0o600))
	p.env = append(p.env, settings.Variable(settings.DemoPassword)+"=", settings.Variable(settings.DemoPassword)+"_FILE="+file)
	wants := []string{"key of alice"}
	for what, secret := range secrets {
		if strings.Contains(what, " in ") {
			p.env = append(p.env, "PLANTED_"+hex.EncodeToString([]byte(what))+"="+string(secret))
			wants = append(wants, what)
		}
	}
	p.start(t)
	require.Subset(t, inMemory(t, p.command.Process.Pid, secrets), wants, "what is planted is found")
}
