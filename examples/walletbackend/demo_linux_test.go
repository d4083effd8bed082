package main

import (
	"bufio"
	"encoding/hex"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// TestTheDemoIsOneCommand: it pays by a signer in another process, which alone has a key and ends with
// the demo, also if that is killed. The next start has the same users.
func TestTheDemoIsOneCommand(t *testing.T) {
	temporary, err := os.MkdirTemp("", "d") // short: a socket's path has at most 107 bytes
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(temporary) })
	data := t.TempDir()
	box, err := sandbox.Start(sandbox.Config{})
	require.NoError(t, err)
	box.Close() // its mints are the same
	addresses := map[string]bool{}
	for range 2 {
		command := exec.Command(os.Args[0], "-listen", "127.0.0.1:0", "-data", data)
		command.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+temporary)
		command.Stderr = testLog{t}
		out, err := command.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, command.Start())
		t.Cleanup(func() { command.Process.Kill() })
		lines := bufio.NewScanner(out)
		require.True(t, lines.Scan(), "the demo said nothing")
		url := strings.TrimPrefix(lines.Text(), "walletbackend at ")
		require.True(t, lines.Scan())
		password := regexp.MustCompile(`password (\S+)`).FindStringSubmatch(lines.Text())
		require.Len(t, password, 2)
		sockets, err := filepath.Glob(filepath.Join(temporary, "signer*", "socket"))
		require.NoError(t, err)

		r := &rig{box: box, url: url, password: password[1]}
		r.document = newDocument(t, url)
		if len(addresses) == 0 { // a later sandbox has not given them anything
			alice := r.signIn(t, "alice")
			p := alice.prepare(t, r.swapOf("25"))
			alice.approve(t, p)
			alice.await(t, p.ID, "confirmed")
		}
		p := &process{data: data}
		addresses[p.wallet(t, "alice")] = true
		seed, err := os.ReadFile(filepath.Join(data, "signer.seed"))
		require.NoError(t, err)
		require.Len(t, seed, 32)
		require.Empty(t, inMemory(t, command.Process.Pid, map[string][]byte{
			"seed": seed, "seed in hex": []byte(hex.EncodeToString(seed)),
		}))
		require.NoError(t, command.Process.Kill())
		require.Error(t, command.Wait())
		socket := sockets[len(sockets)-1]
		require.Eventually(t, func() bool {
			_, err := net.Dial("unix", socket)
			return err != nil
		}, waitMost, waitEvery, "the signer ends with the demo")
		require.NoError(t, os.RemoveAll(filepath.Dir(socket)))
	}
	require.Len(t, addresses, 1)
}
