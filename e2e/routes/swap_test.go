package routes

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

func init() { reach[sandbox.Swap], documented[sandbox.Swap] = reachSwap, 11 }

func reachSwap(t *testing.T, s *sandbox.Sandbox) {
	c, err := swap.New(swap.Config{BaseURL: s.URL(sandbox.Swap), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Swap)), Options: flows.Options(s)})
	require.NoError(t, err)
	swapCatalogue(t, c)
	swapQuote(t, s, c)
	swapOrder(t, s, c)
	swapIntent(t, s, c)
	swapMarketInit(t, s, c)
}

func swapCatalogue(t *testing.T, c *swap.Client) {
	ctx := t.Context()
	mints, err := c.ListTokens(ctx)
	require.NoError(t, err)
	tokens, err := c.ListTokensWithDecimals(ctx)
	require.NoError(t, err)
	require.Len(t, tokens.Items, len(mints.Items))
	venues, err := c.ListVenues(ctx)
	require.NoError(t, err)
	require.NotEmpty(t, venues.Items)
}

// swapQuote takes each form of the priority fee through a quote that goes back
// byte for byte, and lands the last one.
func swapQuote(t *testing.T, s *sandbox.Sandbox, c *swap.Client) {
	ctx, me, usdc := t.Context(), s.WalletAddress(), s.Mint("USDC")
	var built *swap.Transaction
	for _, fee := range []swap.PrioritizationFee{
		swap.PriorityAuto(), swap.PriorityDisabled(), swap.PriorityAt("high"), swap.PriorityMultiplied(1.5, 100_000),
		swap.PriorityBundleTip(10_000), swap.PriorityLamports(5000),
	} {
		quote, err := c.GetQuote(ctx, swap.QuoteRequest{InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 1_000_000, Slippage: walletfi.SlippageBps(100)})
		require.NoError(t, err)
		require.NotZero(t, quote.OutAmount)
		_, known := quote.Age()
		require.True(t, known)
		request := swap.BuildRequest{Owner: me, Quote: quote, PrioritizationFee: fee, WrapAndUnwrapSOL: new(true)}
		instructions, err := c.BuildSwapInstructions(ctx, request)
		require.NoError(t, err)
		require.NotEmpty(t, instructions.Instructions)
		built, err = c.BuildSwap(ctx, request)
		require.NoError(t, err)
	}
	before := s.Ledger().TokenBalance(me, usdc)
	flows.Land(t, s, built.Unsigned())
	require.Equal(t, before-1_000_000, s.Ledger().TokenBalance(me, usdc))
}

func swapOrder(t *testing.T, s *sandbox.Sandbox, c *swap.Client) {
	ctx, me, usdc := t.Context(), s.WalletAddress(), s.Mint("USDC")
	request := swap.OrderRequest{Owner: me, InputMint: usdc, OutputMint: s.Mint("USDT"), Amount: 2_000_000, Slippage: walletfi.AutoSlippage()}
	quote, err := c.QuoteOrder(ctx, request)
	require.NoError(t, err)
	require.NotZero(t, quote.OutAmount)
	order, err := c.BuildOrder(ctx, request)
	require.NoError(t, err)
	signature := flows.Land(t, s, order.Unsigned())[0]
	_, err = c.GetOrderStatus(ctx, swap.OrderStatusRequest{Signature: signature, LastValidBlockHeight: new(order.LastValidBlockHeight)})
	require.NoError(t, err)
}

func swapIntent(t *testing.T, s *sandbox.Sandbox, c *swap.Client) {
	ctx := t.Context()
	intent, err := c.BuildIntent(ctx, swap.IntentRequest{
		InputMint: s.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 3_000_000, Slippage: walletfi.SlippageBps(50), Owner: s.WalletAddress(),
	})
	require.NoError(t, err)
	signed := flows.Sign(t, s, intent.Unsigned())[0]
	submitted, err := c.SubmitIntent(ctx, swap.SubmitIntentRequest{Transaction: signed.Transaction, Intent: intent})
	require.NoError(t, err)
	require.Equal(t, swap.OrderSubmitted, submitted.Status)
	require.False(t, submitted.Recovered)
	go func() { // the order's steps come with the clock
		for range 60 {
			s.Advance(time.Second)
		}
	}()
	status, err := c.WaitOrder(ctx, swap.WaitOrderRequest{Signature: submitted.OpenSignature, MinWait: time.Millisecond, MaxWait: 5 * time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, swap.OrderClosed, status.Status)
	require.NotEmpty(t, status.Fills)
	require.GreaterOrEqual(t, status.OutAmount, intent.GuaranteedOutAmount)
}

func swapMarketInit(t *testing.T, s *sandbox.Sandbox, c *swap.Client) {
	market, err := flows.PredictMeta(t, s).GetMarket(t.Context(), "BTC-R6-M1")
	require.NoError(t, err)
	built, err := c.BuildPredictionMarketInit(t.Context(), swap.PredictionMarketInitRequest{MarketMint: market.YesMint, Owner: s.WalletAddress()})
	require.NoError(t, err)
	require.NotEmpty(t, built.Transaction)
	flows.Sign(t, s, built.Unsigned())
}
