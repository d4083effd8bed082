package e2e

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestMints: the node proves decimals, the service and a list give names, and a name of other
// decimals than the mint's is refused.
func TestMints(t *testing.T) {
	s := flows.Must(sandbox.Start(sandbox.Config{}))
	defer s.Close()
	node := flows.Must(rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))}))
	pool := flows.Must(rpcnode.NewPool(rpcnode.PoolConfig{Nodes: []*rpcnode.Client{node}}))
	client := flows.Must(onchaindata.New(onchaindata.Config{
		DemoBaseURL: s.URL(sandbox.OnchainData), APIKey: walletfi.NewSecret(s.APIKey(sandbox.OnchainData)),
	}))
	service := onchaindata.Mints{Client: client, Network: "solana"}
	tokens := s.Ledger().Tokens()
	require.NotEmpty(t, tokens)
	var list, wrong walletfi.MintList
	for _, token := range tokens {
		list = append(list, walletfi.Mint{Address: token.Mint, Decimals: int(token.Decimals), Symbol: token.Symbol, Proven: true})
		wrong = append(wrong, walletfi.Mint{Address: token.Mint, Decimals: int(token.Decimals) + 1, Symbol: token.Symbol})
	}
	for _, token := range tokens {
		want := walletfi.Mint{Address: token.Mint, Decimals: int(token.Decimals), Symbol: token.Symbol}
		proven := want
		proven.Proven = true
		unnamed := proven
		unnamed.Symbol = ""
		for name, c := range map[string]struct {
			from walletfi.Mints
			want walletfi.Mint
		}{
			"node": {node, unnamed}, "pool": {pool, unnamed}, "service": {service, want}, "list": {list, want},
			"named by the service": {walletfi.NamedMints{Chain: pool, Names: service}, proven},
			"named by a list":      {walletfi.NamedMints{Chain: node, Names: list}, proven},
			"without a name":       {walletfi.NamedMints{Chain: node, Names: walletfi.MintList{}}, unnamed},
		} {
			got, err := c.from.Mint(t.Context(), token.Mint)
			require.NoError(t, err, name)
			require.Equal(t, c.want, got, name)
		}
		_, err := walletfi.NamedMints{Chain: node, Names: wrong}.Mint(t.Context(), token.Mint)
		require.ErrorIs(t, err, walletfi.ErrMismatch)
	}
	owner := s.WalletAddress()
	for name, from := range map[string]walletfi.Mints{"node": node, "pool": pool, "service": service, "list": list} {
		_, err := from.Mint(t.Context(), owner)
		require.ErrorIs(t, err, walletfi.ErrNotFound, name)
	}
	_, err := node.Mint(t.Context(), "no address")
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = walletfi.NamedMints{Chain: node, Names: service}.Mint(ended, tokens[0].Mint)
	require.ErrorIs(t, err, context.Canceled)
}
