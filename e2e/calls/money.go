package calls

import (
	"cmp"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

func lendingCalls(b *Book) {
	type c = lending.Client
	me, usdc := b.Sandbox.WalletAddress(), b.Sandbox.Mint("USDC")
	b.Do((*c).ListPools)
	b.Do((*c).GetPoolStats, lending.PoolStatsRequest{Mint: usdc, Period: lending.Period7d})
	b.Do((*c).GetRates, lending.RatesRequest{Mint: usdc, Period: lending.Period24h, Interval: lending.Interval1h})
	for _, of := range []lending.DepositType{lending.DepositProtected, lending.DepositBoosted} {
		deposit := lending.DepositRequest{Owner: me, Mint: usdc, DepositType: of, Amount: 1_000_000}
		flows.Land(b.t, b.Sandbox, Take[*lending.DepositTransaction](b, (*c).BuildDeposit, deposit).Unsigned())
		b.Sandbox.Advance(24 * time.Hour)
		withdraw := lending.WithdrawRequest{Owner: me, Mint: usdc, WithdrawType: of, Amount: 400_000}
		flows.Land(b.t, b.Sandbox, Take[*lending.WithdrawTransaction](b, (*c).BuildWithdraw, withdraw).Unsigned())
	}
	b.rows = b.rows[:len(b.rows)-2] // the second deposit and withdrawal are as the first
	b.Do((*c).GetAccount, me)
	b.Do((*c).ListHistory, me, lending.HistoryRequest{})
	b.Do((*c).ListHistory, me, lending.HistoryRequest{Type: lending.EventDeposit})
	b.Do((*c).ListPendingWithdrawals, me)
	initialize := lending.InitializeReferrerRequest{Owner: me, ReferralCode: "friends"}
	built := Take[*lending.ReferrerInitialization](b, (*c).BuildInitializeReferrer, initialize)
	if u, ok := built.Unsigned(); ok { // not each shape of the answer has a transaction
		flows.Land(b.t, b.Sandbox, u)
		b.Do((*c).GetReferrer, me)
		b.Do((*c).BuildReferrerClaim, lending.ReferrerClaimRequest{Owner: me})
	}
}

func leverageCalls(b *Book) {
	type c = leverage.Client
	me, slippage := b.Sandbox.WalletAddress(), walletfi.SlippageBps(100)
	land := func(method any, req any) {
		flows.Land(b.t, b.Sandbox, Take[*leverage.Transaction](b, method, req).Unsigned())
	}
	list := leverage.PositionsRequest{Owner: me, Status: leverage.StatusExecuted}
	positions := func() []leverage.Position {
		return Take[*leverage.PositionPage](b, (*c).ListPositions, list).Items
	}
	long := leverage.OffersRequest{Side: leverage.SideLong, IncludeTokens: new(true)}
	offer := Take[*leverage.OfferPage](b, (*c).ListOffers, long).Items[0].Address
	b.Do((*c).SearchTokens, leverage.SearchTokensRequest{Search: "SOL"})
	b.Do((*c).GetBundleTip)
	quote := leverage.QuoteRequest{
		Offer: offer, Owner: me, CollateralAmount: 50_000_000, Leverage: walletfi.MustDecimal("2"), Slippage: slippage,
	}
	b.Do((*c).QuoteOpen, quote)
	opening := leverage.OpenRequest{QuoteRequest: quote, TipLamports: 10_000}
	opened := Take[*leverage.Transaction](b, (*c).BuildOpen, opening)
	signed := flows.Must(flows.Sign(b.t, b.Sandbox, opened.Unsigned())[0].Transaction.Base58())
	b.Do((*c).SendTransaction, leverage.SendRequest{Transaction: signed})
	one := positions()[0].Address
	add := leverage.AddCollateralRequest{Position: one, Owner: me, CollateralAmount: 20_000_000, TipLamports: 10_000}
	b.Do((*c).QuoteAddCollateral, add)
	land((*c).BuildAddCollateral, add)
	borrow := leverage.IncreaseBorrowRequest{
		Position: one, Owner: me, AdditionalBorrowAmount: 5_000_000, Mode: leverage.BorrowWithdraw, Slippage: slippage,
		TipLamports: 10_000,
	}
	b.Do((*c).QuoteIncreaseBorrow, borrow)
	land((*c).BuildIncreaseBorrow, borrow)
	land((*c).BuildSplit, leverage.SplitRequest{Position: one, Owner: me, SplitRatioBps: 5000})
	halves := positions()
	require.Len(b.t, halves, 2)
	land((*c).BuildMerge, leverage.MergeRequest{First: halves[0].Address, Second: halves[1].Address, Owner: me})
	one = positions()[0].Address
	land((*c).BuildPartialRepay, leverage.PartialRepayRequest{Position: one, Owner: me, RepaymentBps: 2500})
	sell := leverage.PartialSellRequest{Position: one, Owner: me, SplitRatioBps: 5000, Slippage: slippage}
	sold := Take[*leverage.PartialSell](b, (*c).BuildPartialSell, sell)
	var bundle []walletfi.Base58Transaction
	for _, tx := range flows.Sign(b.t, b.Sandbox, sold.Unsigned()) {
		bundle = append(bundle, flows.Must(tx.Transaction.Base58()))
	}
	b.Do((*c).SendBundle, bundle)
	one = positions()[0].Address
	closing := leverage.CloseQuoteRequest{Position: one, Owner: me, Slippage: slippage}
	b.Do((*c).QuoteClose, closing)
	b.Do((*c).BuildClose, leverage.CloseRequest{CloseQuoteRequest: closing, TipLamports: 10_000})
	b.Do((*c).BuildRepay, leverage.RepayRequest{Position: one, Owner: me})
	b.Do((*c).ListTradeHistory, leverage.TradeHistoryRequest{Owner: me})
	b.Do((*c).ListTradeHistory, leverage.TradeHistoryRequest{Owner: me, Position: one, EventType: leverage.EventSplit})
}

func swapCalls(b *Book) {
	type c = swap.Client
	me, usdc, slippage := b.Sandbox.WalletAddress(), b.Sandbox.Mint("USDC"), walletfi.SlippageBps(100)
	b.Do((*c).ListTokens)
	b.Do((*c).ListTokensWithDecimals)
	b.Do((*c).ListVenues)
	quote := Take[*swap.Quote](b, (*c).GetQuote, swap.QuoteRequest{
		InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 1_000_000, Slippage: slippage, PlatformFeeBps: new(20),
	})
	build := swap.BuildRequest{Owner: me, Quote: quote, PrioritizationFee: swap.PriorityLamports(5000), FeeAccount: ""}
	b.Do((*c).BuildSwap, build)
	b.Do((*c).BuildSwapInstructions, build)
	request := swap.OrderRequest{
		Owner: me, InputMint: usdc, OutputMint: b.Sandbox.Mint("USDT"), Amount: 2_000_000, Slippage: slippage,
	}
	b.Do((*c).QuoteOrder, request)
	order := Take[*swap.Order](b, (*c).BuildOrder, request)
	signature := flows.Land(b.t, b.Sandbox, order.Unsigned())[0]
	b.Do((*c).GetOrderStatus, swap.OrderStatusRequest{
		Signature: signature, LastValidBlockHeight: new(order.LastValidBlockHeight),
	})
	intent := Take[*swap.BuiltIntent](b, (*c).BuildIntent, swap.IntentRequest{
		InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 3_000_000, Slippage: slippage, Owner: me,
	})
	signed := flows.Sign(b.t, b.Sandbox, intent.Unsigned())[0]
	b.Do((*c).SubmitIntent, swap.SubmitIntentRequest{Transaction: signed.Transaction, Intent: intent})
	market, err := flows.PredictMeta(b.t, b.Sandbox).GetMarket(b.t.Context(), "BTC-R6-M1")
	require.NoError(b.t, err)
	b.Do((*c).BuildPredictionMarketInit, swap.PredictionMarketInitRequest{MarketMint: market.YesMint, Owner: me})
}

func ammCalls(b *Book) {
	type c = amm.Client
	me, usdc := b.Sandbox.WalletAddress(), b.Sandbox.Mint("USDC")
	b.Do((*c).GetAutoFee)
	b.Do((*c).ListMints)
	b.Do((*c).GetMintPrices, []string{walletfi.NativeMint, usdc})
	b.Do((*c).ListPoolsByMints, amm.PoolsByMintsRequest{Mint1: walletfi.NativeMint, Mint2: usdc})
	page := Take[*amm.PoolPage](b, (*c).ListPools, amm.PoolsRequest{Limit: new(2)})
	var ids []string
	for _, pool := range page.Items {
		var shape struct{ ID, PoolID string }
		require.NoError(b.t, pool.Decode(&shape))
		ids = append(ids, cmp.Or(shape.ID, shape.PoolID))
	}
	b.Do((*c).ListPoolsByIDs, amm.PoolsByIDsRequest{IDs: ids})
	request := amm.QuoteRequest{
		InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 5_000_000, Slippage: walletfi.SlippageBps(100),
		TxVersion: amm.TxVersionV0,
	}
	in := Take[*amm.Quote](b, (*c).QuoteBaseIn, request)
	b.Do((*c).BuildSwap, amm.BuildRequest{Quote: in, Owner: me, ComputeUnitPriceMicroLamports: new(uint64(1000))})
	request.Amount = 10_000_000
	out := Take[*amm.Quote](b, (*c).QuoteBaseOut, request)
	b.Do((*c).BuildSwap, amm.BuildRequest{Quote: out, Owner: me})
}

func providerSwapCalls(b *Book) {
	type c = providerswap.Client
	me, usdc := b.Sandbox.WalletAddress(), b.Sandbox.Mint("USDC")
	request := providerswap.QuoteRequest{
		InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 4_000_000, Slippage: walletfi.SlippageBps(50),
	}
	b.Do((*c).GetQuote, request)
	b.Do((*c).BuildSwap, providerswap.BuildRequest{QuoteRequest: request, Owner: me})
	pair := providerswap.QuotesV1Request{
		InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 1_000_000, Slippage: walletfi.SlippageBps(100),
	}
	best, ok := Take[*providerswap.QuoteV1Page](b, (*c).ListQuotesV1, pair).Best()
	require.True(b.t, ok)
	one := providerswap.QuoteV1Request{QuotesV1Request: pair, Provider: best.Provider}
	b.Do((*c).GetQuoteV1, one)
	build := providerswap.BuildV1Request{QuoteV1Request: one, Owner: me, MinReceive: 1}
	built := Take[*providerswap.TransactionV1](b, (*c).BuildSwapV1, build)
	b.Do((*c).SendBundle, flows.Sign(b.t, b.Sandbox, built.Unsigned())[0].Transaction)
	b.Do((*c).BuildFeeTransfer, providerswap.FeeTransferRequest{
		Owner: me, Receiver: b.Sandbox.ProgramID(sandbox.Webhooks), Lamports: 2_000_000,
	})
}

func burnCloseCalls(b *Book) {
	type c = burnclose.Client
	me := b.Sandbox.WalletAddress()
	for _, get := range []any{
		(*c).GetHealth, (*c).GetOpenAPI, (*c).GetAPICatalog, (*c).GetLLMsText, (*c).GetLLMsMarkdown, (*c).GetLLMsFull,
		(*c).GetDocs,
	} {
		b.Do(get)
	}
	b.Do((*c).GenerateAPIKey, nil)
	burn := burnclose.BurnRequest{Owner: me, AssetID: b.Sandbox.Mint("DUST"), BurnAmount: new(walletfi.Amount(37))}
	b.Do((*c).PreviewBurn, burn)
	b.Do((*c).BuildBurnInstructions, burn)
	built := Take[*burnclose.Transaction](b, (*c).BuildBurn, burn)
	signed := flows.Sign(b.t, b.Sandbox, built.Unsigned())[0]
	sent := Take[*burnclose.SendResult](b, (*c).SendTransaction, burnclose.SendRequest{
		Transaction: signed.Transaction, RelayOptions: burnclose.RelayOptions{WaitForConfirmation: new(true)},
	})
	b.Do((*c).GetTransactionStatus, burnclose.StatusRequest{Signature: sent.Signature})
	empty, err := b.Sandbox.BurnClose().OpenEmptyAccounts(me, 30)
	require.NoError(b.t, err)
	closing := burnclose.CloseRequest{Owner: me, AssetID: empty[0]}
	b.Do((*c).PreviewClose, closing)
	b.Do((*c).BuildCloseInstructions, closing)
	b.Do((*c).BuildClose, closing)
	all := burnclose.CloseAllRequest{Owner: me}
	b.Do((*c).PreviewCloseAll, all)
	b.Do((*c).SummarizeCloseAll, all)
	b.Do((*c).BuildCloseAllInstructions, all)
	closed := Take[*burnclose.CloseAllTransactions](b, (*c).BuildCloseAll, all)
	var batch []walletfi.EncodedTransaction
	for _, tx := range flows.Sign(b.t, b.Sandbox, closed.Unsigned()) {
		batch = append(batch, tx.Transaction)
	}
	b.Do((*c).SendBatch, burnclose.SendBatchRequest{Transactions: batch})
}

func predictMetaCalls(b *Book) {
	type c = predictmeta.Client
	const ticker = "BTC-R6-M1"
	active := predictmeta.EventsRequest{Status: predictmeta.EventActive}
	event := Take[*predictmeta.EventPage](b, (*c).ListEvents, active).Items[0].Ticker
	b.Do((*c).GetEvent, event, predictmeta.EventRequest{IncludeMarkets: new(true)})
	market := Take[*predictmeta.Market](b, (*c).GetMarket, ticker)
	b.Do((*c).GetMarketByMint, market.YesMint)
	b.Do((*c).ListMarkets, predictmeta.MarketsRequest{EventTicker: market.EventTicker, Status: market.Status})
	b.Do((*c).BatchMarkets, predictmeta.BatchMarketsRequest{Tickers: []string{ticker, "NO-SUCH"}})
	b.Do((*c).ListOutcomeMints, predictmeta.OutcomeMintsRequest{})
	b.Do((*c).FilterOutcomeMints, []string{market.YesMint, b.Sandbox.Mint("USDC"), market.NoMint})
	hour := predictmeta.CandlesticksRequest{
		Interval: predictmeta.Interval1h, Start: b.Sandbox.Now().Add(-24 * time.Hour), End: b.Sandbox.Now(),
	}
	b.Do((*c).GetEventCandlesticks, event, hour)
	b.Do((*c).GetMarketCandlesticks, ticker, hour)
	b.Do((*c).GetMarketCandlesticksByMint, market.YesMint, hour)
	b.Do((*c).GetForecast, event, predictmeta.ForecastRequest{
		Interval: predictmeta.Interval4h, Start: hour.Start, End: hour.End,
	})
	b.Do((*c).GetOrderBook, ticker, predictmeta.OrderBookRequest{Depth: new(5)})
	b.Do((*c).GetOrderBookByMint, market.YesMint)
	trades := predictmeta.TradesRequest{Side: predictmeta.SideBuy, Limit: new(7)}
	b.Do((*c).ListTradesByMint, market.YesMint, trades)
	trades.Ticker = ticker
	b.Do((*c).ListTrades, trades)
	b.Do((*c).GetMilestones, event)
	b.Do((*c).GetMilestonesByMint, market.YesMint)
	b.Do((*c).BatchMilestones, []string{event})
	categories := Take[*predictmeta.CategoryPage](b, (*c).ListCategories)
	b.Do((*c).ListSeries, predictmeta.SeriesRequest{Category: categories.Items[0].ID})
	b.Do((*c).ListSports)
	b.Do((*c).Search, predictmeta.SearchRequest{Query: "btc", Type: "market", Limit: new(5)})
}
