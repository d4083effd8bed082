package main

import (
	"crypto/ed25519"
	"maps"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

type object = map[string]any

// world is a sandbox in which there is something to read.
type world struct {
	*sandbox.Sandbox
	token walletfi.Token // of smartaccount

	offer, position, signature     string // of leverage
	account, transaction           string // of smartaccount
	hook, post, user, order        string
	ammPool, onchainPool, provider string
	yes, empty                     string // an outcome's mint, the mint of an empty account
}

// clientOf is one of a service, to prepare what is read.
func clientOf[C any](t *testing.T, s *sandbox.Sandbox, of sandbox.Service) C {
	made, err := flows.Makers(flows.HostsOf(s))[of](flows.Options(s))
	require.NoError(t, err)
	return made.(C)
}

func newWorld(t *testing.T) *world {
	w := &world{Sandbox: startSandbox(t, sandbox.Config{InstantConfirmation: true})}
	w.openPosition(t)
	w.openAccount(t)
	hook, err := clientOf[*webhooks.Client](t, w.Sandbox, sandbox.Webhooks).CreateWebhook(t.Context(),
		sandbox.LedgerWalletFilter, webhooks.CreateWebhookRequest{
			Name: "watch", Network: "SOLANA_MAINNET", DestinationURL: "https://example.com/hook",
			TemplateArgs: webhooks.WalletFilter{Addresses: []string{w.WalletAddress()}},
		})
	require.NoError(t, err)
	w.hook = hook.ID
	w.post, err = w.SocialSearch().AddPost(sandbox.SocialPost{
		Author: "annazebra", Text: "zebra crossing", CreatedAt: w.Now().Add(-time.Hour),
	})
	require.NoError(t, err)
	w.look(t)
	return w
}

// look finds what the answers of services are asked for by.
func (w *world) look(t *testing.T) {
	ctx, me := t.Context(), w.WalletAddress()
	pools, err := clientOf[*amm.Client](t, w.Sandbox, sandbox.AMM).ListPools(ctx, amm.PoolsRequest{Limit: new(1)})
	require.NoError(t, err)
	var pool struct{ ID string }
	require.NoError(t, pools.Items[0].Decode(&pool))
	w.ammPool = pool.ID
	top, err := clientOf[*onchaindata.Client](t, w.Sandbox, sandbox.OnchainData).ListTopPools(ctx, "solana", onchaindata.TopPoolsRequest{})
	require.NoError(t, err)
	w.onchainPool = top.Items[0].Address
	market, err := clientOf[*predictmeta.Client](t, w.Sandbox, sandbox.PredictMeta).GetMarket(ctx, "BTC-R6-M1")
	require.NoError(t, err)
	w.yes = market.YesMint
	quotes, err := clientOf[*providerswap.Client](t, w.Sandbox, sandbox.ProviderSwap).ListQuotesV1(ctx, providerswap.QuotesV1Request{
		InputMint: w.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 1_000_000, Slippage: walletfi.SlippageBps(100),
	})
	require.NoError(t, err)
	w.provider = string(quotes.Items[0].Provider)
	user, err := clientOf[*socialsearch.Client](t, w.Sandbox, sandbox.SocialSearch).GetUserByUsername(ctx, "annazebra")
	require.NoError(t, err)
	w.user = user.User.ID
	order, err := clientOf[*swap.Client](t, w.Sandbox, sandbox.Swap).BuildOrder(ctx, swap.OrderRequest{
		Owner: me, InputMint: w.Mint("USDC"), OutputMint: w.Mint("USDT"), Amount: 2_000_000, Slippage: walletfi.AutoSlippage(),
	})
	require.NoError(t, err)
	w.order = flows.Land(t, w.Sandbox, order.Unsigned())[0]
	empty, err := w.BurnClose().OpenEmptyAccounts(me, 3)
	require.NoError(t, err)
	w.empty = empty[0]
	lends := clientOf[*lending.Client](t, w.Sandbox, sandbox.Lending)
	deposit, err := lends.BuildDeposit(ctx, lending.DepositRequest{
		Owner: me, Mint: w.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 1_000_000,
	})
	require.NoError(t, err)
	flows.Land(t, w.Sandbox, deposit.Unsigned())
	for { // not each of the shapes that take turns has a transaction
		built, err := lends.BuildInitializeReferrer(ctx,
			lending.InitializeReferrerRequest{Owner: me, ReferralCode: "friends"})
		require.NoError(t, err)
		if u, ok := built.Unsigned(); ok {
			flows.Land(t, w.Sandbox, u)
			return
		}
	}
}

func (w *world) openPosition(t *testing.T) {
	c, ctx := clientOf[*leverage.Client](t, w.Sandbox, sandbox.Leverage), t.Context()
	offers, err := c.ListOffers(ctx, leverage.OffersRequest{Side: leverage.SideLong})
	require.NoError(t, err)
	w.offer = offers.Items[0].Address
	built, err := c.BuildOpen(ctx, leverage.OpenRequest{QuoteRequest: leverage.QuoteRequest{
		Offer: w.offer, Owner: w.WalletAddress(), CollateralAmount: 50_000_000,
		Leverage: walletfi.MustDecimal("2"), Slippage: walletfi.SlippageBps(100),
	}})
	require.NoError(t, err)
	w.signature = flows.Land(t, w.Sandbox, built.Unsigned())[0]
	positions, err := c.ListPositions(ctx, leverage.PositionsRequest{Owner: w.WalletAddress()})
	require.NoError(t, err)
	w.position = positions.Items[0].Address
}

func (w *world) openAccount(t *testing.T) {
	c, ctx := clientOf[*smartaccount.Client](t, w.Sandbox, sandbox.SmartAccount), t.Context()
	const email = "ann@example.com"
	_, err := c.SendEmailCode(ctx, email)
	require.NoError(t, err)
	w.token, err = c.VerifyEmailCode(ctx, smartaccount.VerifyEmailCodeRequest{
		Email: email, Code: walletfi.NewSecret(w.SmartAccount().OneTimeCode(email)),
	})
	require.NoError(t, err)
	account, err := c.CreateAccount(ctx, smartaccount.CreateAccountRequest{Name: "bots", Type: smartaccount.AccountBusiness})
	require.NoError(t, err)
	require.NoError(t, w.Ledger().FundWallet(account.Address, 5_000_000_000))
	w.account = account.ID
	data := append([]byte{2, 0, 0, 0}, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0) // a transfer of 1,000,000 lamports
	tx, err := c.ExecuteTransaction(ctx, account.ID, smartaccount.ExecuteTransactionRequest{
		Instructions: []smartaccount.Instruction{{
			ProgramID: "11111111111111111111111111111111", Data: data,
			Accounts: []smartaccount.AccountMeta{
				{PublicKey: account.Address, IsSigner: true, IsWritable: true},
				{PublicKey: w.WalletAddress(), IsWritable: true},
			},
		}},
	})
	require.NoError(t, err)
	w.transaction = tx.ID
	public, _, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	_, err = c.CreateSession(ctx, account.ID, smartaccount.CreateSessionRequest{
		PublicKey: base58.Encode(public), Name: "bot", ExpiresAt: time.Now().Add(time.Hour),
		Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer},
	})
	require.NoError(t, err)
}

