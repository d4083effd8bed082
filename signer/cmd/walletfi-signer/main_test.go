package main

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/internal/program"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
	"golang.org/x/crypto/ssh/agent"
)

// TestMain runs the program itself if a test asks for it, so that it can be killed.
func TestMain(m *testing.M) {
	if os.Getenv("WALLETFI_SIGNER_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// command runs a command line in this process.
func command(t *testing.T, in string, args ...string) (out string, status int) {
	var stdout, stderr bytes.Buffer
	status = program.Run(t.Context(), args, strings.NewReader(in), &stdout, &stderr)
	return stdout.String() + stderr.String(), status
}

// place is a folder with a policy, nodes and keys.
type place struct {
	*sandbox.Sandbox
	dir, logPublic string
	owner          signing.PublicKey
	serve          []string // the arguments of serve
}

func newPlace(t *testing.T, owner signing.PublicKey, keys ...string) *place {
	s, err := sandbox.Start(sandbox.Config{InstantConfirmation: true})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	require.NoError(t, s.Ledger().FundWallet(owner.String(), 1e12))
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	require.NoError(t, err)
	genesis, err := node.Genesis(t.Context())
	require.NoError(t, err)
	p := &place{Sandbox: s, dir: t.TempDir(), owner: owner}
	out, status := command(t, "", "init", "--log-key", p.path("log.key"))
	require.Zero(t, status, out)
	p.logPublic = strings.Fields(out)[2]
	write := func(name, text string) { require.NoError(t, os.WriteFile(p.path(name), []byte(text), 0o600)) }
	write("nodes.txt", s.URL(sandbox.RPC)+"\n")
	write("policy.toml", fmt.Sprintf(`version = 1
genesis = %q
admins = [%d]
[fees]
network = 10_000
[[owner]]
name = "bot"
key = %q
[[owner.ceiling]]
mint = "SOL"
transaction = 1_000_000_000
window = [{length = "1h", most = 3_000_000_000}]
[[payee]]
name = "exchange"
address = %q
[[client]]
name = "trader"
uid = %d
owners = ["bot"]
services = [""]
share = 100
rate = 100
`, genesis, os.Getuid()+1, owner, signingtest.Key("payee").PublicKey(), os.Getuid()))
	p.serve = append([]string{
		"serve", "--policy", p.path("policy.toml"), "--store", p.path("store.db"), "--anchor", p.path("anchor"),
		"--log-key", p.path("log.key"), "--nodes", p.path("nodes.txt"), "--socket", p.path("s"),
	}, keys...)
	return p
}

func (p *place) path(name string) string { return filepath.Join(p.dir, name) }

// start runs serve in a process of its own, of the program that .ci/signer has built if it runs the
// test, and waits until it answers.
func (p *place) start(t *testing.T) *exec.Cmd {
	c := exec.Command(cmp.Or(os.Getenv("WALLETFI_SIGNER_PROGRAM"), os.Args[0]), p.serve...)
	c.Env = append(os.Environ(), "WALLETFI_SIGNER_MAIN=1")
	out, err := os.Create(p.path("out"))
	require.NoError(t, err)
	defer out.Close()
	c.Stdout, c.Stderr = out, out
	require.NoError(t, c.Start())
	deadline := time.Now().Add(30 * time.Second)
	for {
		if conn, err := net.Dial("unix", p.path("s")); err == nil {
			require.NoError(t, conn.Close())
			return c
		}
		if time.Now().After(deadline) {
			said, _ := os.ReadFile(p.path("out"))
			require.Fail(t, "the signer does not serve", string(said))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// pay is a request of a payment.
func (p *place) pay(t *testing.T, lamports walletfi.Amount) signing.SetRequest {
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(p.URL(sandbox.RPC))})
	require.NoError(t, err)
	hash, _, err := node.LatestBlockhash(t.Context())
	require.NoError(t, err)
	to := signingtest.Key("payee").PublicKey()
	tx := signingtest.Transaction{FeePayer: p.owner, Blockhash: hash, Instructions: []signingtest.Instruction{
		signingtest.Transfer(p.owner, to, lamports),
	}}
	return signing.SetRequest{Count: 1, Unsigned: walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{tx.Unsigned(t)},
		Intent: walletfi.Intent{Owner: p.owner.String(), PayTo: []string{to.String()},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: lamports}}},
	}}
}

