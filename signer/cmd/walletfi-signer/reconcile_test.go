package main

import (
	"crypto/ed25519"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestReconcile: a wallet pays by a signer, and log, chain and journal agree; a payment that the key's
// other holder made, and one whose verdict was changed in the journal, are told.
func TestReconcile(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	p := administer(t, newPlace(t, signing.PublicKey(public), "--agent", agentWith(t, private)))
	process, c := p.begin(t)
	defer c.Close()
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(p.URL(sandbox.RPC))})
	require.NoError(t, err)
	journal, err := wallet.OpenFileJournal(p.path("journal"))
	require.NoError(t, err)
	w, err := wallet.New(wallet.Config{Signer: c, Node: node, Guard: signing.NewGuard(signing.Policy{}), Journal: journal})
	require.NoError(t, err)
	for _, amount := range []walletfi.Amount{100_000_000, 200_000_000} {
		_, err := w.Execute(t.Context(), p.pay(t, amount).Unsigned, wallet.ExecuteOptions{Key: amount.String()})
		require.NoError(t, err)
	}
	w.Close()
	var entry wallet.Entry
	for e, err := range journal.List(t.Context(), wallet.Query{}) {
		require.NoError(t, err)
		if e.State == wallet.KeyConfirmed {
			entry = e
		}
	}
	require.Len(t, entry.Steps, 1)
	require.NoError(t, journal.Close())
	reconcile := func(more ...string) (string, int) {
		return p.admin(t, append([]string{"reconcile", "--nodes", p.path("nodes.txt"), "--settled", "0s"}, more...)...)
	}
	const agree = "reconcile: landed=2 signed=2 payments=2 differences=0\n"
	var out string
	require.Eventually(t, func() bool { // once the signer has looked
		var status int
		out, status = reconcile("--journal", p.path("journal"))
		return status == 0 && out == agree
	}, 30*time.Second, time.Second, "it never agrees")

	entry.State, entry.Steps[0].State = wallet.KeyExpired, wallet.KeyExpired
	text, err := json.MarshalIndent(entry, "", " ") // as walletfi journal show --json has it
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(p.path("changed"), text, 0o600))
	out, status := reconcile("--journal", p.path("changed"))
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "is expired, and on chain it is landed\n")
	assert.Contains(t, out, "reconcile: landed=2 signed=2 payments=1 differences=1\n")

	key, err := signing.NewLocalKey(private)
	require.NoError(t, err)
	stolen, err := signing.Decode(p.pay(t, 300_000_000).Unsigned.Transactions[0])
	require.NoError(t, err)
	require.NoError(t, signing.SignUnchecked(t.Context(), stolen, key))
	_, err = node.Submit(t.Context(), stolen.Signed())
	require.NoError(t, err)
	out, status = reconcile("--journal", p.path("journal"))
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "chain: "+stolen.Signature().String()+" of owner "+p.owner.String())
	assert.Contains(t, out, "reconcile: landed=3 signed=2 payments=2 differences=1\n")

	require.NoError(t, os.WriteFile(p.path("away.txt"), []byte("http://127.0.0.1:1"), 0o600))
	for name, args := range map[string][]string{
		"no journal": {"--journal", p.path("none")}, "no journal of ours": {"--journal", p.path("policy.toml")},
		"no nodes": {"--nodes", p.path("none")}, "nodes that are away": {"--nodes", p.path("away.txt")},
	} {
		out, status := reconcile(args...)
		assert.Equal(t, 2, status, "%s: %s", name, out)
		assert.NotContains(t, out, "differences=", name)
	}
	_, status = command(t, "", "reconcile", "--socket", p.path("none"))
	assert.Equal(t, 2, status, "no signer")
	require.NoError(t, process.Process.Signal(os.Interrupt))
	require.NoError(t, process.Wait())
}
