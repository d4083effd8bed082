package main

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// signerPolicy lets the swap service's program act on SOL and USDC, and pays nobody.
func signerPolicy(s *sandbox.Sandbox, genesis string) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("version = 1\ngenesis = %q\n[fees]\nnetwork = 1_000_000\nrent = 50_000_000\n[[owner]]\nname = \"bot\"\nkey = %q",
		genesis, s.WalletAddress())
	for _, mint := range []string{s.Mint("USDC"), "SOL"} {
		say("[[owner.ceiling]]\nmint = %q\ntransaction = 200_000_000_000", mint)
		say("window = [{length = \"24h\", most = 20_000_000_000_000}]")
		say("[[owner.exposure]]\nmint = %q\nmost = 900_000_000_000_000", mint)
	}
	say("[[client]]\nname = \"bot\"\nuid = %d\nowners = [\"bot\"]\nservices = [\"swap\"]\nshare = 100\nrate = 1000", os.Getuid())
	say("[[service]]\nname = \"swap\"\nblind = true\n[[service.pin]]\nprogram = %q\nmay_write = [\"any\"]",
		s.ProgramID(sandbox.Swap))
	return b.String()
}

// startSigner starts a signer of the sandbox's wallet, which looks at the ledger twice an hour of its
// clock.
func startSigner(t *testing.T, s *sandbox.Sandbox) (*signer.Signer, string) {
	clock := s.Options().Clock
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC)), Clock: clock})
	require.NoError(t, err)
	genesis, err := node.Genesis(t.Context())
	require.NoError(t, err)
	policy, err := signer.ParsePolicy([]byte(signerPolicy(s, genesis)))
	require.NoError(t, err)
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	dir := t.TempDir()
	on, err := signer.Open(t.Context(), signer.Config{
		Policy: policy, Store: filepath.Join(dir, "db"), Anchor: filepath.Join(dir, "anchor"), Clock: clock,
		LogKey: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), Keys: []signing.Signer{key},
		Nodes: []signer.Node{node},
	})
	require.NoError(t, err)
	var look func()
	look = func() {
		_ = on.Settle(context.Background())
		clock.AfterFunc(30*time.Minute, look)
	}
	clock.AfterFunc(0, look)
	ctx, cancel := context.WithCancel(context.Background())
	served, socket := make(chan error, 1), filepath.Join(dir, "s")
	go func() { served <- on.ServeUnix(ctx, socket) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-served)
		require.NoError(t, on.Close())
	})
	require.Eventually(t, func() bool {
		_, err := os.Stat(socket)
		return err == nil
	}, 10*time.Second, time.Millisecond)
	return on, socket
}

// TestBehindASigner: the bot trades with a key that it does not have, and the signer's log has
// every order.
func TestBehindASigner(t *testing.T) {
	o := options{seed: 3, days: 1, markets: 1, out: t.TempDir()}
	o.kill = filepath.Join(o.out, "kill")
	config := sandbox.Config{Seed: o.seed, ManualClock: true, FeedStep: interval, InstantConfirmation: true}
	s, d, trouble, err := playOn(config, false, o.lasts())
	require.NoError(t, err)
	defer s.Close()
	on, socket := startSigner(t, s)
	require.NoError(t, d.behind(t.Context(), socket))
	out, err := os.Create(filepath.Join(o.out, "out"))
	require.NoError(t, err)
	defer out.Close()
	require.NoError(t, onSandbox(t.Context(), o, s, d, trouble, out))
	text, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	require.Contains(t, string(text), "book equals ledger")
	require.Regexp(t, `trades [1-9]`, string(text))
	kinds := map[string]int{}
	require.NoError(t, on.Each(t.Context(), func(e signer.Entry) error {
		kinds[e.Kind]++
		return nil
	}))
	require.Positive(t, kinds["sign"])
	require.Zero(t, kinds["refuse"]+kinds["freeze"], kinds)

	_, err = plays(t, options{seed: 1, days: 1, markets: 1, signer: socket})
	require.ErrorContains(t, err, "-signer needs -live")
}
