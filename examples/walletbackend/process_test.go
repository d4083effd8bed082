package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/sandbox"
)

// asProgram makes this test binary the program itself.
const asProgram = "WALLETBACKEND_TEST_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// process is a server in a process of its own, on a sandbox in this one, so that the
// ledger outlives a server that is killed.
type process struct {
	box       *sandbox.Sandbox
	signer    *testSigner
	address   string
	password  string
	arguments []string
	env       []string
	command   *exec.Cmd
	data      string
}

// startProcess starts the sandbox, the signer and the server. change is of startSigner.
func startProcess(t *testing.T, c sandbox.Config, change ...string) *process {
	t.Helper()
	address := wiretest.UnusedAddress(t)
	c.NoLimits = true
	box, s, err := demo.Start(c, address)
	require.NoError(t, err)
	t.Cleanup(box.Close)

	p := &process{box: box, address: address, data: t.TempDir(), env: append(os.Environ(), asProgram+"=1")}
	for _, name := range settings.Names {
		secret, err := s.Secret(name)
		require.NoError(t, err)
		if !secret.IsZero() {
			p.env = append(p.env, settings.Variable(name)+"="+secret.Reveal())
		}
		if name == settings.DemoPassword {
			p.password = secret.Reveal()
		}
	}
	s.SignerPage = "https://signer.example"
	text, err := json.Marshal(s)
	require.NoError(t, err)
	config := filepath.Join(t.TempDir(), "deployment.json")
	require.NoError(t, os.WriteFile(config, text, 0o600))
	p.signer = startSigner(t, box, s, change...)
	p.arguments = []string{
		"-listen", address, "-config", config, "-data", p.data, "-demo-users", "-signer", p.signer.socket,
	}
	p.start(t)
	t.Cleanup(func() { p.kill() })
	return p
}

// start starts the server and waits until it says where it is.
func (p *process) start(t *testing.T) {
	t.Helper()
	p.command = exec.Command(os.Args[0], p.arguments...)
	p.command.Env = p.env
	p.command.Stderr = testLog{t}
	out, err := p.command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.command.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "the server said nothing")
	require.Equal(t, "walletbackend at http://"+p.address+"\n", line)
}

// kill ends the server as kill -9 does.
func (p *process) kill() {
	p.command.Process.Kill()
	p.command.Wait()
}

// wallet is a user's address.
func (p *process) wallet(t *testing.T, name string) string { return p.user(t, name).Address }

// user is a user's record.
func (p *process) user(t *testing.T, name string) store.User {
	t.Helper()
	db, err := store.Open(t.Context(), databaseOf(p.data))
	require.NoError(t, err)
	defer db.Close()
	user, err := db.UserByName(context.Background(), name)
	require.NoError(t, err)
	return user
}

// testLog writes a server's problems to the test's log.
type testLog struct{ t *testing.T }

func (l testLog) Write(text []byte) (int, error) {
	for line := range strings.Lines(string(text)) {
		if !strings.Contains(line, "level=INFO") {
			l.t.Log(strings.TrimSpace(line))
		}
	}
	return len(text), nil
}

// TestAnAddressInUse tells why the server does not start.
func TestAnAddressInUse(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	err = run(t.Context(), []string{"-listen", listener.Addr().String()}, testLog{t}, testLog{t})
	require.ErrorContains(t, err, "address already in use")
	require.ErrorContains(t, run(t.Context(), []string{"-config", "missing.json"}, testLog{t}, testLog{t}), "-config needs -signer")
	require.ErrorContains(t, run(t.Context(), []string{"-signer", "s"}, testLog{t}, testLog{t}), "-config needs -signer")
	require.ErrorContains(t, run(t.Context(), []string{"-config", "missing.json", "-signer", "s"}, testLog{t}, testLog{t}), "-data is required")
	require.ErrorContains(t, run(t.Context(), []string{"-config", "missing.json", "-signer", "s", "-data", t.TempDir(), "-listen", "127.0.0.1:0"}, testLog{t}, testLog{t}), "missing.json")
}

// TestKilledAfterEachApproval kills the server as soon as it has taken an approval, for
// each kind of payment. The next start executes what was approved, once.
func TestKilledAfterEachApproval(t *testing.T) {
	p := startProcess(t, sandbox.Config{InstantConfirmation: true})
	r := &rig{box: p.box, url: "http://" + p.address, password: p.password}
	r.document = newDocument(t, r.url)
	usdc := p.box.Mint("USDC")
	asked := []map[string]string{
		{"kind": "deposit", "mint": usdc, "amount": "100", "depositType": "protected"},
		{"kind": "withdraw", "mint": usdc, "amount": "40", "depositType": "protected"},
		{"kind": "burn", "mint": p.box.Mint("DUST")},
		{"kind": "close all"},
	}
	for _, service := range []string{"swap", "amm", "providerswap"} {
		of := r.swapOf("25")
		of["service"] = service
		asked = append(asked, of)
	}
	for _, a := range asked {
		alice := r.signIn(t, "alice")
		prepared := alice.prepare(t, a)
		require.Equal(t, "review", prepared.State, prepared.Problem)
		alice.approve(t, prepared)
		p.kill()
		p.start(t)
		alice.await(t, prepared.ID, "confirmed")
	}
	require.EqualValues(t, 1_000_000_000-100_000_000+40_000_000-3*25_000_000, p.box.Ledger().TokenBalance(p.wallet(t, "alice"), usdc), "each once")
	require.Empty(t, p.box.Violations())
}

// TestKilledAfterOpeningAndClosing is the same for a leveraged position, whose rent and
// collateral come back when it is closed.
func TestKilledAfterOpeningAndClosing(t *testing.T) {
	p := startProcess(t, sandbox.Config{InstantConfirmation: true})
	r := &rig{box: p.box, url: "http://" + p.address, password: p.password}
	r.document = newDocument(t, r.url)
	usdc := p.box.Mint("USDC")
	killed := func(asked map[string]string) {
		alice := r.signIn(t, "alice")
		prepared := alice.prepare(t, asked)
		require.Equal(t, "review", prepared.State, prepared.Problem)
		alice.approve(t, prepared)
		p.kill()
		p.start(t)
		alice.await(t, prepared.ID, "confirmed")
	}
	positions := func() (all []struct{ Address, Status string }) {
		var portfolio struct {
			Leverage []struct{ Address, Status string }
		}
		require.Equal(t, 200, r.signIn(t, "alice").call(t, "GET", "/api/portfolio", nil, &portfolio))
		return portfolio.Leverage
	}
	offer := regexp.MustCompile(`name="offer" value="([^"]+)"><input type="hidden" name="mint" value="` + usdc + `"`).
		FindStringSubmatch(r.signIn(t, "alice").page(t, "/"))
	require.Len(t, offer, 2)
	killed(map[string]string{"kind": "open", "offer": offer[1], "mint": usdc, "amount": "20", "leverage": "2", "slippageBps": "50"})
	require.EqualValues(t, 980_000_000, p.box.Ledger().TokenBalance(p.wallet(t, "alice"), usdc), "opened once")
	opened := positions()
	require.Len(t, opened, 1)
	killed(map[string]string{"kind": "close", "position": opened[0].Address, "slippageBps": "50"})
	require.InDelta(t, 1_000_000_000, p.box.Ledger().TokenBalance(p.wallet(t, "alice"), usdc), 1_000_000, "closed once")
	for _, left := range positions() {
		require.NotEqual(t, "EXECUTED", left.Status)
	}
	require.Empty(t, p.box.Violations())
}
