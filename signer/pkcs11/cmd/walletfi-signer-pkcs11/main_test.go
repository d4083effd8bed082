package main

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
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
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// TestMain runs the program itself if a test asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("WALLETFI_SIGNER_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// place is a folder in which the guide's commands run, with a sandbox.
type place struct {
	*sandbox.Sandbox
	node  *rpcnode.Client
	dir   string
	owner signing.PublicKey
}

func newPlace(t *testing.T) *place {
	s, err := sandbox.Start(sandbox.Config{InstantConfirmation: true})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	require.NoError(t, err)
	p := &place{Sandbox: s, node: node, dir: t.TempDir()}
	p.write(t, "walletfi-signer-pkcs11", "#!/bin/sh\nWALLETFI_SIGNER_MAIN=1 exec '"+os.Args[0]+"' \"$@\"\n")
	require.NoError(t, os.Chmod(p.path("walletfi-signer-pkcs11"), 0o700))
	p.write(t, "nodes.txt", s.URL(sandbox.RPC)+"\n")
	p.bash(t, "walletfi-signer-pkcs11 init --log-key log.key")
	return p
}

func (p *place) path(name string) string { return filepath.Join(p.dir, name) }

func (p *place) write(t *testing.T, name, text string) {
	require.NoError(t, os.WriteFile(p.path(name), []byte(text), 0o600))
}

// run runs a script, and says what it wrote.
func (p *place) run(t *testing.T, script string) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
	c.Dir = p.dir
	c.Env = append(os.Environ(), "PATH="+p.dir+":"+os.Getenv("PATH"), "SOFTHSM2_CONF="+p.path("softhsm2.conf"))
	out, err := c.CombinedOutput()
	return string(out), err
}

func (p *place) bash(t *testing.T, script string) string {
	out, err := p.run(t, script)
	require.NoError(t, err, out)
	return out
}

// allow writes a policy under which the owner pays.
func (p *place) allow(t *testing.T) {
	genesis, err := p.node.Genesis(t.Context())
	require.NoError(t, err)
	p.write(t, "policy.toml", fmt.Sprintf(`version = 1
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
`, genesis, os.Getuid()+1, p.owner, signingtest.Key("payee").PublicKey(), os.Getuid()))
}

// kill kills the signer, unless it is gone.
func (p *place) kill(t *testing.T) {
	text, err := os.ReadFile(p.path("signer.pid"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// dial waits until the signer serves.
func (p *place) dial(t *testing.T) *client.Client {
	require.Eventually(t, func() bool {
		conn, err := net.Dial("unix", p.path("signer.sock"))
		return err == nil && conn.Close() == nil
	}, 30*time.Second, 10*time.Millisecond)
	c, err := client.Dial(t.Context(), p.path("signer.sock"), "bot")
	require.NoError(t, err)
	return c
}

// pay has a payment signed and verifies that.
func (p *place) pay(t *testing.T, c *client.Client, lamports walletfi.Amount) error {
	hash, _, err := p.node.LatestBlockhash(t.Context())
	require.NoError(t, err)
	to := signingtest.Key("payee").PublicKey()
	tx := signingtest.Transaction{FeePayer: p.owner, Blockhash: hash, Instructions: []signingtest.Instruction{
		signingtest.Transfer(p.owner, to, lamports),
	}}.Unsigned(t)
	made, err := c.SignSet(t.Context(), signing.SetRequest{Count: 1, Unsigned: walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{tx},
		Intent: walletfi.Intent{Owner: p.owner.String(), PayTo: []string{to.String()},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: lamports}}},
	}})
	if err != nil {
		return err
	}
	decoded, err := signing.Decode(tx)
	require.NoError(t, err)
	require.Len(t, made.Signatures, 1)
	require.True(t, made.Signatures[0].Verify(p.owner, decoded.Message()))
	return nil
}

// guide are the commands of docs/signer.md for keys in hardware.
func guide(t *testing.T) (make, serve string) {
	page, err := os.ReadFile("../../../../docs/signer.md")
	require.NoError(t, err)
	_, part, found := strings.Cut(string(page), "## Keys in hardware\n")
	require.True(t, found)
	part, _, _ = strings.Cut(part, "\n## ")
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(part, -1)
	require.Len(t, blocks, 2)
	return blocks[0][1], blocks[1][1]
}