func agentWith(t *testing.T, private ed25519.PrivateKey) string {
	socket := filepath.Join(t.TempDir(), "agent")
	c := exec.CommandContext(t.Context(), "ssh-agent", "-D", "-a", socket)
	require.NoError(t, c.Start(), "openssh-client is required")
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	var conn net.Conn
	require.Eventually(t, func() (up bool) {
		var err error
		conn, err = net.Dial("unix", socket)
		return err == nil
	}, 10*time.Second, time.Millisecond)
	defer conn.Close()
	require.NoError(t, agent.NewClient(conn).Add(agent.AddedKey{PrivateKey: private}))
	return socket
}

// sealed is a place of a key that age has encrypted.
func sealed(t *testing.T) *place {
	dir := t.TempDir()
	identity, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	identities, key := filepath.Join(dir, "identity"), filepath.Join(dir, "key.age")
	require.NoError(t, os.WriteFile(identities, []byte(identity.String()+"\n"), 0o600))
	out, status := command(t, "", "init", "--log-key", filepath.Join(dir, "unused"), "--age-key", key,
		"--recipient", identity.Recipient().String())
	require.Zero(t, status, out)
	return newPlace(t, signing.MustPublicKey(strings.Fields(out)[4]), "--age-key", key, "--age-identity", identities)
}

// backends are places of both kinds of keys.
func backends(t *testing.T) map[string]*place {
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	return map[string]*place{
		"age":   sealed(t),
		"agent": newPlace(t, signing.PublicKey(public), "--agent", agentWith(t, private)),
	}
}

// TestSigner runs the program with either backend, kills it between the payments, and finds
// every payment counted once.
func TestSigner(t *testing.T) {
	verified := 0
	for name, p := range backends(t) {
		t.Run(name, func(t *testing.T) {
			for i := range 3 { // each another message, also within a block
				process := p.start(t)
				c, err := client.Dial(t.Context(), p.path("s"), "bot")
				require.NoError(t, err)
				q := p.pay(t, 900_000_000+walletfi.Amount(i))
				made, err := c.SignSet(t.Context(), q)
				require.NoError(t, err)
				tx, err := signing.Decode(q.Unsigned.Transactions[0])
				require.NoError(t, err)
				require.True(t, made.Signatures[0].Verify(p.owner, tx.Message()))
				verified++
				c.Close()
				require.NoError(t, process.Process.Kill())
				require.Error(t, process.Wait())
			}
			process := p.start(t)
			c, err := client.Dial(t.Context(), p.path("s"), "bot")
			require.NoError(t, err)
			defer c.Close()
			_, err = c.SignSet(t.Context(), p.pay(t, 900_000_003))
			require.ErrorIs(t, err, signing.ErrWaits, "three of 0.9 SOL are counted")
			require.ErrorContains(t, err, signer.CodeWindow)
			_, err = c.SignSet(t.Context(), p.pay(t, 200_000_000))
			require.NoError(t, err, "none is counted twice")
			text, err := json.Marshal(map[string]any{"unsigned": p.pay(t, 1).Unsigned, "first": 0, "count": 1})
			require.NoError(t, err)
			out, status := command(t, string(text), "judge", "--socket", p.path("s"))
			require.Zero(t, status, out)
			assert.Contains(t, out, `"grade": "bytes"`)
			out, status = command(t, "", "health", "--socket", p.path("s"))
			require.Zero(t, status, out)
			assert.Contains(t, out, `"mode": "open"`)
			for _, args := range [][]string{{"freeze"}, {"thaw"}, {"ledger"}, {"log"}} {
				out, status = command(t, "", append(args, "--socket", p.path("s"))...)
				assert.Equal(t, 1, status)
				assert.Contains(t, out, "may not ask", "a client is no admin")
			}
			require.NoError(t, process.Process.Signal(os.Interrupt))
			require.NoError(t, process.Wait())
			out, status = command(t, "", "audit", "verify", "--store", p.path("store.db"), "--anchor", p.path("anchor"),
				"--log-public", p.logPublic)
			require.Zero(t, status, out)
			assert.Contains(t, out, "altered=0")
		})
	}
	require.Equal(t, 6, verified)
}

