package routes

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/sandbox"
)

func init() { reach[sandbox.Leverage], documented[sandbox.Leverage] = reachLeverage, 20 }

// trader is a wallet on the leverage service.
type trader struct {
	*leverage.Client
	t  *testing.T
	s  *sandbox.Sandbox
	me string
}

func reachLeverage(t *testing.T, s *sandbox.Sandbox) {
	c, err := leverage.New(leverage.Config{
		BaseURL: s.URL(sandbox.Leverage), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Leverage)), Options: flows.Options(s),
	})
	require.NoError(t, err)
	x := &trader{c, t, s, s.WalletAddress()}
	offer := x.market()
	first := x.open(offer)
	x.grow(first)
	x.splitAndMerge(first)
	x.repay(x.onlyOne().Address)
	x.sellHalf(x.onlyOne().Address)
	x.close(x.onlyOne().Address)
	x.repayAll(x.open(offer))
	x.history()
}

// market looks at the offers and returns one to open on.
func (x *trader) market() leverage.Offer {
	ctx := x.t.Context()
	var long *leverage.Offer
	for offer, err := range x.AllOffers(ctx, leverage.OffersRequest{Side: leverage.SideLong, IncludeTokens: new(true), Limit: new(1)}) {
		require.NoError(x.t, err)
		require.Equal(x.t, leverage.SideLong, offer.Side)
		require.NotNil(x.t, offer.BaseToken)
		if long == nil {
			long = &offer
		}
	}
	require.NotNil(x.t, long)
	for range 2 { // the shape takes turns
		tokens, err := x.SearchTokens(ctx, leverage.SearchTokensRequest{Search: "SOL"})
		require.NoError(x.t, err)
		require.NotEmpty(x.t, tokens.Items)
	}
	tip, err := x.GetBundleTip(ctx)
	require.NoError(x.t, err)
	require.NotZero(x.t, tip.TipLamports)
	at, err := x.TipAt(ctx, 50)
	require.NoError(x.t, err)
	require.NotZero(x.t, at)
	return *long
}

func (x *trader) open(offer leverage.Offer) string {
	ctx := x.t.Context()
	two, err := walletfi.NewDecimal("2")
	require.NoError(x.t, err)
	quote := leverage.QuoteRequest{Offer: offer.Address, Owner: x.me, CollateralAmount: 50_000_000, Leverage: two, Slippage: walletfi.SlippageBps(100)}
	_, err = x.QuoteOpen(ctx, quote)
	require.NoError(x.t, err)
	built, err := x.BuildOpen(ctx, leverage.OpenRequest{QuoteRequest: quote, TipLamports: 10_000})
	require.NoError(x.t, err)
	signed := flows.Sign(x.t, x.s, built.Unsigned())[0]
	encoded, err := signed.Transaction.Base58()
	require.NoError(x.t, err)
	sent, err := x.SendTransaction(ctx, leverage.SendRequest{Transaction: encoded, MEVProtect: new(false)})
	require.NoError(x.t, err)
	require.Equal(x.t, signed.Signature, sent.Signature)
	p := x.onlyOne()
	require.Equal(x.t, leverage.StatusExecuted, p.Status)
	require.InDelta(x.t, 2, p.EffectiveLeverage.Float64(), 0.2)
	require.Equal(x.t, 1, p.LiquidationPrice.Sign())
	require.Equal(x.t, -1, p.LiquidationPrice.Cmp(p.CurrentPrice), "a long is liquidated below the price")
	return p.Address
}

// positions lists those that are open.
func (x *trader) positions() []leverage.Position {
	var all []leverage.Position
	for p, err := range x.AllPositions(x.t.Context(), leverage.PositionsRequest{Owner: x.me, Status: leverage.StatusExecuted, Limit: new(2)}) {
		require.NoError(x.t, err)
		require.NotEmpty(x.t, p.Address)
		require.NotEmpty(x.t, p.Raw)
		all = append(all, p)
	}
	return all
}

func (x *trader) onlyOne() leverage.Position {
	all := x.positions()
	require.Len(x.t, all, 1)
	return all[0]
}

func (x *trader) land(built *leverage.Transaction, err error) {
	x.t.Helper()
	require.NoError(x.t, err)
	require.NotZero(x.t, built.LastValidBlockHeight)
	flows.Land(x.t, x.s, built.Unsigned())
}

