package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// started runs the command. It returns what -json prints, and stops the command
// and returns its exit status and what it says.
func started(t *testing.T, arguments ...string) (l listing, end func() (int, string)) {
	t.Helper()
	read, write := io.Pipe()
	stop, status, said := make(chan os.Signal, 1), make(chan int, 1), &bytes.Buffer{}
	go func() {
		code, err := run(append(arguments, "-json"), write, said, stop)
		if err != nil {
			said.WriteString(err.Error())
		}
		write.Close()
		status <- code
	}()
	require.NoError(t, json.NewDecoder(read).Decode(&l))
	return l, func() (int, string) {
		stop <- os.Interrupt
		return <-status, said.String()
	}
}

func (l listing) get(t *testing.T, service, path string) int {
	t.Helper()
	for _, s := range l.Services {
		if s.Service != service || s.Host != "" {
			continue
		}
		r, err := http.NewRequest("GET", s.URL+path, nil)
		require.NoError(t, err)
		r.Header.Set("X-Api-Key", s.Key)
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		answer.Body.Close()
		return answer.StatusCode
	}
	t.Fatalf("no %s in the listing", service)
	return 0
}

func TestControlCommandPrintsEverything(t *testing.T) {
	l, end := started(t, "-seed", "7", "-manual-clock", "-token", "fixed")
	assert.Len(t, l.Services, 15)
	assert.Len(t, l.Wallet.Keypair, 64)
	assert.Equal(t, "SOL", l.Tokens[0].Symbol)
	assert.Equal(t, "So11111111111111111111111111111111111111112", l.Tokens[0].Mint)
	assert.Equal(t, "fixed", l.Control.Token)
	assert.Equal(t, 200, l.get(t, "lending", "/v1/pools"))
	status, said := end()
	assert.Zero(t, status)
	assert.Empty(t, said)
	other, end := started(t)
	assert.NotEqual(t, other.Wallet.Address, l.Wallet.Address, "another seed, another wallet")
	assert.NotEqual(t, "fixed", other.Control.Token)
	end()
}

func TestControlCommandFailsAfterViolations(t *testing.T) {
	l, end := started(t)
	assert.Equal(t, 400, l.get(t, "lending", "/v1/pools?x=1"))
	status, said := end()
	assert.Equal(t, 1, status)
	assert.Equal(t, "violation: lending GET /v1/pools: unknown query parameter x\n", said)
}

func TestControlCommandFlags(t *testing.T) {
	o, err := parse(strings.Fields("-port 9 -no-limits -seed 3 -manual-clock -instant -shape 2 -strict-echo -drift -lending-webhook http://127.0.0.1/x -tiers lending=pro,swap=free"), io.Discard)
	require.NoError(t, err)
	assert.Equal(t, sandbox.Config{
		BasePort: 9, NoLimits: true, Seed: 3, ManualClock: true, InstantConfirmation: true, Shape: 2, StrictEcho: true, Drift: true,
		LendingWebhook: "http://127.0.0.1/x", Control: &sandbox.ControlPort{},
		Tiers: map[sandbox.Service]sandbox.Tier{sandbox.Lending: sandbox.TierPro, sandbox.Swap: sandbox.TierFree},
	}, o.config)
	file := filepath.Join(t.TempDir(), "acme.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"name": "acme"} // a comment`), 0o600))
	o, err = parse([]string{"-deployment", file}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, "acme", o.config.Deployment.Name)
	for _, bad := range []string{"-tiers lending", "x", "-shape x", "-deployment nowhere.json"} {
		_, err := parse(strings.Fields(bad), io.Discard)
		assert.Error(t, err, bad)
	}
	status, err := run([]string{"-tiers", "lendign=pro"}, io.Discard, io.Discard, nil)
	assert.Equal(t, 2, status)
	assert.ErrorContains(t, err, "lendign")
}

func TestControlCommandTable(t *testing.T) {
	s, err := sandbox.Start(sandbox.Config{Control: &sandbox.ControlPort{}})
	require.NoError(t, err)
	defer s.Close()
	var out bytes.Buffer
	require.NoError(t, show(s, &out, false))
	for _, word := range []string{"lending", s.APIKey(sandbox.Lending), s.URL(sandbox.Control), s.WalletAddress(), s.Mint("USDC"), "Ctrl-C"} {
		assert.Contains(t, out.String(), word)
	}
}
