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

func lendingCalls(b *book) {
	type c = lending.Client
	me, usdc := b.s.WalletAddress(), b.s.Mint("USDC")
	b.do((*c).ListPools)
	b.do((*c).GetPoolStats, lending.PoolStatsRequest{Mint: usdc, Period: lending.Period7d})
	b.do((*c).GetRates, lending.RatesRequest{Mint: usdc, Period: lending.Period24h, Interval: lending.Interval1h})
	for _, of := range []lending.DepositType{lending.DepositProtected, lending.DepositBoosted} {
		deposit := lending.DepositRequest{Owner: me, Mint: usdc, DepositType: of, Amount: 1_000_000}
		flows.Land(b.t, b.s, take[*lending.DepositTransaction](b, (*c).BuildDeposit, deposit).Unsigned())
		b.s.Advance(24 * time.Hour)
		withdraw := lending.WithdrawRequest{Owner: me, Mint: usdc, WithdrawType: of, Amount: 400_000}
		flows.Land(b.t, b.s, take[*lending.WithdrawTransaction](b, (*c).BuildWithdraw, withdraw).Unsigned())
	}
	b.rows = b.rows[:len(b.rows)-2] // the second deposit and withdrawal are as the first
	b.do((*c).GetAccount, me)
	b.do((*c).ListHistory, me, lending.HistoryRequest{})
	b.do((*c).ListHistory, me, lending.HistoryRequest{Type: lending.EventDeposit})
	b.do((*c).ListPendingWithdrawals, me)
	initialize := lending.InitializeReferrerRequest{Owner: me, ReferralCode: "friends"}
	built := take[*lending.ReferrerInitialization](b, (*c).BuildInitializeReferrer, initialize)
	if u, ok := built.Unsigned(); ok { // not each shape of the answer has a transaction
		flows.Land(b.t, b.s, u)
		b.do((*c).GetReferrer, me)
		b.do((*c).BuildReferrerClaim, lending.ReferrerClaimRequest{Owner: me})
	}
}

