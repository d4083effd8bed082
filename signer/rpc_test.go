package signer_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/signertest"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

func rpcOf(t *testing.T, url string) *signer.RPC {
	n, err := signer.NewRPC(rpcnode.Config{URL: walletfi.NewSecret(url)})
	require.NoError(t, err)
	return n
}

// TestRPC: a node of the sandbox shows what the signer has signed, with its bytes.
func TestRPC(t *testing.T) {
	s := signertest.Start(t, `version = 1
genesis = "{{.Genesis}}"
[[owner]]
name = "bot"
key = "{{.Key}}"
[[owner.ceiling]]
mint = "SOL"
transaction = 2_000_000_000
window = [{length = "1h", most = 3_000_000_000}]
[[payee]]
name = "exchange"
address = "`+payee.String()+`"
[[client]]
name = "trader"
uid = {{.UID}}
owners = ["bot"]
services = [""]
share = 100
rate = 100
[fees]
network = 10_000
`)
	n := rpcOf(t, s.Sandbox.URL(sandbox.RPC))
	w, err := wallet.New(wallet.Config{Signer: s.Client, Node: n, Guard: signing.NewGuard(signing.Policy{})})
	require.NoError(t, err)
	defer w.Close()
	before, err := n.FinalHead(t.Context())
	require.NoError(t, err)
	out, err := w.Execute(t.Context(), s.Payment(t, payee, 1_000_000_000).Unsigned, wallet.ExecuteOptions{Key: "one"})
	require.NoError(t, err)
	until, err := n.FinalHead(t.Context())
	require.NoError(t, err)
	all, err := n.History(t.Context(), s.Client.PublicKey(), before.Slot-1, until.Slot)
	require.NoError(t, err)
	require.Equal(t, []string{out.Signatures()[0]}, all)
	raw, err := n.Transaction(t.Context(), all[0])
	require.NoError(t, err)
	tx, err := signing.DecodeBytes(raw)
	require.NoError(t, err)
	assert.Equal(t, all[0], tx.Signature().String())
	_, err = n.Transaction(t.Context(), signing.Signature{1}.String())
	require.Error(t, err)
}

// TestRPCPages: a history of several pages is whole, within its slots, and an error if its pages do
// not meet or it has no end. No error has the URL.
func TestRPCPages(t *testing.T) {
	total, forgets := 2500, false
	name := func(i int) string { return signing.Signature{byte(i), byte(i >> 8), 1}.String() }
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			ID     any
			Method string
			Params []json.RawMessage
		}
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&q))
		assert.Equal(t, "getSignaturesForAddress", q.Method)
		var config struct {
			Limit          int
			Before         string
			Commitment     string
			MinContextSlot uint64
		}
		assert.NoError(t, json.Unmarshal(q.Params[1], &config))
		assert.Equal(t, "finalized", config.Commitment)
		assert.Equal(t, uint64(90_000), config.MinContextSlot)
		first := 0
		if config.Before != "" {
			for i := range total {
				if name(i) == config.Before {
					first = i + 1
				}
			}
			if forgets {
				first = total
			}
		}
		list := []any{}
		for i := first; i < min(total, first+config.Limit); i++ {
			list = append(list, map[string]any{"signature": name(i), "slot": 90_010 - i})
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": q.ID, "result": list}
		assert.NoError(t, json.NewEncoder(w).Encode(answer))
	}))
	defer node.Close()
	n := rpcOf(t, node.URL)
	all, err := n.History(t.Context(), owner, 0, 90_000)
	require.NoError(t, err)
	require.Equal(t, 2490, len(all))
	assert.Equal(t, name(10), all[0])
	all, err = n.History(t.Context(), owner, 88_000, 90_000)
	require.NoError(t, err)
	require.Equal(t, 2000, len(all))
	forgets = true
	_, err = n.History(t.Context(), owner, 0, 90_000)
	require.ErrorContains(t, err, "do not meet")
	forgets, total = false, 20_000
	_, err = n.History(t.Context(), owner, 0, 90_000)
	require.ErrorContains(t, err, "more than 10000")
	node.Close()
	_, err = n.History(t.Context(), owner, 0, 90_000)
	require.Error(t, err)
	assert.NotContains(t, fmt.Sprintf("%+v", err), node.URL)
	_, err = n.Transaction(t.Context(), name(1))
	require.Error(t, err)
	assert.NotContains(t, fmt.Sprintf("%+v", err), node.URL)
}
