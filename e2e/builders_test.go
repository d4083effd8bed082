package e2e

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

// unlimited lets every call go at once.
type unlimited struct{}

func (unlimited) Permit(context.Context, time.Duration) (func(context.Context, bool) error, error) {
	return func(context.Context, bool) error { return nil }, nil
}
func (unlimited) Hold(context.Context, time.Time) error { return nil }

func (unlimited) Tighten(context.Context, int, time.Time) error { return nil }

func atOnce() walletfi.Options {
	return walletfi.Options{Limiter: func(ratelimit.Scope) ratelimit.Limiter { return unlimited{} }}
}

// builders are the methods of all services that answer transactions for the
// sandbox's wallet, with what they need on the ledger.
func builders(t *testing.T, s *sandbox.Sandbox) []builder {
	return slices.Concat(lendingBuilders(t, s), burnBuilders(t, s), leverageBuilders(t, s), swapBuilders(t, s), ammBuilders(t, s), providerBuilders(t, s))
}

func lendingBuilders(t *testing.T, s *sandbox.Sandbox) []builder {
	c, err := lending.New(lending.Config{BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: atOnce()})
	require.NoError(t, err)
	me, usdc := s.WalletAddress(), s.Mint("USDC")
	deposit := lending.DepositRequest{Owner: me, Mint: usdc, DepositType: lending.DepositProtected, Amount: 1_000_000}
	built, err := c.BuildDeposit(t.Context(), deposit)
	require.NoError(t, err)
	land(t, s, built.Unsigned())
	referrer := builder{service: sandbox.Lending, name: "BuildInitializeReferrer", build: func(ctx context.Context) (walletfi.Unsigned, error) {
		built, err := c.BuildInitializeReferrer(ctx, lending.InitializeReferrerRequest{Owner: me, ReferralCode: "friends"})
		if err != nil {
			return walletfi.Unsigned{}, err
		}
		u, ok := built.Unsigned()
		if !ok { // not each of the answer's shapes holds a transaction
			return u, fmt.Errorf("no transaction: %w", walletfi.ErrDecode)
		}
		return u, nil
	}}
	claim := from(sandbox.Lending, "BuildReferrerClaim", c.BuildReferrerClaim, lending.ReferrerClaimRequest{Owner: me})
	claim.prepare = func() {
		u, err := referrer.build(t.Context())
		require.NoError(t, err)
		land(t, s, u)
	}
	return []builder{
		from(sandbox.Lending, "BuildDeposit", c.BuildDeposit, deposit),
		from(sandbox.Lending, "BuildWithdraw", c.BuildWithdraw, lending.WithdrawRequest{Owner: me, Mint: usdc, WithdrawType: lending.DepositProtected, Amount: 400_000}),
		referrer,
		claim,
	}
}

func burnBuilders(t *testing.T, s *sandbox.Sandbox) []builder {
	c, err := burnclose.New(burnclose.Config{BaseURL: s.URL(sandbox.BurnClose), APIKey: walletfi.NewSecret(s.APIKey(sandbox.BurnClose)), Options: atOnce()})
	require.NoError(t, err)
	me, dust := s.WalletAddress(), s.Mint("DUST")
	empty, err := s.BurnClose().OpenEmptyAccounts(me, 30)
	require.NoError(t, err)
	return []builder{
		from(sandbox.BurnClose, "BuildBurn", c.BuildBurn, burnclose.BurnRequest{Owner: me, AssetID: dust, BurnAmount: new(walletfi.Amount(37))}),
		from(sandbox.BurnClose, "BuildBurn of all", c.BuildBurn, burnclose.BurnRequest{Owner: me, AssetID: dust, AutoCloseTokenAccounts: new(true)}),
		from(sandbox.BurnClose, "BuildClose", c.BuildClose, burnclose.CloseRequest{Owner: me, AssetID: empty[0]}),
		from(sandbox.BurnClose, "BuildCloseAll", c.BuildCloseAll, burnclose.CloseAllRequest{Owner: me}),
	}
}