func leverageCalls(b *book) {
	type c = leverage.Client
	me, slippage := b.s.WalletAddress(), walletfi.SlippageBps(100)
	land := func(method any, req any) {
		flows.Land(b.t, b.s, take[*leverage.Transaction](b, method, req).Unsigned())
	}
	list := leverage.PositionsRequest{Owner: me, Status: leverage.StatusExecuted}
	positions := func() []leverage.Position {
		return take[*leverage.PositionPage](b, (*c).ListPositions, list).Items
	}
	long := leverage.OffersRequest{Side: leverage.SideLong, IncludeTokens: new(true)}
	offer := take[*leverage.OfferPage](b, (*c).ListOffers, long).Items[0].Address
	b.do((*c).SearchTokens, leverage.SearchTokensRequest{Search: "SOL"})
	b.do((*c).GetBundleTip)
	quote := leverage.QuoteRequest{
		Offer: offer, Owner: me, CollateralAmount: 50_000_000, Leverage: walletfi.MustDecimal("2"), Slippage: slippage,
	}
	b.do((*c).QuoteOpen, quote)
	opening := leverage.OpenRequest{QuoteRequest: quote, RelayTipLamports: 10_000}
	opened := take[*leverage.Transaction](b, (*c).BuildOpen, opening)
	signed := flows.Must(flows.Sign(b.t, b.s, opened.Unsigned())[0].Transaction.Base58())
	b.do((*c).SendTransaction, leverage.SendRequest{Transaction: signed})
	one := positions()[0].Address
	add := leverage.AddCollateralRequest{Position: one, Owner: me, CollateralAmount: 20_000_000, RelayTipLamports: 10_000}
	b.do((*c).QuoteAddCollateral, add)
	land((*c).BuildAddCollateral, add)
	borrow := leverage.IncreaseBorrowRequest{
		Position: one, Owner: me, AdditionalBorrowAmount: 5_000_000, Mode: leverage.BorrowWithdraw, Slippage: slippage,
		RelayTipLamports: 10_000,
	}
	b.do((*c).QuoteIncreaseBorrow, borrow)
	land((*c).BuildIncreaseBorrow, borrow)
	land((*c).BuildSplit, leverage.SplitRequest{Position: one, Owner: me, SplitRatioBps: 5000})
	halves := positions()
	require.Len(b.t, halves, 2)
	land((*c).BuildMerge, leverage.MergeRequest{First: halves[0].Address, Second: halves[1].Address, Owner: me})
	one = positions()[0].Address
	land((*c).BuildPartialRepay, leverage.PartialRepayRequest{Position: one, Owner: me, RepaymentBps: 2500})
	sell := leverage.PartialSellRequest{Position: one, Owner: me, SplitRatioBps: 5000, Slippage: slippage}
	sold := take[*leverage.PartialSell](b, (*c).BuildPartialSell, sell)
	var bundle []walletfi.Base58Transaction
	for _, tx := range flows.Sign(b.t, b.s, sold.Unsigned()) {
		bundle = append(bundle, flows.Must(tx.Transaction.Base58()))
	}
	b.do((*c).SendBundle, bundle)
	one = positions()[0].Address
	closing := leverage.CloseQuoteRequest{Position: one, Owner: me, Slippage: slippage}
	b.do((*c).QuoteClose, closing)
	b.do((*c).BuildClose, leverage.CloseRequest{CloseQuoteRequest: closing, RelayTipLamports: 10_000})
	b.do((*c).BuildRepay, leverage.RepayRequest{Position: one, Owner: me})
	b.do((*c).ListTradeHistory, leverage.TradeHistoryRequest{Owner: me})
	b.do((*c).ListTradeHistory, leverage.TradeHistoryRequest{Owner: me, Position: one, EventType: leverage.EventSplit})
}

func swapCalls(b *book) {
	type c = swap.Client
	me, usdc, slippage := b.s.WalletAddress(), b.s.Mint("USDC"), walletfi.SlippageBps(100)
	b.do((*c).ListTokens)
	b.do((*c).ListTokensWithDecimals)
	b.do((*c).ListVenues)
	quote := take[*swap.Quote](b, (*c).GetQuote, swap.QuoteRequest{
		InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 1_000_000, Slippage: slippage, PlatformFeeBps: new(20),
	})
	build := swap.BuildRequest{Owner: me, Quote: quote, PriorityFee: swap.PriorityLamports(5000), FeeAccount: ""}
	b.do((*c).BuildSwap, build)
	b.do((*c).BuildSwapInstructions, build)
	request := swap.OrderRequest{
		Owner: me, InputMint: usdc, OutputMint: b.s.Mint("USDT"), Amount: 2_000_000, Slippage: slippage,
	}
	b.do((*c).QuoteOrder, request)
	order := take[*swap.Order](b, (*c).BuildOrder, request)
	signature := flows.Land(b.t, b.s, order.Unsigned())[0]
	b.do((*c).GetOrderStatus, swap.OrderStatusRequest{
		Signature: signature, LastValidBlockHeight: new(order.LastValidBlockHeight),
	})
	intent := take[*swap.BuiltIntent](b, (*c).BuildIntent, swap.IntentRequest{
		InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 3_000_000, Slippage: slippage, Owner: me,
	})
	signed := flows.Sign(b.t, b.s, intent.Unsigned())[0]
	b.do((*c).SubmitIntent, swap.SubmitIntentRequest{Transaction: signed.Transaction, Intent: intent})
	market, err := flows.PredictMeta(b.t, b.s).GetMarket(b.t.Context(), "BTC-R6-M1")
	require.NoError(b.t, err)
	b.do((*c).BuildPredictionMarketInit, swap.PredictionMarketInitRequest{MarketMint: market.YesMint, Owner: me})
}

