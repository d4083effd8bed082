// Package signertest starts a signer for the tests of a program that uses one, and tests
// implementations of what a signer works with.
//
//	func TestBot(t *testing.T) {
//		s := signertest.Start(t, policy)
//		w, err := wallet.New(wallet.Config{Signer: s.Client, ...})
//		...
//	}
package signertest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"net"
	"os"
	"path/filepath"
	"testing"
	"text/template"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// Signer is a signer that serves on a socket of the test's, with a real store and log, until
// the test ends. What it has besides a client, such as Freeze, Ledger and Live, is an admin's.
type Signer struct {
	*signer.Signer
	// Client asks it as the policy's client, the user that runs the test. It is a
	// signing.SetSigner of the sandbox's wallet.
	Client *client.Client
	// Sandbox is the ledger that the signer's node shows.
	Sandbox *sandbox.Sandbox
	// Socket is the path that it serves on, and Config what it was opened with.
	Socket string
	Config signer.Config

	node *rpcnode.Client
}

// Start starts a signer that holds the key of a sandbox's wallet: of the sandbox on, or of a
// new one if that is left out. The policy is the text of its file as a template, in which
// {{.Genesis}}, {{.Key}} and {{.UID}} stand for the ledger's genesis hash, the wallet and the
// user that runs the test, who is to be a client. A text that is not a policy fails the test.
//
// The signer's clock must be the ledger's: a sandbox with ManualClock is looked at only while
// its clock moves, see sandbox.Sandbox.AdvanceUntil.
func Start(t testing.TB, policy string, on ...*sandbox.Sandbox) *Signer {
	t.Helper()
	s := &Signer{}
	if len(on) > 0 {
		s.Sandbox = on[0]
	} else {
		s.Sandbox = started(t)
	}
	clock := s.Sandbox.Options().Clock
	var err error
	s.node, err = rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.Sandbox.URL(sandbox.RPC)), Clock: clock})
	require.NoError(t, err)
	genesis, err := s.node.Genesis(t.Context())
	require.NoError(t, err)
	key, err := signing.NewLocalKey(s.Sandbox.Wallet())
	require.NoError(t, err)
	form, err := template.New("policy").Option("missingkey=error").Parse(policy)
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, form.Execute(&text, map[string]any{"Genesis": genesis, "Key": key.PublicKey(), "UID": os.Getuid()}))
	read, err := signer.ParsePolicy(text.Bytes())
	require.NoError(t, err)
	dir := t.TempDir()
	s.Config = signer.Config{
		Policy: read, Store: filepath.Join(dir, "signer.db"), Anchor: filepath.Join(dir, "anchor"),
		LogKey: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), Keys: []signing.Signer{key},
		Nodes: []signer.Node{s.node}, Clock: clock,
	}
	s.Signer, err = signer.Open(t.Context(), s.Config)
	require.NoError(t, err)
	s.Socket = filepath.Join(dir, "s")
	s.serve(t)
	s.Client, err = client.Dial(t.Context(), s.Socket, "")
	require.NoError(t, err)
	t.Cleanup(s.Client.Close)
	return s
}

// Payment is a request to pay lamports from the wallet, with a new blockhash.
func (s *Signer) Payment(t testing.TB, to signing.PublicKey, lamports walletfi.Amount) signing.SetRequest {
	t.Helper()
	hash, last, err := s.node.LatestBlockhash(t.Context())
	require.NoError(t, err)
	owner := s.Client.PublicKey()
	tx := signingtest.Transaction{FeePayer: owner, Blockhash: hash, Instructions: []signingtest.Instruction{
		signingtest.Transfer(owner, to, lamports),
	}}
	return signing.SetRequest{Count: 1, Unsigned: walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{tx.Unsigned(t)}, LastValidBlockHeight: last, Blockhash: hash,
		Intent: walletfi.Intent{
			Owner: owner.String(), PayTo: []string{to.String()},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: lamports}},
		},
	}}
}

func started(t testing.TB) *sandbox.Sandbox {
	s, err := sandbox.Start(sandbox.Config{InstantConfirmation: true})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	require.NoError(t, s.Ledger().FundWallet(s.WalletAddress(), 100_000_000_000))
	return s
}

// serve serves and watches until the test ends.
func (s *Signer) serve(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	served, watched := make(chan error, 1), make(chan struct{})
	go func() { served <- s.ServeUnix(ctx, s.Socket) }()
	go func() {
		defer close(watched)
		s.Watch(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-served)
		<-watched
		require.NoError(t, s.Close())
	})
	require.Eventually(t, func() bool {
		conn, err := net.Dial("unix", s.Socket)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, 10*time.Second, time.Millisecond)
}
