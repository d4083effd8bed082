package echo

import (
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/e2e/calls"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

// more makes calls with the optional members of their requests that an answer may repeat.
func more(b *calls.Book) {
	switch b.Service {
	case sandbox.SmartAccount:
		limitedSession(b)
	case sandbox.Leverage:
		filteredPositions(b)
	case sandbox.PredictMeta:
		filteredMarkets(b)
	case sandbox.Swap:
		swapsWithTerms(b)
	case sandbox.BurnClose:
		type c = burnclose.Client
		b.Do((*c).PreviewBurn, burnclose.BurnRequest{
			Owner: b.Sandbox.WalletAddress(), AssetID: b.Sandbox.Mint("DUST"), BurnAmount: new(walletfi.Amount(37)),
		})
	case sandbox.OnchainData:
		type c = onchaindata.Client
		pool := calls.Take[*onchaindata.PoolPage](b, (*c).ListTopPools, "solana", onchaindata.TopPoolsRequest{}).Items[0]
		b.Do((*c).ListTrades, "solana", pool.Address, onchaindata.TradesRequest{MinVolumeUSD: walletfi.MustDecimal("0.000001")})
	case sandbox.Webhooks:
		type c = webhooks.Client
		hook := calls.Take[*webhooks.Webhook](b, (*c).CreateWebhook, sandbox.LedgerWalletFilter, webhooks.CreateWebhookRequest{
			Name: "watch", Network: "SOLANA_MAINNET", DestinationURL: "https://example.com/hook", Enabled: true,
			TemplateArgs: webhooks.WalletFilter{Addresses: []string{b.Sandbox.WalletAddress()}},
		})
		b.Do((*c).UpdateWebhook, hook.ID, webhooks.UpdateWebhookRequest{
			Name: "bots", Network: "SOLANA_MAINNET", DestinationURL: "https://example.com/bots", Enabled: new(true),
			TemplateArgs: webhooks.WalletFilter{Addresses: []string{b.Sandbox.WalletAddress()}},
		})
	}
}

func limitedSession(b *calls.Book) {
	type c = smartaccount.Client
	account := calls.Take[*smartaccount.AccountPage](b, (*c).ListAccounts).Items[0].ID
	b.Do((*c).CreateSession, account, smartaccount.CreateSessionRequest{
		PublicKey: b.Sandbox.ProgramID(sandbox.Swap), Name: "bot", ExpiresAt: b.Sandbox.Now().Add(time.Hour),
		Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer},
		Limits: &smartaccount.SessionLimits{
			PerTransaction: new(walletfi.Amount(1000)), Daily: new(walletfi.Amount(5000)),
			AllowedMints: []string{b.Sandbox.Mint("USDC")}, AllowedDestinations: []string{b.Sandbox.WalletAddress()},
		},
	})
	b.Do((*c).ListTransactions, account, smartaccount.TransactionsRequest{Limit: new(5), Offset: new(1)})
}

func filteredPositions(b *calls.Book) {
	type c = leverage.Client
	offers := leverage.OffersRequest{Side: leverage.SideLong, IncludeTokens: new(true)}
	first := calls.Take[*leverage.OfferPage](b, (*c).ListOffers, offers).Items[0]
	offers.QuoteToken = first.QuoteTokenAddress
	b.Do((*c).ListOffers, offers)
	opened := leverage.TradeHistoryRequest{Owner: b.Sandbox.WalletAddress(), EventType: leverage.EventOpen}
	events := calls.Take[*leverage.TradeHistoryPage](b, (*c).ListTradeHistory, opened).Items
	opened.Position = events[0].Position
	b.Do((*c).ListTradeHistory, opened)
}

func filteredMarkets(b *calls.Book) {
	type c = predictmeta.Client
	const ticker = "BTC-R6-M1"
	market := calls.Take[*predictmeta.Market](b, (*c).GetMarket, ticker)
	event := calls.Take[*predictmeta.Event](b, (*c).GetEvent, market.EventTicker, predictmeta.EventRequest{})
	b.Do((*c).ListEvents, predictmeta.EventsRequest{
		Status: event.Status, Category: event.Category, SeriesTicker: event.SeriesTicker, Limit: new(3), Offset: new(0),
	})
	b.Do((*c).ListEvents, predictmeta.EventsRequest{Limit: new(2), Offset: new(1)})
	b.Do((*c).ListMarkets, predictmeta.MarketsRequest{Limit: new(2), Offset: new(1)})
	b.Do((*c).BatchMarkets, predictmeta.BatchMarketsRequest{Mints: []string{market.YesMint}})
	b.Do((*c).BatchMarkets, predictmeta.BatchMarketsRequest{Mints: []string{market.NoMint}})
	trades := predictmeta.TradesRequest{Ticker: ticker, Side: predictmeta.SideBuy, Limit: new(7), Offset: new(1)}
	b.Do((*c).ListTrades, trades)
	b.Do((*c).ListTradesByMint, market.YesMint, trades)
}

func swapsWithTerms(b *calls.Book) {
	type c = swap.Client
	usdc, usdt := b.Sandbox.Mint("USDC"), b.Sandbox.Mint("USDT")
	b.Do((*c).GetQuote, swap.QuoteRequest{
		InputMint: usdc, OutputMint: usdt, Amount: 1_000_000, Slippage: walletfi.SlippageBps(100), ForBundle: new(false),
	})
	order := swap.OrderRequest{
		Owner: b.Sandbox.WalletAddress(), InputMint: usdc, OutputMint: usdt, Amount: 2_000_000,
		Slippage: walletfi.SlippageBps(100), PrioritizationFee: swap.PriorityLamports(5000),
	}
	b.Do((*c).QuoteOrder, order)
	b.Do((*c).BuildOrder, order)
}