// TestSigner runs the guide's commands, and kills the signer between payments.
func TestSigner(t *testing.T) {
	p := newPlace(t)
	makeKey, serve := guide(t)
	said := p.bash(t, makeKey)
	keys := regexp.MustCompile(`(?m)^owner (\S+)$`).FindAllStringSubmatch(said, -1)
	require.Len(t, keys, 1)
	p.owner = signing.MustPublicKey(keys[0][1])
	listed := regexp.MustCompile(`(?m)^\S+ label=.*$`).FindAllString(said, -1)
	require.Len(t, listed, 1)
	exposed := strings.Count(listed[0], "not safe")
	assert.NotContains(t, said, "elsewhere")
	require.NoError(t, p.Ledger().FundWallet(p.owner.String(), 1e12))
	p.allow(t)
	verified := 0
	for i := range 4 { // each another message, also within a block
		p.bash(t, serve)
		t.Cleanup(func() { p.kill(t) })
		c := p.dial(t)
		for j := range 5 {
			require.NoError(t, p.pay(t, c, walletfi.Amount(100_000_000+10*i+j)))
			verified++
		}
		c.Close()
		p.kill(t)
		require.NoError(t, os.Remove(p.path("signer.sock")))
	}
	require.Equal(t, 20, verified)
	fmt.Printf("pkcs11: keys=%d extractable=%d signatures verified=%d\n", len(listed), exposed, verified)
}

// TestImported: a key that was made elsewhere signs only for an owner of whom the policy says so.
func TestImported(t *testing.T) {
	p := newPlace(t)
	makeKey, serve := guide(t)
	p.bash(t, makeKey)
	private, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	require.NoError(t, err)
	p.write(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	said := p.bash(t, "softhsm2-util --import key.pem --token walletfi --label old --id 0a --pin 52901\n"+
		"WALLETFI_PKCS11_PIN=52901 walletfi-signer-pkcs11 pkcs11 list "+token)
	found := regexp.MustCompile(`(?m)^(\S+) label="old" id=0a: it may have been elsewhere$`).FindStringSubmatch(said)
	require.Len(t, found, 2, said)
	p.owner = signing.MustPublicKey(found[1])
	p.allow(t)
	out, err := p.run(t, serve+"wait $!\n")
	require.Error(t, err)
	text, err := os.ReadFile(p.path("signer.txt"))
	require.NoError(t, err)
	require.Contains(t, string(text), "the policy must say elsewhere = true", out)
	policy, err := os.ReadFile(p.path("policy.toml"))
	require.NoError(t, err)
	p.write(t, "policy.toml", strings.Replace(string(policy), "[[owner]]\n", "[[owner]]\nelsewhere = true\n", 1))
	p.bash(t, serve)
	t.Cleanup(func() { p.kill(t) })
	require.NoError(t, p.Ledger().FundWallet(p.owner.String(), 1e12))
	c := p.dial(t)
	defer c.Close()
	require.NoError(t, p.pay(t, c, 1000))
}

// token names the guide's token.
const token = "--pkcs11-module /usr/lib/softhsm/libsofthsm2.so --pkcs11-token walletfi"

// TestPINs: what the program says if it has no PIN, a wrong one, or one that others can read.
func TestPINs(t *testing.T) {
	p := newPlace(t)
	makeKey, _ := guide(t)
	p.bash(t, makeKey)
	const list = "walletfi-signer-pkcs11 pkcs11 list " + token
	for script, want := range map[string]string{
		list:                                "in the file of --pkcs11-pin-file, or in WALLETFI_PKCS11_PIN",
		"WALLETFI_PKCS11_PIN=73512 " + list: "did not take the PIN",
		"echo 73512 > wrong; " + list + " --pkcs11-pin-file wrong":        "can be read by others",
		"umask 077; echo 73512 > new; " + list + " --pkcs11-pin-file new": "did not take the PIN",
		list + " --pkcs11-pin-file none":                                  "no such file",
	} {
		out, err := p.run(t, script)
		require.Error(t, err, script)
		require.NotContains(t, out, "73512", script)
		require.Contains(t, out, want, script)
	}
	require.Contains(t, p.bash(t, "WALLETFI_PKCS11_PIN=52901 "+list), `label="bot"`)
}
