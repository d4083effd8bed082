package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
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

// fleet is two signers of one policy on one database.
type fleet struct {
	*sandbox.Sandbox
	node      *rpcnode.Client
	dir       string
	logPublic string
	owners    []*ownerKey
	admin     *pgx.Conn
	members   [2]*member
}

// member is one of them, which reaches the database through a proxy.
type member struct {
	dir     string
	serve   []string
	proxy   *proxy
	process *exec.Cmd
	cut     atomic.Bool  // since it was started
	up      sync.RWMutex // held while it is started
}

// ownerKey is an owner's, of which the test has all.
type ownerKey struct {
	*signing.LocalKey
	private ed25519.PrivateKey
}

func newOwner(t *testing.T) *ownerKey {
	_, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	key, err := signing.NewLocalKey(private)
	require.NoError(t, err)
	return &ownerKey{key, private}
}

// ceiling is the most that may leave an owner within an hour, in lamports.
const ceiling = 40_000_000

func newFleet(t *testing.T, owners int) *fleet {
	engine := os.Getenv("WALLETFI_TEST_POSTGRES")
	if engine == "" {
		t.Skip("WALLETFI_TEST_POSTGRES, see .ci/engine, has no server")
	}
	s, err := sandbox.Start(sandbox.Config{InstantConfirmation: true})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	f := &fleet{Sandbox: s, dir: t.TempDir()}
	f.node, err = rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	require.NoError(t, err)
	out := f.command(t, "init", "--log-key", f.path("log.key"))
	f.logPublic = strings.Fields(out)[2]
	f.write(t, "nodes.txt", s.URL(sandbox.RPC)+"\n")
	require.NoError(t, s.Ledger().FundWallet(signingtest.Key("payee").PublicKey().String(), 1e9))
	for i := range owners {
		f.owners = append(f.owners, newOwner(t))
		require.NoError(t, s.Ledger().FundWallet(f.owners[i].PublicKey().String(), 1e12))
	}
	f.allow(t)
	role := f.database(t, engine)
	for i, keys := range [][]string{f.sealed(t), {"--agent", f.agent(t)}} {
		m := &member{dir: filepath.Join(f.dir, fmt.Sprint(i)), proxy: newProxy(t, role.Host)}
		require.NoError(t, os.Mkdir(m.dir, 0o700))
		at := role
		at.Host = m.proxy.Addr().String()
		f.write(t, fmt.Sprint(i, "/url"), at.String()+"\n")
		m.serve = append([]string{
			"serve", "--policy", f.path("policy.toml"), "--postgres", m.path("url"), "--anchor", m.path("anchor"),
			"--log-key", f.path("log.key"), "--nodes", f.path("nodes.txt"), "--socket", m.path("s"),
		}, keys...)
		f.members[i] = m
		m.start(t)
	}
	return f
}

func (f *fleet) path(name string) string  { return filepath.Join(f.dir, name) }
func (m *member) path(name string) string { return filepath.Join(m.dir, name) }

func (f *fleet) write(t *testing.T, name, text string) {
	require.NoError(t, os.WriteFile(f.path(name), []byte(text), 0o600))
}

// command runs a command line in this process.
func (f *fleet) command(t *testing.T, args ...string) string {
	var out bytes.Buffer
	require.Zero(t, program.Run(t.Context(), args, nil, &out, &out, new(store)), "%v: %s", args, &out)
	return out.String()
}

// allow writes the policy.
func (f *fleet) allow(t *testing.T) {
	genesis, err := f.node.Genesis(t.Context())
	require.NoError(t, err)
	policy, names := fmt.Sprintf("version = 1\ngenesis = %q\nadmins = [%d]\nfees = {network = 10_000}\n"+
		"payee = [{name = \"exchange\", address = %q}]\n",
		genesis, os.Getuid()+1, signingtest.Key("payee").PublicKey()), []string{}
	for i, k := range f.owners {
		policy += fmt.Sprintf("[[owner]]\nname = \"%d\"\nkey = %q\nceiling = [{mint = \"SOL\", transaction = %d, "+
			"window = [{length = \"1h\", most = %d}]}]\n", i, k.PublicKey(), ceiling, ceiling)
		names = append(names, fmt.Sprint(i))
	}
	list, err := json.Marshal(names)
	require.NoError(t, err)
	f.write(t, "policy.toml", policy+fmt.Sprintf("[[client]]\nname = \"trader\"\nuid = %d\nowners = %s\n"+
		"services = [\"\"]\nshare = 100\nrate = 100000\n", os.Getuid(), list))
}

