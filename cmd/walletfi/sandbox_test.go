package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
)

// process is a sandbox in the foreground of its own process.
type process struct {
	cmd      *exec.Cmd
	env      map[string]string
	problems *strings.Builder
}

// start runs the sandbox until its last line.
func start(t *testing.T, env []string, args ...string) process {
	t.Helper()
	p := process{exec.Command(binary, append([]string{"sandbox"}, args...)...), map[string]string{}, &strings.Builder{}}
	p.cmd.Env, p.cmd.Stderr = append([]string{}, env...), p.problems
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() {
		if p.cmd.ProcessState == nil {
			_ = p.cmd.Process.Kill()
			_ = p.cmd.Wait()
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), "=")
		require.True(t, ok, lines.Text())
		require.Regexp(t, `^WALLETFI_[A-Z0-9_]+$`, name)
		require.Regexp(t, `^'[^']+'$`, value)
		require.NotContains(t, p.env, name, "twice")
		p.env[name] = strings.Trim(value, "'")
		if name == "WALLETFI_CONTROL_URL" {
			return p
		}
	}
	t.Fatalf("the sandbox ended: %s", p.problems)
	return p
}

// end sends a signal, and returns the status.
func (p process) end(t *testing.T, signal os.Signal) int {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(signal))
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

func (p process) get(t *testing.T, path string) int {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, p.env["WALLETFI_LENDING_URL"]+path, nil)
	require.NoError(t, err)
	request.Header.Set("X-Api-Key", p.env["WALLETFI_LENDING_KEY"])
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	answer.Body.Close()
	return answer.StatusCode
}

func TestSandbox(t *testing.T) {
	p := start(t, []string{tokenVariable + "=fixed"}, "--seed", "7", "--manual-clock")
	require.Equal(t, 200, p.get(t, "/v1/pools"))
	require.Equal(t, "fixed", p.env[tokenVariable])
	require.NotEmpty(t, p.env["WALLETFI_MINT_USDC"])
	require.NotEmpty(t, p.env[nodeVariable])
	require.NotEmpty(t, p.env[secretVariable])
	for _, service := range sandbox.Services() {
		require.NotEmpty(t, p.env["WALLETFI_"+strings.ToUpper(string(service))+"_URL"], service)
	}
	require.Zero(t, p.end(t, os.Interrupt), p.problems)
	require.Empty(t, p.problems.String())
	other := start(t, nil)
	require.NotEqual(t, p.env["WALLETFI_WALLET_ADDRESS"], other.env["WALLETFI_WALLET_ADDRESS"], "another seed, another wallet")
	require.Zero(t, other.end(t, syscall.SIGTERM))
}

// TestSandboxEnv: a shell takes the lines as they are.
func TestSandboxEnv(t *testing.T) {
	script := `set -eu; "$1" sandbox > "$2" & pid=$!
until grep -q CONTROL_URL "$2"; do :; done
set -a; . "$2"
kill -INT $pid; wait $pid
echo "$WALLETFI_WALLET_KEYPAIR"`
	out, err := exec.Command("bash", "-c", script, "bash", binary, file(t, "x")).Output()
	require.NoError(t, err, "%s", out)
	var pair []int
	require.NoError(t, json.Unmarshal(out, &pair), "%s", out)
	require.Len(t, pair, 64)
}

func TestSandboxJSON(t *testing.T) {
	cmd := exec.Command(binary, "sandbox", "--json")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var all info
	require.NoError(t, json.NewDecoder(out).Decode(&all))
	require.Greater(t, len(all.Services), 11)
	request, err := http.NewRequest(http.MethodPost, all.Control.URL+"/close", strings.NewReader("{}"))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+all.Control.Token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	answer.Body.Close()
	_, _ = io.Copy(io.Discard, out)
	require.NoError(t, cmd.Wait(), "closed by the control port")
}

func TestSandboxViolations(t *testing.T) {
	p := start(t, nil)
	require.Equal(t, 400, p.get(t, "/v1/pools?x=1"))
	require.Equal(t, statusViolations, p.end(t, os.Interrupt))
	require.Equal(t, "violation: lending GET /v1/pools: unknown query parameter x\nwalletfi: violations: 1\n", p.problems.String())
}

func TestSandboxPortTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	command(t, "sandbox", "--port", strconv.Itoa(port)).fails(t, statusNetwork, strconv.Itoa(port))
}

// TestExplainWithNode: what a service has built is simulated by a node, whose address
// never shows.
func TestExplainWithNode(t *testing.T) {
	s, err := sandbox.Start(sandbox.Config{})
	require.NoError(t, err)
	defer s.Close()
	client, err := lending.New(lending.Config{BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending))})
	require.NoError(t, err)
	built, err := client.BuildDeposit(t.Context(), lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 25_500_000,
	})
	require.NoError(t, err)
	unsigned, program := marshal(t, built.Unsigned()), s.ProgramID(sandbox.Lending)
	explain := []string{"explain", "--service", "lending", "--pin", program, "--json"}
	got := call{in: unsigned, env: []string{nodeVariable + "=" + s.URL(sandbox.RPC)}}.run(t, append(explain, "--node")...)
	require.Zero(t, got.status, got.err)
	require.Contains(t, got.out, `"simulated": true`)
	require.Equal(t, statusRefused, call{in: unsigned}.run(t, explain...).status, "nobody saw what it does")
	offline := call{in: unsigned}.run(t, append(explain, "--blind")...)
	require.Zero(t, offline.status, offline.err)
	require.NotContains(t, offline.out, `"simulated": true`)

	gone := file(t, "http://127.0.0.1:1/never-print-this\n")
	down := call{in: unsigned}.run(t, append(explain, "--node-file", gone)...)
	down.fails(t, statusNetwork)
	require.NotContains(t, down.err, "never-print")
	call{in: unsigned}.run(t, append(explain, "--node")...).fails(t, statusSecret, nodeVariable)
	call{in: unsigned, env: []string{nodeVariable + "=never-print-this"}}.run(t, append(explain, "--node")...).fails(t, statusSecret)
}