func leverageBuilders(t *testing.T, s *sandbox.Sandbox) []builder {
	c, err := leverage.New(leverage.Config{BaseURL: s.URL(sandbox.Leverage), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Leverage)), Options: atOnce()})
	require.NoError(t, err)
	x := &trader{c, t, s, s.WalletAddress()}
	offer := x.market()
	x.land(c.BuildSplit(t.Context(), leverage.SplitRequest{Position: x.open(offer), Owner: x.me, SplitRatioBps: 5000}))
	halves := x.positions()
	require.Len(t, halves, 2)
	one, other := halves[0].Address, halves[1].Address
	two, err := walletfi.NewDecimal("2")
	require.NoError(t, err)
	open := leverage.QuoteRequest{Offer: offer.Address, Owner: x.me, CollateralAmount: 50_000_000, Leverage: two, Slippage: walletfi.SlippageBps(100)}
	close := leverage.CloseQuoteRequest{Position: one, Owner: x.me, Slippage: walletfi.SlippageBps(100)}
	const tip = 10_000
	usdc := s.Mint("USDC")
	spend := []walletfi.Asset{{Mint: usdc, Amount: 30_000_000}}
	sell := builder{service: sandbox.Leverage, name: "BuildPartialSell", build: func(ctx context.Context) (walletfi.Unsigned, error) {
		built, err := c.BuildPartialSell(ctx, leverage.PartialSellRequest{Position: one, Owner: x.me, SplitRatioBps: 5000, Slippage: walletfi.SlippageBps(100)})
		if err != nil {
			return walletfi.Unsigned{}, err
		}
		return built.Unsigned(), nil
	}}
	return []builder{
		from(sandbox.Leverage, "BuildOpen", c.BuildOpen, leverage.OpenRequest{QuoteRequest: open, CollateralMint: usdc, RelayTipLamports: tip}),
		from(sandbox.Leverage, "BuildAddCollateral", c.BuildAddCollateral, leverage.AddCollateralRequest{Position: one, Owner: x.me, CollateralMint: usdc, CollateralAmount: 20_000_000, RelayTipLamports: tip}),
		from(sandbox.Leverage, "BuildIncreaseBorrow", c.BuildIncreaseBorrow, leverage.IncreaseBorrowRequest{
			Position: one, Owner: x.me, AdditionalBorrowAmount: 1_000_000, Mode: leverage.BorrowWithdraw, Slippage: walletfi.SlippageBps(100), RelayTipLamports: tip,
		}),
		from(sandbox.Leverage, "BuildSplit", c.BuildSplit, leverage.SplitRequest{Position: one, Owner: x.me, SplitRatioBps: 5000}),
		from(sandbox.Leverage, "BuildMerge", c.BuildMerge, leverage.MergeRequest{First: one, Second: other, Owner: x.me}),
		from(sandbox.Leverage, "BuildPartialRepay", c.BuildPartialRepay, leverage.PartialRepayRequest{Position: one, Owner: x.me, RepaymentBps: 2500, MaxSpend: spend}),
		from(sandbox.Leverage, "BuildRepay", c.BuildRepay, leverage.RepayRequest{Position: one, Owner: x.me, MaxSpend: spend}),
		from(sandbox.Leverage, "BuildClose", c.BuildClose, leverage.CloseRequest{CloseQuoteRequest: close, RelayTipLamports: tip}),
		sell,
	}
}

