package routes

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
)

func init() { reach[sandbox.AMM], documented[sandbox.AMM] = reachAMM, 10 }

func reachAMM(t *testing.T, s *sandbox.Sandbox) {
	c, err := amm.New(amm.Config{TradeURL: s.URL(sandbox.AMM), DataURL: s.AMM().DataURL(), Pause: new(time.Duration(0)), Options: flows.Options(s)})
	require.NoError(t, err)
	ammData(t, s, c)
	ammSwap(t, s, c, amm.TxVersionV0)
	ammSwap(t, s, c, amm.TxVersionLegacy)
}

func ammData(t *testing.T, s *sandbox.Sandbox, c *amm.Client) {
	ctx := t.Context()
	for range 2 { // the shapes take turns
		fee, err := c.GetAutoFee(ctx)
		require.NoError(t, err)
		require.NotZero(t, fee.Default.High)
		mints, err := c.ListMints(ctx)
		require.NoError(t, err)
		require.NotEmpty(t, mints.Items)
		prices, err := c.GetMintPrices(ctx, []string{walletfi.NativeMint, s.Mint("USDC")})
		require.NoError(t, err)
		require.Equal(t, 1, prices.Prices[walletfi.NativeMint].Sign())
		byMints, err := c.ListPoolsByMints(ctx, amm.PoolsByMintsRequest{Mint1: walletfi.NativeMint, Mint2: s.Mint("USDC")})
		require.NoError(t, err)
		require.NotEmpty(t, byMints.Items)
	}
	var ids []string
	for pool, err := range c.AllPools(ctx, amm.PoolsRequest{Limit: new(2)}) {
		require.NoError(t, err)
		var shape struct{ ID string }
		require.NoError(t, pool.Decode(&shape))
		ids = append(ids, shape.ID)
	}
	require.Greater(t, len(ids), 2)
	found, err := c.ListPoolsByIDs(ctx, amm.PoolsByIDsRequest{IDs: ids[:2]})
	require.NoError(t, err)
	require.Len(t, found.Items, 2)
}

func ammSwap(t *testing.T, s *sandbox.Sandbox, c *amm.Client, version amm.TxVersion) {
	ctx, me, usdc := t.Context(), s.WalletAddress(), s.Mint("USDC")
	request := amm.QuoteRequest{InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 5_000_000, Slippage: walletfi.SlippageBps(100), TxVersion: version}
	in, err := c.QuoteBaseIn(ctx, request)
	require.NoError(t, err)
	require.Equal(t, amm.BaseIn, in.Kind())
	before := s.Ledger().TokenBalance(me, usdc)
	built, err := c.BuildSwap(ctx, amm.BuildRequest{Quote: in, Owner: me, ComputeUnitPriceMicroLamports: new(uint64(1000))})
	require.NoError(t, err)
	flows.Land(t, s, built.Unsigned())
	require.Equal(t, before-5_000_000, s.Ledger().TokenBalance(me, usdc))

	request.Amount = 10_000_000 // lamports wanted
	out, err := c.QuoteBaseOut(ctx, request)
	require.NoError(t, err)
	require.Equal(t, walletfi.Amount(10_000_000), out.OutAmount)
	built, err = c.BuildSwap(ctx, amm.BuildRequest{Quote: out, Owner: me, WrapSOL: new(true), UnwrapSOL: new(false), MaxSpend: 20_000_000})
	require.NoError(t, err)
	flows.Land(t, s, built.Unsigned())
}