// env is the environment of a child, signed in.
func (w *world) env() []string {
	return append(environment(w.Sandbox), variable("smartaccount", "KEY")+"="+w.token.Access.Reveal())
}

// calls has good arguments of every read.
func (w *world) calls() map[string]object {
	all := w.moneyCalls()
	maps.Copy(all, w.dataCalls())
	maps.Copy(all, w.otherCalls())
	return all
}

// moneyCalls has those of services that move money.
func (w *world) moneyCalls() map[string]object {
	me, usdc, sol := w.WalletAddress(), w.Mint("USDC"), walletfi.NativeMint
	pair := object{"inputMint": usdc, "outputMint": sol, "amount": "1000000", "slippageBps": 100}
	auto := object{"inputMint": usdc, "outputMint": sol, "amount": "1000000", "slippageBps": "auto"}
	provider := object{"fromMint": usdc, "toMint": sol, "amount": "1000000", "slippage": 100}
	one := maps.Clone(provider)
	one["provider"] = w.provider
	return map[string]object{
		"amm_get_auto_fee": {}, "amm_get_mint_prices": {"mints": []string{sol, usdc}}, "amm_list_mints": {},
		"amm_list_pools": {"pageSize": 2}, "amm_list_pools_by_ids": {"ids": []string{w.ammPool}},
		"amm_list_pools_by_mints": {"mint1": sol, "mint2": usdc},
		"amm_quote_base_in":       pair, "amm_quote_base_out": pair,

		"burnclose_get_transaction_status": {"signature": w.signature},
		"burnclose_preview_burn":           {"userPublicKey": me, "assetId": w.Mint("DUST"), "burnAmount": "37"},
		"burnclose_preview_close":          {"userPublicKey": me, "assetId": w.empty},
		"burnclose_preview_close_all":      {"userPublicKey": me, "limit": 5},
		"burnclose_summarize_close_all":    {"userPublicKey": me},

		"lending_get_account": {"walletAddress": me}, "lending_get_pool_stats": {"mint": usdc, "period": "7d"},
		"lending_get_rates":                {"mint": usdc, "period": "24h", "interval": "1h"},
		"lending_get_referrer":             {"referrerAddress": me},
		"lending_list_history":             {"walletAddress": me, "limit": 3},
		"lending_list_pending_withdrawals": {"walletAddress": me}, "lending_list_pools": {},

		"leverage_get_bundle_tip": {}, "leverage_list_offers": {"side": "LONG", "limit": 2, "includeTokens": true},
		"leverage_list_positions":     {"owner": me},
		"leverage_list_trade_history": {"owner": me},
		"leverage_quote_add_collateral": {
			"positionAddress": w.position, "userPublicKey": me, "collateralAmount": "20000000", "relayTipLamports": "0",
		},
		"leverage_quote_close": {"positionAddress": w.position, "userPublicKey": me, "slippageBps": 100},
		"leverage_quote_increase_borrow": {
			"positionAddress": w.position, "userPublicKey": me, "additionalBorrowAmount": "5000000", "mode": "withdraw",
			"slippageBps": 100, "relayTipLamports": "0",
		},
		"leverage_quote_open": {
			"offerPublicKey": w.offer, "userPublicKey": me, "collateralAmount": "50000000", "leverage": "2", "slippageBps": 100,
		},
		"leverage_search_tokens": {"search": "SOL"},

		"providerswap_get_quote":      {"src_mint": usdc, "dst_mint": sol, "amount_in": "1000000", "slippage_bps": 100},
		"providerswap_get_quote_v1":   one,
		"providerswap_list_quotes_v1": provider,

		"swap_get_order_status": {"signature": w.order}, "swap_get_quote": pair, "swap_list_tokens": {},
		"swap_list_tokens_with_decimals": {}, "swap_list_venues": {},
		"swap_quote_order": auto,
	}
}

