package flows

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

func swapBuilders(t *testing.T, s *sandbox.Sandbox) []Builder {
	c, me, usdc := client[*swap.Client](s, sandbox.Swap), s.WalletAddress(), s.Mint("USDC")
	quote := quoted(t, c, usdc, walletfi.NativeMint, 0)
	market, err := PredictMeta(t, s).GetMarket(t.Context(), "BTC-R6-M1")
	require.NoError(t, err)
	order := swap.OrderRequest{
		Owner:      me,
		InputMint:  usdc,
		OutputMint: s.Mint("USDT"),
		Amount:     2_000_000,
		Slippage:   walletfi.AutoSlippage(),
	}
	return []Builder{
		from(sandbox.Swap, "BuildSwap", c.BuildSwap, swap.BuildRequest{
			Owner:             me,
			Quote:             quote,
			PrioritizationFee: swap.PriorityBundleTip(10_000),
			WrapAndUnwrapSOL:  new(true),
		}),
		from(sandbox.Swap, "BuildOrder", c.BuildOrder, order),
		from(sandbox.Swap, "BuildIntent", c.BuildIntent, swap.IntentRequest{
			InputMint:  usdc,
			OutputMint: walletfi.NativeMint,
			Amount:     3_000_000,
			Slippage:   walletfi.SlippageBps(50),
			Owner:      me,
		}),
		from(sandbox.Swap, "BuildPredictionMarketInit", c.BuildPredictionMarketInit, swap.PredictionMarketInitRequest{
			MarketMint: market.YesMint,
			Owner:      me,
		}),
	}
}

func ammBuilders(t *testing.T, s *sandbox.Sandbox) []Builder {
	c, me, usdc := client[*amm.Client](s, sandbox.AMM), s.WalletAddress(), s.Mint("USDC")
	in, err := c.QuoteBaseIn(t.Context(), ammRequest(usdc, walletfi.NativeMint, 5_000_000, amm.TxVersionV0))
	require.NoError(t, err)
	out, err := c.QuoteBaseOut(t.Context(), ammRequest(usdc, walletfi.NativeMint, 10_000_000, amm.TxVersionLegacy))
	require.NoError(t, err)
	return []Builder{
		from(sandbox.AMM, "BuildSwap, v0", c.BuildSwap, amm.BuildRequest{
			Quote:                         in,
			Owner:                         me,
			ComputeUnitPriceMicroLamports: new(uint64(1000)),
		}),
		from(sandbox.AMM, "BuildSwap, legacy", c.BuildSwap, amm.BuildRequest{
			Quote:     out,
			Owner:     me,
			WrapSOL:   new(true),
			UnwrapSOL: new(false),
			MaxSpend:  20_000_000,
		}),
	}
}

func providerBuilders(t *testing.T, s *sandbox.Sandbox) []Builder {
	c, me, usdc := client[*providerswap.Client](s, sandbox.ProviderSwap), s.WalletAddress(), s.Mint("USDC")
	best, quote := bestV1(t, s, c)
	return []Builder{
		from(sandbox.ProviderSwap, "BuildSwap", c.BuildSwap, providerswap.BuildRequest{
			QuoteRequest: providerswap.QuoteRequest{
				InputMint:  usdc,
				OutputMint: walletfi.NativeMint,
				Amount:     4_000_000,
				Slippage:   walletfi.SlippageBps(50),
			}, Owner: me,
		}),
		from(sandbox.ProviderSwap, "BuildSwapV1", c.BuildSwapV1, providerswap.BuildV1Request{
			QuoteV1Request: best, Owner: me, Quote: quote,
			ComputeUnitPriceMicroLamports: new(uint64(1000)), MEVSafe: new(true), MaxTipLamports: 1_000_000,
			FeeLamports: new(walletfi.Amount(7000)), FeeReceiver: me,
		}),
		from(sandbox.ProviderSwap, "BuildFeeTransfer", c.BuildFeeTransfer, providerswap.FeeTransferRequest{
			Owner:    me,
			Receiver: s.ProgramID(sandbox.Webhooks),
			Lamports: 2_000_000,
		}),
	}
}

// bestV1 asks for the quote of the provider that is best.
func bestV1(
	t *testing.T, s *sandbox.Sandbox, c *providerswap.Client,
) (providerswap.QuoteV1Request, *providerswap.QuoteV1) {
	t.Helper()
	pair := providerswap.QuotesV1Request{
		InputMint: s.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 1_000_000, Slippage: walletfi.SlippageBps(100),
	}
	quotes, err := c.ListQuotesV1(t.Context(), pair)
	require.NoError(t, err)
	best, ok := quotes.Best()
	require.True(t, ok)
	return providerswap.QuoteV1Request{QuotesV1Request: pair, Provider: best.Provider}, &best
}
