package main

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// verdicts runs doctor, and returns the findings by what they are of.
func verdicts(t *testing.T, c call, status int, args ...string) map[string]finding {
	t.Helper()
	got := c.run(t, append([]string{"doctor", "--json"}, args...)...)
	require.Equal(t, status, got.status, got.err)
	require.NotContains(t, got.out+got.err, "never-print")
	require.NotContains(t, got.out, "\x1b")
	var all []finding
	require.NoError(t, json.Unmarshal([]byte(got.out), &all))
	require.NotEmpty(t, all)
	by := map[string]finding{}
	for _, f := range all {
		by[f.What] = f
		require.Equal(t, f.Verdict == good, f.Do == "", "%+v: what is not well says what to do", f)
	}
	return by
}

// signerSocket is a server at a Unix socket that answers as a signer.
func signerSocket(t *testing.T, answer string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	listener, err := net.Listen("unix", filepath.Join(dir, "s"))
	require.NoError(t, err)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/owners" {
			_, _ = w.Write([]byte(answer))
		}
	})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	return listener.Addr().String()
}

func TestDoctor(t *testing.T) {
	box, err := sandbox.Start(sandbox.Config{Control: &sandbox.ControlPort{}})
	require.NoError(t, err)
	defer box.Close()
	pair, err := readInfo(box)
	require.NoError(t, err)
	var all info
	require.NoError(t, json.Unmarshal(pair, &all))
	text, err := json.Marshal(all.Wallet.Keypair)
	require.NoError(t, err)
	config := file(t, `{"maxFeeLamports": 100000, "mostPerDay": "1", "mostLamportsPerDay": "5"}`)
	live := call{env: []string{nodeVariable + "=" + box.URL(sandbox.RPC)}}
	key := file(t, string(text))
	by := verdicts(t, live, 0, "--key-file", key, "--config", config, "--signer", signerSocket(t, `[{"name":"a","key":"b"}]`))
	for _, what := range []string{"key", "limits", "signer", "node", "clock"} {
		require.Equal(t, good, by[what].Verdict, "%+v", by[what])
	}
	require.Equal(t, skipped, by["deployment"].Verdict)
	require.Contains(t, by["key"].Found, all.Wallet.Address)
	plainText := live.run(t, "doctor", "--key-file", key)
	require.NotContains(t, plainText.out, strings.Trim(string(text), "[]")[:20])
	require.Contains(t, plainText.out, "key         ok: address "+all.Wallet.Address)
}

// TestDoctorWrong: each thing that is wrong is found, and no secret of it is printed.
func TestDoctorWrong(t *testing.T) {
	require.Len(t, verdicts(t, call{}, 0), 5, "nothing is configured")
	open := file(t, "[1]")
	require.NoError(t, os.Chmod(open, 0o644))
	bad := call{env: []string{nodeVariable + "=http://127.0.0.1:1/never-print-this"}}
	by := verdicts(t, bad, statusDiffers, "--key-file", open, "--config", file(t, `{"mostPerDay": "never-print-this"}`),
		"--signer", filepath.Join(t.TempDir(), "none"), "--deployment", file(t, "{"), "--timeout", "3s")
	for _, what := range []string{"key", "limits", "signer", "deployment", "node"} {
		require.Equal(t, wrong, by[what].Verdict, what)
	}
	for _, answer := range []string{`[]`, "\x1b[2J", strings.Repeat("[", 2<<20)} {
		require.Equal(t, wrong, verdicts(t, call{}, statusDiffers, "--signer", signerSocket(t, answer))["signer"].Verdict)
	}
	require.Equal(t, wrong, verdicts(t, call{}, statusDiffers, "--key-file", "/dev/zero")["key"].Verdict)
}
