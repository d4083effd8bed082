package signer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// onSandbox is a signer of the sandbox's wallet, whose node is spoken to by JSON-RPC.
func onSandbox(t *testing.T, s *sandbox.Sandbox) *signer.Signer {
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	require.NoError(t, err)
	first, err := node.Genesis(t.Context())
	require.NoError(t, err)
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	var text strings.Builder
	fmt.Fprintf(&text, "version = 1\ngenesis = %q\n[fees]\nnetwork = 10_000_000\ntip = 100_000_000\nrent = 100_000_000\nforeign_rent = 100_000_000\n", first)
	fmt.Fprintf(&text, "[[owner]]\nname = \"bot\"\nkey = %q\n", key.PublicKey())
	mints := []string{"SOL"}
	for _, token := range s.Ledger().Tokens() {
		if token.Mint != walletfi.NativeMint {
			mints = append(mints, token.Mint)
		}
	}
	for _, mint := range mints {
		fmt.Fprintf(&text, "[[owner.ceiling]]\nmint = %q\ntransaction = %d\nwindow = [{length = \"24h\", most = %d}]\n",
			mint, int64(1e17), int64(1e18))
		fmt.Fprintf(&text, "[[owner.exposure]]\nmint = %q\nmost = %d\n", mint, int64(1e18))
	}
	services := []string{""}
	for name, pins := range flows.Pins(s) {
		services = append(services, name)
		fmt.Fprintf(&text, "[[service]]\nname = %q\nblind = true\n", name)
		for _, pin := range pins {
			fmt.Fprintf(&text, "[[service.pin]]\nprogram = %q\nmay_write = [\"any\"]\n", pin)
		}
	}
	list, err := json.Marshal(services)
	require.NoError(t, err)
	fmt.Fprintf(&text, "[[client]]\nname = \"trader\"\nuid = 1\nowners = [\"bot\"]\nservices = %s\nshare = 100\nrate = 1000\n", list)
	policy, err := signer.ParsePolicy([]byte(text.String()))
	require.NoError(t, err)
	dir := t.TempDir()
	signs, err := signer.Open(t.Context(), signer.Config{
		Policy: policy, Store: filepath.Join(dir, "store.db"), Anchor: filepath.Join(dir, "anchor"), LogKey: logKey,
		Keys: []signing.Signer{key}, Nodes: []signer.Node{node},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, signs.Close()) })
	require.NoError(t, signs.Settle(t.Context()))
	return signs
}

// TestBuildersAreJudged: what honest builders make passes, by a node that is spoken to by
// JSON-RPC. The first of them is signed, landed and seen to have landed.
func TestBuildersAreJudged(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, InstantConfirmation: true, Shape: 1})
	signs := onSandbox(t, s)
	passed, refused := 0, map[string]string{}
	for _, b := range flows.Builders(t, s) {
		if b.Name == "BuildInitializeReferrer" { // the next one's Prepare does it, and it is done once
			continue
		}
		if b.Prepare != nil {
			b.Prepare()
		}
		u, err := b.Build(t.Context())
		require.NoError(t, err)
		q := signing.SetRequest{Unsigned: u, Count: len(u.Transactions)}
		if _, err = signs.Judge(t.Context(), "trader", q); err != nil {
			refusal, ok := errors.AsType[*signing.SetRefusal](err)
			require.True(t, ok)
			refused[b.Name] = fmt.Sprint(refusal.Code, " waits=", refusal.Waits)
			continue
		}
		if passed++; passed > 1 {
			continue
		}
		d, err := signs.SignSet(t.Context(), "trader", q)
		require.NoError(t, err)
		assert.Equal(t, flows.Land(t, s, u)[0], d.Signatures[0].String())
		require.Eventually(t, func() bool {
			if err := signs.Settle(t.Context()); err != nil {
				t.Log(err)
			}
			live, err := signs.Live(t.Context())
			return err == nil && len(live) == 0
		}, 30*time.Second, 200*time.Millisecond)
	}
	t.Logf("flows=%d refused=%d", passed, len(refused))
	assert.GreaterOrEqual(t, passed, 23)
	assert.Equal(t, map[string]string{
		"BuildPartialSell": "guard.simulation.failed waits=true", // its second transaction needs the first
		"BuildFeeTransfer": "payee waits=false",                  // the policy lists no payee
	}, refused)
}