func swapBuilders(t *testing.T, s *sandbox.Sandbox) []builder {
	c, err := swap.New(swap.Config{BaseURL: s.URL(sandbox.Swap), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Swap)), Options: atOnce()})
	require.NoError(t, err)
	ctx, me, usdc := t.Context(), s.WalletAddress(), s.Mint("USDC")
	quote, err := c.GetQuote(ctx, swap.QuoteRequest{InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 1_000_000, Slippage: walletfi.SlippageBps(100)})
	require.NoError(t, err)
	market, err := predictmetaClient(t, s).GetMarket(ctx, "BTC-R6-M1")
	require.NoError(t, err)
	order := swap.OrderRequest{Owner: me, InputMint: usdc, OutputMint: s.Mint("USDT"), Amount: 2_000_000, Slippage: walletfi.AutoSlippage()}
	return []builder{
		from(sandbox.Swap, "BuildSwap", c.BuildSwap, swap.BuildRequest{Owner: me, Quote: quote, PriorityFee: swap.PriorityBundleTip(10_000), WrapAndUnwrapSOL: new(true)}),
		from(sandbox.Swap, "BuildOrder", c.BuildOrder, order),
		from(sandbox.Swap, "BuildIntent", c.BuildIntent, swap.IntentRequest{InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 3_000_000, Slippage: walletfi.SlippageBps(50), Owner: me}),
		from(sandbox.Swap, "BuildPredictionMarketInit", c.BuildPredictionMarketInit, swap.PredictionMarketInitRequest{MarketMint: market.YesMint, Owner: me}),
	}
}

func ammBuilders(t *testing.T, s *sandbox.Sandbox) []builder {
	c, err := amm.New(amm.Config{TradeURL: s.URL(sandbox.AMM), DataURL: s.AMM().DataURL(), Pause: new(time.Duration(0)), Options: atOnce()})
	require.NoError(t, err)
	me, usdc := s.WalletAddress(), s.Mint("USDC")
	in, err := c.QuoteBaseIn(t.Context(), amm.QuoteRequest{InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 5_000_000, Slippage: walletfi.SlippageBps(100), TxVersion: amm.TxVersionV0})
	require.NoError(t, err)
	out, err := c.QuoteBaseOut(t.Context(), amm.QuoteRequest{InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 10_000_000, Slippage: walletfi.SlippageBps(100), TxVersion: amm.TxVersionLegacy})
	require.NoError(t, err)
	return []builder{
		from(sandbox.AMM, "BuildSwap, v0", c.BuildSwap, amm.SwapRequest{Quote: in, Owner: me, ComputeUnitPriceMicroLamports: new(uint64(1000))}),
		from(sandbox.AMM, "BuildSwap, legacy", c.BuildSwap, amm.SwapRequest{Quote: out, Owner: me, WrapSOL: new(true), UnwrapSOL: new(false)}),
	}
}

func providerBuilders(t *testing.T, s *sandbox.Sandbox) []builder {
	c, err := providerswap.New(providerswap.Config{
		BaseURL: s.URL(sandbox.ProviderSwap) + "/api/v2", APIKey: walletfi.NewSecret(s.APIKey(sandbox.ProviderSwap)), Options: atOnce(),
	})
	require.NoError(t, err)
	me, usdc := s.WalletAddress(), s.Mint("USDC")
	pair := providerswap.QuotesV1Request{FromMint: usdc, ToMint: walletfi.NativeMint, Amount: 1_000_000, Slippage: walletfi.SlippageBps(100)}
	all, err := c.ListQuotesV1(t.Context(), pair)
	require.NoError(t, err)
	best, ok := all.Best()
	require.True(t, ok)
	return []builder{
		from(sandbox.ProviderSwap, "BuildSwap", c.BuildSwap, providerswap.BuildRequest{
			QuoteRequest: providerswap.QuoteRequest{SrcMint: usdc, DstMint: walletfi.NativeMint, AmountIn: 4_000_000, Slippage: walletfi.SlippageBps(50)}, Owner: me,
		}),
		from(sandbox.ProviderSwap, "BuildSwapV1", c.BuildSwapV1, providerswap.BuildV1Request{
			QuoteV1Request: providerswap.QuoteV1Request{QuotesV1Request: pair, Provider: best.Provider}, Owner: me,
			PriorityMicroLamports: new(uint64(1000)), MEVSafe: new(true), MaxTipLamports: 1_000_000, FeeLamports: new(walletfi.Amount(7000)), FeeReceiver: me,
		}),
		from(sandbox.ProviderSwap, "BuildFeeTransfer", c.BuildFeeTransfer, providerswap.FeeTransferRequest{Owner: me, Receiver: s.ProgramID(sandbox.Webhooks), Lamports: 2_000_000}),
	}
}
