package routes

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
)

func init() { reach[sandbox.ProviderSwap], documented[sandbox.ProviderSwap] = reachProviderSwap, 6 }

func reachProviderSwap(t *testing.T, s *sandbox.Sandbox) {
	base, options := s.URL(sandbox.ProviderSwap), flows.Options(s)
	if options.Deployment == nil {
		base += "/api/v2"
	}
	c, err := providerswap.New(providerswap.Config{BaseURL: base, APIKey: walletfi.NewSecret(s.APIKey(sandbox.ProviderSwap)), Options: options})
	require.NoError(t, err)
	providerV2(t, s, c)
	providerV1(t, s, c)
	providerFee(t, s, c)
}

func providerV2(t *testing.T, s *sandbox.Sandbox, c *providerswap.Client) {
	ctx, me, usdc := t.Context(), s.WalletAddress(), s.Mint("USDC")
	request := providerswap.QuoteRequest{InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 4_000_000, Slippage: walletfi.SlippageBps(50)}
	quote, err := c.GetQuote(ctx, request)
	require.NoError(t, err)
	require.NotZero(t, quote.MinOutAmount)
	require.NotEmpty(t, quote.RoutePlan)
	built, err := c.BuildSwap(ctx, providerswap.BuildRequest{QuoteRequest: request, Owner: me})
	require.NoError(t, err)
	before := s.Ledger().TokenBalance(me, usdc)
	flows.Land(t, s, built.Unsigned())
	require.Equal(t, before-4_000_000, s.Ledger().TokenBalance(me, usdc))
}

// providerV1 takes the best of all providers, in each of the answer's forms,
// and sends the last as a bundle.
func providerV1(t *testing.T, s *sandbox.Sandbox, c *providerswap.Client) {
	ctx, me, usdc := t.Context(), s.WalletAddress(), s.Mint("USDC")
	pair := providerswap.QuotesV1Request{InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 1_000_000, Slippage: walletfi.SlippageBps(100)}
	var best providerswap.QuoteV1
	for range 2 { // the shapes take turns
		all, err := c.ListQuotesV1(ctx, pair)
		require.NoError(t, err)
		require.Greater(t, len(all.Items), 3)
		var ok bool
		best, ok = all.Best()
		require.True(t, ok)
	}
	request := providerswap.QuoteV1Request{QuotesV1Request: pair, Provider: best.Provider}
	for range 2 {
		one, err := c.GetQuoteV1(ctx, request)
		require.NoError(t, err)
		require.NotZero(t, *one.OutAmount)
	}
	var built *providerswap.TransactionV1
	for range 4 {
		var err error
		built, err = c.BuildSwapV1(ctx, providerswap.BuildV1Request{
			QuoteV1Request: request, Owner: me, MinReceive: 1, ComputeUnitPriceMicroLamports: new(uint64(1000)), MEVSafe: new(true), MaxTipLamports: 1_000_000,
			FeeLamports: new(walletfi.Amount(7000)), FeeReceiver: s.WalletAddress(),
		})
		require.NoError(t, err)
	}
	before := s.Ledger().TokenBalance(me, usdc)
	signed := flows.Sign(t, s, built.Unsigned())[0]
	bundle, err := c.SendBundle(ctx, signed.Transaction)
	require.NoError(t, err)
	require.Equal(t, signed.Signature, bundle.Signature)
	require.Equal(t, before-1_000_000, s.Ledger().TokenBalance(me, usdc))

	built, err = c.BuildSwapV1(ctx, providerswap.BuildV1Request{QuoteV1Request: request, Owner: me, MinReceive: 1})
	require.NoError(t, err)
	signed = flows.Sign(t, s, built.Unsigned())[0]
	signature, err := c.Submit(ctx, signed)
	require.NoError(t, err)
	require.Equal(t, signed.Signature, signature)
	require.Equal(t, before-2_000_000, s.Ledger().TokenBalance(me, usdc))
}

func providerFee(t *testing.T, s *sandbox.Sandbox, c *providerswap.Client) {
	receiver := s.ProgramID(sandbox.Webhooks)  // an address that nobody uses
	for lamports := range walletfi.Amount(2) { // another amount each time, or it would be the same transaction
		lamports += 2_000_000
		built, err := c.BuildFeeTransfer(t.Context(), providerswap.FeeTransferRequest{Owner: s.WalletAddress(), Receiver: receiver, Lamports: lamports})
		require.NoError(t, err)
		before := s.Ledger().Balance(receiver)
		flows.Land(t, s, built.Unsigned())
		require.Equal(t, before+uint64(lamports), s.Ledger().Balance(receiver))
	}
}