func ammCalls(b *book) {
	type c = amm.Client
	me, usdc := b.s.WalletAddress(), b.s.Mint("USDC")
	b.do((*c).GetAutoFee)
	b.do((*c).ListMints)
	b.do((*c).GetMintPrices, []string{walletfi.NativeMint, usdc})
	b.do((*c).ListPoolsByMints, amm.PoolsByMintsRequest{Mint1: walletfi.NativeMint, Mint2: usdc})
	page := take[*amm.PoolPage](b, (*c).ListPools, amm.PoolsRequest{PageSize: new(2)})
	var ids []string
	for _, pool := range page.Items {
		var shape struct{ ID, PoolID string }
		require.NoError(b.t, pool.Decode(&shape))
		ids = append(ids, cmp.Or(shape.ID, shape.PoolID))
	}
	b.do((*c).GetPools, ids)
	request := amm.QuoteRequest{
		InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 5_000_000, Slippage: walletfi.SlippageBps(100),
		TxVersion: amm.TxVersionV0,
	}
	in := take[*amm.Quote](b, (*c).QuoteBaseIn, request)
	b.do((*c).BuildSwap, amm.SwapRequest{Quote: in, Owner: me, ComputeUnitPriceMicroLamports: new(uint64(1000))})
	request.Amount = 10_000_000
	out := take[*amm.Quote](b, (*c).QuoteBaseOut, request)
	b.do((*c).BuildSwap, amm.SwapRequest{Quote: out, Owner: me})
}

func providerSwapCalls(b *book) {
	type c = providerswap.Client
	me, usdc := b.s.WalletAddress(), b.s.Mint("USDC")
	request := providerswap.QuoteRequest{
		SrcMint: usdc, DstMint: walletfi.NativeMint, AmountIn: 4_000_000, Slippage: walletfi.SlippageBps(50),
	}
	b.do((*c).GetQuote, request)
	b.do((*c).BuildSwap, providerswap.BuildRequest{QuoteRequest: request, Owner: me})
	pair := providerswap.QuotesV1Request{
		FromMint: usdc, ToMint: walletfi.NativeMint, Amount: 1_000_000, Slippage: walletfi.SlippageBps(100),
	}
	best, ok := take[*providerswap.QuoteV1Page](b, (*c).ListQuotesV1, pair).Best()
	require.True(b.t, ok)
	one := providerswap.QuoteV1Request{QuotesV1Request: pair, Provider: best.Provider}
	b.do((*c).GetQuoteV1, one)
	build := providerswap.BuildV1Request{QuoteV1Request: one, Owner: me}
	built := take[*providerswap.TransactionV1](b, (*c).BuildSwapV1, build)
	b.do((*c).SendBundle, flows.Sign(b.t, b.s, built.Unsigned())[0].Transaction)
	b.do((*c).BuildFeeTransfer, providerswap.FeeTransferRequest{
		Owner: me, Receiver: b.s.ProgramID(sandbox.Webhooks), Lamports: 2_000_000,
	})
}

