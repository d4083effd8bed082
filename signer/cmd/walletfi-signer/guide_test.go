package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// TestTheGuidesCommands runs the commands of docs/signer.md as they are written, with a bot's
// payment before the last ones.
func TestTheGuidesCommands(t *testing.T) {
	page, err := os.ReadFile("../../../docs/signer.md")
	require.NoError(t, err)
	_, part, found := strings.Cut(string(page), "## Ten minutes\n")
	require.True(t, found)
	part, _, found = strings.Cut(part, "\n## ")
	require.True(t, found)
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(part, -1)
	require.Len(t, blocks, 4)

	p := newPlace(t, signingtest.Key("owner").PublicKey()) // for its sandbox
	dir, programs := t.TempDir(), t.TempDir()
	build := exec.Command("go", "build", "-o", programs, "filippo.io/age/cmd/age-keygen")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	self := "#!/bin/sh\nWALLETFI_SIGNER_MAIN=1 exec '" + os.Args[0] + "' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(programs, "walletfi-signer"), []byte(self), 0o700))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	bash := func(script string) string {
		c := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
		c.Dir = dir
		c.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"), "RPC_URL="+p.URL(sandbox.RPC),
			"EXCHANGE="+signingtest.Key("payee").PublicKey().String())
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	t.Cleanup(func() { // of a test that fails before the last commands
		pid, err := os.ReadFile(filepath.Join(dir, "signer.pid"))
		if n, bad := strconv.Atoi(strings.TrimSpace(string(pid))); err == nil && bad == nil && t.Failed() {
			_ = syscall.Kill(n, syscall.SIGKILL)
		}
	})
	said := bash(blocks[0][1] + blocks[1][1] + blocks[2][1])
	assert.Contains(t, said, `From owner "bot" leaves at most 5000000000 of SOL within any 1h.`)
	assert.Contains(t, said, `"mode": "open"`)
	key, err := client.Dial(t.Context(), filepath.Join(dir, "signer.sock"), "bot")
	require.NoError(t, err)
	defer key.Close()
	p.owner = key.PublicKey()
	require.NoError(t, p.Ledger().FundWallet(p.owner.String(), 1e12))
	made, err := key.SignSet(t.Context(), p.pay(t, 1_900_000_000))
	require.NoError(t, err)
	assert.Len(t, made.Signatures, 1)
	_, err = key.SignSet(t.Context(), p.pay(t, 2_100_000_000))
	require.ErrorIs(t, err, signing.ErrRefused)
	assert.Contains(t, bash(blocks[3][1]), "altered=0")
}