func TestCheckPolicy(t *testing.T) {
	p := newPlace(t, signingtest.Key("owner").PublicKey())
	out, status := command(t, "", "check-policy", p.path("policy.toml"))
	require.Zero(t, status, out)
	assert.Contains(t, out, `From owner "bot" leaves at most 3000000000 of SOL within any 1h.`)
	assert.Contains(t, out, "fingerprint ")
	text, err := os.ReadFile(p.path("policy.toml"))
	require.NoError(t, err)
	next := p.path("next.toml")
	require.NoError(t, os.WriteFile(next, bytes.Replace(text, []byte("3_000"), []byte("4_000"), 1), 0o600))
	out, status = command(t, "", "check-policy", p.path("policy.toml"), next)
	require.Zero(t, status, out)
	assert.Contains(t, out, "- From owner \"bot\" leaves at most 3000000000 of SOL within any 1h.\n"+
		"+ From owner \"bot\" leaves at most 4000000000 of SOL within any 1h.\n")
	require.NoError(t, os.WriteFile(next, []byte("version = 1\nx = 2"), 0o600))
	out, status = command(t, "", "check-policy", next)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "x is no member of a policy")
}

// TestPolicySuggest: an admin has a policy proposed, which can be served as it is.
func TestPolicySuggest(t *testing.T) {
	p := newPlace(t, signingtest.Key("owner").PublicKey())
	identity, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(p.path("identity"), []byte(identity.String()), 0o600))
	out, status := command(t, "", "init", "--log-key", p.path("other.key"), "--age-key", p.path("owner.age"),
		"--recipient", identity.Recipient().String())
	require.Zero(t, status, out)
	for _, name := range []string{"other.key", "owner.age"} {
		assert.Contains(t, out, "wrote "+p.path(name)+",")
	}
	owner := strings.Fields(out[strings.Index(out, "owner "):])[1]
	text, err := os.ReadFile(p.path("policy.toml"))
	require.NoError(t, err)
	changed := strings.NewReplacer("version = 1", "version = 1\nreport_only = true", p.owner.String(), owner,
		fmt.Sprintf("admins = [%d]", os.Getuid()+1), fmt.Sprintf("admins = [%d]", os.Getuid()),
		fmt.Sprintf("uid = %d", os.Getuid()), fmt.Sprintf("uid = %d", os.Getuid()+1)).Replace(string(text))
	require.NoError(t, os.WriteFile(p.path("policy.toml"), []byte(changed), 0o600))
	p.serve = append(p.serve, "--age-key", p.path("owner.age"), "--age-identity", p.path("identity"))
	process := p.start(t)
	said, err := os.ReadFile(p.path("out"))
	require.NoError(t, err)
	assert.Contains(t, string(said), "no ceiling is enforced")
	out, status = command(t, "", "policy", "suggest", p.path("policy.toml"), "--socket", p.path("s"))
	require.Zero(t, status, out)
	require.NoError(t, os.WriteFile(p.path("next.toml"), []byte(out), 0o600))
	assert.Contains(t, out, "# Suggested of 0 requests")
	out, status = command(t, "", "check-policy", p.path("policy.toml"), p.path("next.toml"))
	require.Zero(t, status, out)
	assert.Contains(t, out, "- This signer only reports")
	require.NoError(t, process.Process.Signal(os.Interrupt))
	require.NoError(t, process.Wait())
}

func TestRefusalsOfTheCommand(t *testing.T) {
	p := newPlace(t, signingtest.Key("owner").PublicKey())
	out, status := command(t, "", p.serve...)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, `the key of owner "bot"`)
	require.NoError(t, os.Chmod(p.path("log.key"), 0o644))
	out, status = command(t, "", p.serve...)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "can be read by others")
	out, status = command(t, "", "init", "--log-key", p.path("log.key"))
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "exists", "a log key is never overwritten")
	out, status = command(t, "", "health", "--socket", p.path("none"))
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "unavailable")
}

// TestStanding: init lists what a key had allowed, here of a new one, and makes nothing.
func TestStanding(t *testing.T) {
	key := signingtest.Key("owner").PublicKey()
	p := newPlace(t, key)
	dir := t.TempDir()
	nodes := filepath.Join(dir, "nodes")
	require.NoError(t, os.WriteFile(nodes, []byte(p.URL(sandbox.RPC)+"\n"), 0o600))
	out, status := command(t, "", "init", "--of", key.String(), "--nodes", nodes, "--log-key", filepath.Join(dir, "log.key"))
	require.Zero(t, status, out)
	assert.Equal(t, "0 standing permissions of "+key.String()+", by 1 nodes\n", out)
	assert.NoFileExists(t, filepath.Join(dir, "log.key"))
	out, status = command(t, "", "init", "--of", key.String(), "--nodes", filepath.Join(dir, "none"))
	require.NotZero(t, status, out)
}