func burnCloseCalls(b *book) {
	type c = burnclose.Client
	me := b.s.WalletAddress()
	for _, get := range []any{
		(*c).GetHealth, (*c).GetOpenAPI, (*c).GetAPICatalog, (*c).GetLLMsText, (*c).GetLLMsMarkdown, (*c).GetLLMsFull,
		(*c).GetDocs,
	} {
		b.do(get)
	}
	b.do((*c).GenerateAPIKey, nil)
	burn := burnclose.BurnRequest{Owner: me, AssetID: b.s.Mint("DUST"), BurnAmount: new(walletfi.Amount(37))}
	b.do((*c).PreviewBurn, burn)
	b.do((*c).BuildBurnInstructions, burn)
	built := take[*burnclose.Transaction](b, (*c).BuildBurn, burn)
	signed := flows.Sign(b.t, b.s, built.Unsigned())[0]
	sent := take[*burnclose.SendResult](b, (*c).SendTransaction, burnclose.SendRequest{
		Transaction: signed.Transaction, RelayOptions: burnclose.RelayOptions{WaitForConfirmation: new(true)},
	})
	b.do((*c).GetTransactionStatus, burnclose.StatusRequest{Signature: sent.Signature})
	empty, err := b.s.BurnClose().OpenEmptyAccounts(me, 30)
	require.NoError(b.t, err)
	closing := burnclose.CloseRequest{Owner: me, AssetID: empty[0]}
	b.do((*c).PreviewClose, closing)
	b.do((*c).BuildCloseInstructions, closing)
	b.do((*c).BuildClose, closing)
	all := burnclose.CloseAllRequest{Owner: me}
	b.do((*c).PreviewCloseAll, all)
	b.do((*c).SummarizeCloseAll, all)
	b.do((*c).BuildCloseAllInstructions, all)
	closed := take[*burnclose.CloseAllTransactions](b, (*c).BuildCloseAll, all)
	var batch []walletfi.EncodedTransaction
	for _, tx := range flows.Sign(b.t, b.s, closed.Unsigned()) {
		batch = append(batch, tx.Transaction)
	}
	b.do((*c).SendBatch, burnclose.SendBatchRequest{Transactions: batch})
}

func predictMetaCalls(b *book) {
	type c = predictmeta.Client
	const ticker = "BTC-R6-M1"
	active := predictmeta.EventsRequest{Status: predictmeta.EventActive}
	event := take[*predictmeta.EventPage](b, (*c).ListEvents, active).Items[0].Ticker
	b.do((*c).GetEvent, event, predictmeta.EventRequest{IncludeMarkets: new(true)})
	market := take[*predictmeta.Market](b, (*c).GetMarket, ticker)
	b.do((*c).GetMarketByMint, market.YesMint)
	b.do((*c).ListMarkets, predictmeta.MarketsRequest{EventTicker: market.EventTicker, Status: market.Status})
	b.do((*c).BatchMarkets, predictmeta.BatchMarketsRequest{Tickers: []string{ticker, "NO-SUCH"}})
	b.do((*c).ListOutcomeMints, predictmeta.OutcomeMintsRequest{})
	b.do((*c).FilterOutcomeMints, []string{market.YesMint, b.s.Mint("USDC"), market.NoMint})
	hour := predictmeta.CandlesticksRequest{
		Interval: predictmeta.Interval1h, Start: b.s.Now().Add(-24 * time.Hour), End: b.s.Now(),
	}
	b.do((*c).GetEventCandlesticks, event, hour)
	b.do((*c).GetMarketCandlesticks, ticker, hour)
	b.do((*c).GetMarketCandlesticksByMint, market.YesMint, hour)
	b.do((*c).GetForecast, event, predictmeta.ForecastRequest{
		Interval: predictmeta.Interval4h, Start: hour.Start, End: hour.End,
	})
	b.do((*c).GetOrderBook, ticker, predictmeta.OrderBookRequest{Depth: new(5)})
	b.do((*c).GetOrderBookByMint, market.YesMint)
	trades := predictmeta.TradesRequest{Side: predictmeta.SideBuy, Limit: new(7)}
	b.do((*c).ListTradesByMint, market.YesMint, trades)
	trades.Ticker = ticker
	b.do((*c).ListTrades, trades)
	b.do((*c).GetMilestones, event)
	b.do((*c).GetMilestonesByMint, market.YesMint)
	b.do((*c).BatchMilestones, []string{event})
	categories := take[*predictmeta.CategoryPage](b, (*c).ListCategories)
	b.do((*c).ListSeries, predictmeta.SeriesRequest{Category: categories.Items[0].ID})
	b.do((*c).ListSports)
	b.do((*c).Search, predictmeta.SearchRequest{Query: "btc", Type: "market", Limit: new(5)})
}