// grow adds collateral, and borrows more on it.
func (x *trader) grow(position string) {
	ctx, before := x.t.Context(), x.onlyOne()
	collateral := leverage.AddCollateralRequest{Position: position, Owner: x.me, CollateralAmount: 20_000_000, TipLamports: 10_000}
	_, err := x.QuoteAddCollateral(ctx, collateral)
	require.NoError(x.t, err)
	x.land(x.BuildAddCollateral(ctx, collateral))
	require.Equal(x.t, 1, x.onlyOne().CollateralAmount.Cmp(before.CollateralAmount))

	borrow := leverage.IncreaseBorrowRequest{
		Position: position, Owner: x.me, AdditionalBorrowAmount: 5_000_000, Mode: leverage.BorrowWithdraw, Slippage: walletfi.SlippageBps(100), TipLamports: 10_000,
	}
	_, err = x.QuoteIncreaseBorrow(ctx, borrow)
	require.NoError(x.t, err)
	x.land(x.BuildIncreaseBorrow(ctx, borrow))
	require.Equal(x.t, 1, x.onlyOne().BorrowedAmount.Cmp(before.BorrowedAmount))
}

func (x *trader) splitAndMerge(position string) {
	ctx := x.t.Context()
	x.land(x.BuildSplit(ctx, leverage.SplitRequest{Position: position, Owner: x.me, SplitRatioBps: 5000}))
	halves := x.positions()
	require.Len(x.t, halves, 2)
	x.land(x.BuildMerge(ctx, leverage.MergeRequest{First: halves[0].Address, Second: halves[1].Address, Owner: x.me}))
	x.onlyOne()
}

func (x *trader) repay(position string) {
	ctx, before := x.t.Context(), x.onlyOne()
	built, err := x.BuildPartialRepay(ctx, leverage.PartialRepayRequest{Position: position, Owner: x.me, RepaymentBps: 2500})
	require.NoError(x.t, err)
	signed := flows.Sign(x.t, x.s, built.Unsigned())[0]
	signature, err := x.Submit(ctx, signed)
	require.NoError(x.t, err)
	require.Equal(x.t, signed.Signature, signature)
	require.Equal(x.t, -1, x.onlyOne().BorrowedAmount.Cmp(before.BorrowedAmount))
}

// sellHalf sends the split and the close as one bundle.
func (x *trader) sellHalf(position string) {
	ctx := x.t.Context()
	built, err := x.BuildPartialSell(ctx, leverage.PartialSellRequest{Position: position, Owner: x.me, SplitRatioBps: 5000, Slippage: walletfi.SlippageBps(100)})
	require.NoError(x.t, err)
	require.NotEqual(x.t, built.NewPositionAddresses[0], built.NewPositionAddresses[1])
	_, err = x.SubmitBundle(ctx, flows.Sign(x.t, x.s, built.Unsigned()))
	require.NoError(x.t, err)
	require.Contains(x.t, built.NewPositionAddresses, x.onlyOne().Address)
}

func (x *trader) close(position string) {
	ctx := x.t.Context()
	request := leverage.CloseQuoteRequest{Position: position, Owner: x.me, Slippage: walletfi.SlippageBps(100)}
	_, err := x.QuoteClose(ctx, request)
	require.NoError(x.t, err)
	x.land(x.BuildClose(ctx, leverage.CloseRequest{CloseQuoteRequest: request, TipLamports: 10_000}))
	require.Empty(x.t, x.positions())
}

// repayAll ends a position without a sale.
func (x *trader) repayAll(position string) {
	x.land(x.BuildRepay(x.t.Context(), leverage.RepayRequest{Position: position, Owner: x.me}))
	require.Empty(x.t, x.positions())
}

// history finds the whole life in the trade events.
func (x *trader) history() {
	events := 0
	for event, err := range x.AllTradeHistory(x.t.Context(), leverage.TradeHistoryRequest{Owner: x.me, Limit: new(3)}) {
		require.NoError(x.t, err)
		require.NotEmpty(x.t, event.Raw)
		events++
	}
	require.GreaterOrEqual(x.t, events, 6)
}
