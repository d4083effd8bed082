package routes

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox"
)

func init() { reach[sandbox.OnchainData], documented[sandbox.OnchainData] = reachOnchainData, 16 }

// onchainNetwork is the network of the sandbox's own ledger.
const onchainNetwork = "solana"

// onchainRounds is how many ways of writing an answer the sandbox takes turns
// with, and a few more calls, so that each client method meets all of them.
const onchainRounds = 4

func onchainClient(t *testing.T, s *sandbox.Sandbox, tier onchaindata.Tier) *onchaindata.Client {
	t.Helper()
	c, err := onchaindata.New(onchaindata.Config{
		Tier: tier, DemoBaseURL: s.URL(sandbox.OnchainData), ProBaseURL: s.OnchainData().ProURL(),
		APIKey: walletfi.NewSecret(s.APIKey(sandbox.OnchainData)), Options: flows.Options(s),
	})
	require.NoError(t, err)
	return c
}

func reachOnchainData(t *testing.T, s *sandbox.Sandbox) {
	c, pro := onchainClient(t, s, onchaindata.TierDemo), onchainClient(t, s, onchaindata.TierPro)
	onchainLists(t, c)
	deep := onchainTopPool(t, c)
	for range onchainRounds {
		onchainPools(t, s, c, deep)
		onchainTokens(t, s, c, deep)
		onchainTokens(t, s, pro, deep)
		onchainFinds(t, c)
		onchainTrades(t, c, deep)
		onchainRefusal(t, c)
	}
	onchainWalks(t, c)
	onchainPages(t, c, pro)
	onchainHistory(t, c, deep)
}

func onchainLists(t *testing.T, c *onchaindata.Client) {
	ctx := t.Context()
	for range onchainRounds {
		networks, err := c.ListNetworks(ctx, onchaindata.NetworksRequest{})
		require.NoError(t, err)
		require.Len(t, networks.Items, 3)
		require.Equal(t, onchainNetwork, networks.Items[0].ID)
		require.Equal(t, "Solana", networks.Items[0].Name)
		dexes, err := c.ListDEXes(ctx, onchainNetwork, onchaindata.DEXesRequest{})
		require.NoError(t, err)
		require.Len(t, dexes.Items, onchaindata.PageSize)
		require.Equal(t, onchaindata.DEX{ID: "atlas", Name: "Atlas"}, dexes.Items[0])
	}
	all := 0
	for dex, err := range c.AllDEXes(ctx, onchainNetwork, onchaindata.DEXesRequest{}) {
		require.NoError(t, err)
		require.NotEmpty(t, dex.Name)
		all++
	}
	require.Equal(t, 24, all)
	all = 0
	for network, err := range c.AllNetworks(ctx, onchaindata.NetworksRequest{}) {
		require.NoError(t, err)
		require.NotEmpty(t, network.ID)
		all++
	}
	require.Equal(t, 3, all)
}