// database makes one with a store, as an administrator would, and returns its URL for the signers.
func (f *fleet) database(t *testing.T, engine string) url.URL {
	at, err := url.Parse(engine)
	require.NoError(t, err)
	first, err := pgx.Connect(t.Context(), engine)
	require.NoError(t, err)
	defer first.Close(t.Context())
	at.Path = fmt.Sprintf("/fleet_%d_%d", os.Getpid(), time.Now().UnixNano())
	_, err = first.Exec(t.Context(), "CREATE DATABASE "+at.Path[1:])
	require.NoError(t, err)
	f.admin, err = pgx.Connect(t.Context(), at.String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.admin.Close(context.WithoutCancel(t.Context())) })
	_, err = f.admin.Exec(t.Context(), "DO $$ BEGIN CREATE ROLE signers LOGIN; EXCEPTION WHEN others THEN NULL; END $$")
	require.NoError(t, err)
	_, err = f.admin.Exec(t.Context(), f.command(t, "postgres", "schema", "signers"))
	require.NoError(t, err)
	at.User = url.User("signers")
	return *at
}

// sealed has the owners' keys in files that age has encrypted.
func (f *fleet) sealed(t *testing.T) (flags []string) {
	identity, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	f.write(t, "identity", identity.String()+"\n")
	flags = []string{"--age-identity", f.path("identity")}
	for i, k := range f.owners {
		numbers := make([]int, len(k.private))
		for at, b := range k.private {
			numbers[at] = int(b)
		}
		text, err := json.Marshal(numbers)
		require.NoError(t, err)
		var sealed bytes.Buffer
		w, err := age.Encrypt(&sealed, identity.Recipient())
		require.NoError(t, err)
		_, err = w.Write(text)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		name := fmt.Sprint("key", i)
		f.write(t, name, sealed.String())
		flags = append(flags, "--age-key", f.path(name))
	}
	return flags
}

// agent has them in an OpenSSH agent.
func (f *fleet) agent(t *testing.T) (socket string) {
	held := agent.NewKeyring()
	for _, k := range f.owners {
		require.NoError(t, held.Add(agent.AddedKey{PrivateKey: k.private}))
	}
	l, err := net.Listen("unix", f.path("agent"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_ = agent.ServeAgent(held, conn)
			}()
		}
	}()
	return f.path("agent")
}

// start runs the program in a process of its own, and waits until it answers.
func (m *member) start(t *testing.T) {
	m.cut.Store(false)
	m.process = exec.Command(os.Args[0], m.serve...)
	m.process.Env = append(os.Environ(), "WALLETFI_SIGNER_MAIN=1")
	out, err := os.OpenFile(m.path("out"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	defer out.Close()
	m.process.Stdout, m.process.Stderr = out, out
	require.NoError(t, m.process.Start())
	process := m.process
	t.Cleanup(func() { _ = process.Process.Kill() })
	require.Eventually(t, func() bool {
		conn, err := net.Dial("unix", m.path("s"))
		return err == nil && conn.Close() == nil
	}, 30*time.Second, 5*time.Millisecond, "%v", (*text)(m))
}

// wait waits while it is started. It may be killed at any time after that.
func (m *member) wait() {
	m.up.RLock()
	defer m.up.RUnlock()
}

// text has what a member wrote.
type text member

func (m *text) String() string {
	out, _ := os.ReadFile((*member)(m).path("out"))
	return string(out)
}

// kill kills the program, and starts it again.
func (m *member) kill(t *testing.T) {
	require.NoError(t, m.process.Process.Kill())
	m.up.Lock() // until then some ask who is not there
	defer m.up.Unlock()
	require.Error(t, m.process.Wait())
	m.start(t)
}

// pay is a request of a payment.
func (f *fleet) pay(t *testing.T, owner *ownerKey, lamports walletfi.Amount) signing.SetRequest {
	hash, last, err := f.node.LatestBlockhash(t.Context())
	require.NoError(t, err)
	to := signingtest.Key("payee").PublicKey()
	tx := signingtest.Transaction{FeePayer: owner.PublicKey(), Blockhash: hash, Instructions: []signingtest.Instruction{
		signingtest.Transfer(owner.PublicKey(), to, lamports),
	}}
	return signing.SetRequest{Count: 1, Unsigned: walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{tx.Unsigned(t)}, LastValidBlockHeight: last, Blockhash: hash,
		Intent: walletfi.Intent{Owner: owner.PublicKey().String(), PayTo: []string{to.String()},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: lamports}}},
	}}
}