// dataCalls has those of market data.
func (w *world) dataCalls() map[string]object {
	usdc, pool, event := w.Mint("USDC"), "BTC-R6-M1", "BTC-R6"
	of := func(name, value string) object {
		return object{"network": "solana", name: value, "timeframe": "hour", "limit": 5}
	}
	return map[string]object{
		"onchaindata_filter_pools": {"networks": []string{"solana"}},
		"onchaindata_get_pool":     {"network": "solana", "address": w.onchainPool},
		"onchaindata_get_pools":    {"network": "solana", "addresses": []string{w.onchainPool}},
		"onchaindata_get_token":    {"network": "solana", "address": usdc},
		"onchaindata_get_token_prices": {
			"network": "solana", "addresses": []string{usdc}, "include_market_cap": true,
		},
		"onchaindata_get_tokens": {"network": "solana", "addresses": []string{usdc}},
		"onchaindata_list_dexes": {"network": "solana"}, "onchaindata_list_networks": {},
		"onchaindata_list_network_trending_pools": {"network": "solana"},
		"onchaindata_list_new_pools":              {"network": "solana"},
		"onchaindata_list_pool_candles":           of("pool_address", w.onchainPool),
		"onchaindata_list_token_candles":          of("token_address", usdc),
		"onchaindata_list_top_pools":              {"network": "solana", "include": []string{"base_token"}},
		"onchaindata_list_trades":                 {"network": "solana", "pool_address": w.onchainPool},
		"onchaindata_list_trending_pools":         {"duration": "24h"},
		"onchaindata_search_pools":                {"query": "SOL"},

		"predictmeta_batch_markets":        {"tickers": []string{pool, "NO-SUCH"}},
		"predictmeta_batch_milestones":     {"eventTickers": []string{event}},
		"predictmeta_filter_outcome_mints": {"addresses": []string{usdc, w.yes}},
		"predictmeta_get_event":            {"ticker": event, "include_markets": true},
		"predictmeta_get_event_candlesticks": {
			"ticker": event, "interval": "1h", "start_time": w.Now().Add(-24 * time.Hour).UTC().Format(time.RFC3339),
		},
		"predictmeta_get_forecast": {"ticker": event, "interval": "4h"}, "predictmeta_get_market": {"ticker": pool},
		"predictmeta_get_market_by_mint": {"mint_address": w.yes}, "predictmeta_get_market_candlesticks": {"ticker": pool},
		"predictmeta_get_market_candlesticks_by_mint": {"mint_address": w.yes},
		"predictmeta_get_milestones":                  {"ticker": event},
		"predictmeta_get_milestones_by_mint":          {"mint_address": w.yes},
		"predictmeta_get_order_book":                  {"ticker": pool, "depth": 3},
		"predictmeta_get_order_book_by_mint":          {"mint_address": w.yes}, "predictmeta_list_categories": {},
		"predictmeta_list_events":        {"limit": 2, "status": "active"},
		"predictmeta_list_markets":       {"limit": 2},
		"predictmeta_list_outcome_mints": {}, "predictmeta_list_series": {}, "predictmeta_list_sports": {},
		"predictmeta_list_trades":         {"ticker": pool, "side": "buy", "limit": 3},
		"predictmeta_list_trades_by_mint": {"mint_address": w.yes, "limit": 3},
		"predictmeta_search":              {"q": "btc", "limit": 2},
	}
}

// otherCalls has the others.
func (w *world) otherCalls() map[string]object {
	return map[string]object{
		"smartaccount_get_account":       {"accountId": w.account},
		"smartaccount_get_transaction":   {"accountId": w.account, "transactionId": w.transaction},
		"smartaccount_list_accounts":     {},
		"smartaccount_list_sessions":     {"accountId": w.account},
		"smartaccount_list_policies":     {"accountId": w.account},
		"smartaccount_list_transactions": {"accountId": w.account}, "smartaccount_list_direct_debits": {"accountId": w.account},

		"socialsearch_get_post":             {"id": w.post},
		"socialsearch_get_user_by_username": {"username": "annazebra"},
		"socialsearch_list_user_posts":      {"id": w.user, "limit": 10},
		"socialsearch_search_recent": {
			"query": "zebra", "expansions": []string{"author_id"}, "limit": 10,
		},

		"webhooks_get_webhook": {"webhookId": w.hook}, "webhooks_list_webhooks": {},
	}
}
