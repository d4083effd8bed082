package calls

import (
	"encoding/binary"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/webhooks"
)

func smartAccountCalls(b *Book) {
	const email = "ann@example.com"
	type c = smartaccount.Client
	b.Do((*c).SendEmailCode, email)
	token := Take[walletfi.Token](b, (*c).VerifyEmailCode, smartaccount.VerifyEmailCodeRequest{
		Email: email, Code: walletfi.NewSecret(b.Sandbox.SmartAccount().OneTimeCode(email)),
	})
	at := flows.HostsOf(b.Sandbox)
	at.Token = token
	b.make = flows.Makers(at)[sandbox.SmartAccount]
	b.Do((*c).RegisterPasskey, smartaccount.RegisterPasskeyRequest{
		CredentialID: "cred-1", PublicKey: []byte("public"), Attestation: walletfi.Document(`{"fmt":"none"}`),
	})
	b.Do((*c).AuthenticatePasskey, smartaccount.AuthenticatePasskeyRequest{
		CredentialID: "cred-1", Assertion: walletfi.Document(`{"signature":"c2ln"}`),
	})
	b.Do((*c).RefreshToken, token)
	account := Take[*smartaccount.Account](b, (*c).CreateAccount, smartaccount.CreateAccountRequest{
		Name: "trading", Type: smartaccount.AccountBusiness,
	})
	require.NoError(b.t, b.Sandbox.Ledger().FundWallet(account.Address, 5_000_000_000))
	b.Do((*c).UpdateAccount, account.ID, smartaccount.UpdateAccountRequest{Name: "bots"})
	b.Do((*c).ListAccounts)
	b.Do((*c).GetAccount, account.ID)
	sessionAndPolicy(b, account)
	execute(b, account)
	debitAndSubscription(b, account.ID)
}

func sessionAndPolicy(b *Book, account *smartaccount.Account) {
	type c = smartaccount.Client
	session := Take[*smartaccount.Session](b, (*c).CreateSession, account.ID, smartaccount.CreateSessionRequest{
		PublicKey: b.Sandbox.ProgramID(sandbox.AMM), Name: "bot", ExpiresAt: b.Sandbox.Now().Add(time.Hour),
		Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer},
		Limits: &smartaccount.SessionLimits{
			PerTransaction: new(walletfi.Amount(1000)), Daily: new(walletfi.Amount(5000)),
		},
	})
	b.Do((*c).ListSessions, account.ID)
	b.Do((*c).RevokeSession, account.ID, session.ID)
	policy := Take[*smartaccount.Policy](b, (*c).CreatePolicy, account.ID, smartaccount.CreatePolicyRequest{
		Type: smartaccount.PolicySpendingLimit, Name: "daily",
		Params: smartaccount.SpendingLimit{Mint: b.Sandbox.Mint("SOL"), Amount: 1_000_000, Period: "daily"},
	})
	b.Do((*c).UpdatePolicy, account.ID, policy.ID, smartaccount.UpdatePolicyRequest{
		Params: smartaccount.SpendingLimitChange{Amount: new(walletfi.Amount(2_000_000))},
	})
	b.Do((*c).ListPolicies, account.ID)
	b.Do((*c).DeletePolicy, account.ID, policy.ID)
}

func execute(b *Book, account *smartaccount.Account) {
	type c = smartaccount.Client
	const transfer = 2 // of the system program, of lamports
	data := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, transfer), 600_000)
	pay := smartaccount.Instruction{
		ProgramID: "11111111111111111111111111111111", Data: data,
		Accounts: []smartaccount.AccountMeta{
			{PublicKey: account.Address, IsSigner: true, IsWritable: true},
			{PublicKey: b.Sandbox.WalletAddress(), IsWritable: true},
		},
	}
	request := smartaccount.ExecuteTransactionRequest{Instructions: []smartaccount.Instruction{pay}}
	tx := Take[*smartaccount.Transaction](b, (*c).ExecuteTransaction, account.ID, request)
	b.Do((*c).GetTransaction, account.ID, tx.ID)
	b.Do((*c).ListTransactions, account.ID, smartaccount.TransactionsRequest{Limit: new(5)})
}

func debitAndSubscription(b *Book, account string) {
	type c = smartaccount.Client
	usdc := b.Sandbox.Mint("USDC")
	debit := Take[*smartaccount.DirectDebit](b, (*c).CreateDirectDebit, account, smartaccount.CreateDirectDebitRequest{
		Merchant: b.Sandbox.WalletAddress(), MerchantName: "power", Mint: usdc, MaxAmount: 4321, Frequency: "monthly",
		ExpiresAt: b.Sandbox.Now().Add(90 * 24 * time.Hour),
	})
	b.Do((*c).ListDirectDebits, account)
	b.Do((*c).CancelDirectDebit, account, debit.ID)
	sub := Take[*smartaccount.Subscription](b, (*c).CreateSubscription, account, smartaccount.CreateSubscriptionRequest{
		Merchant: b.Sandbox.WalletAddress(), MerchantName: "news", Mint: usdc, Amount: 7654, Frequency: "monthly",
		StartDate: b.Sandbox.Now().Add(48 * time.Hour),
	})
	b.Do((*c).PauseSubscription, account, sub.ID)
	b.Do((*c).ResumeSubscription, account, sub.ID)
	b.Do((*c).CancelSubscription, account, sub.ID)
}

func onchainDataCalls(b *Book) {
	const network = "solana"
	type c = onchaindata.Client
	all := []onchaindata.PoolInclude{onchaindata.IncludeBaseToken, onchaindata.IncludeQuoteToken, onchaindata.IncludeDEX}
	sol, dust := b.Sandbox.Mint("SOL"), b.Sandbox.Mint("DUST")
	b.Do((*c).ListNetworks, onchaindata.NetworksRequest{})
	b.Do((*c).ListDEXes, network, onchaindata.DEXesRequest{})
	top := Take[*onchaindata.PoolPage](b, (*c).ListTopPools, network, onchaindata.TopPoolsRequest{
		Include: all, Sort: "reserve_in_usd_desc",
	})
	pool := top.Items[0].Address
	b.Do((*c).GetPool, network, pool, onchaindata.PoolRequest{Include: all})
	b.Do((*c).GetPools, network, []string{pool}, onchaindata.PoolsRequest{Include: all})
	withPools := []onchaindata.TokenInclude{onchaindata.IncludeTopPools}
	b.Do((*c).GetToken, network, sol, onchaindata.TokenRequest{Include: withPools})
	b.Do((*c).GetTokens, network, []string{sol, dust}, onchaindata.TokensRequest{Include: withPools})
	b.Do((*c).GetTokenPrices, network, []string{sol, dust}, onchaindata.TokenPricesRequest{
		MarketCap: new(true), FDVForCap: new(true), Volume24h: new(true), PriceChange24h: new(true), TotalReserve: new(true),
	})
	b.Do((*c).ListTrendingPools, onchaindata.TrendingPoolsRequest{Duration: onchaindata.Trend1h})
	b.Do((*c).ListNetworkTrendingPools, network, onchaindata.TrendingPoolsRequest{})
	b.Do((*c).ListNewPools, network, onchaindata.NewPoolsRequest{})
	b.Do((*c).SearchPools, onchaindata.SearchPoolsRequest{})
	b.Do((*c).FilterPools, onchaindata.FilterPoolsRequest{Networks: []string{network}})
	hours := onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeHour, Limit: new(5)}
	b.Do((*c).ListPoolCandles, network, pool, hours)
	b.Do((*c).ListTokenCandles, network, sol, hours)
	b.Do((*c).ListTrades, network, pool, onchaindata.TradesRequest{})
}

func socialSearchCalls(b *Book) {
	type c = socialsearch.Client
	id, err := b.Sandbox.SocialSearch().AddPost(sandbox.SocialPost{
		Author: "annazebra", Text: "@benzebra zebra $ZBR #zebras https://docs.zebra.example/x", LikeCount: 3, RepostCount: 2,
		CreatedAt: b.Sandbox.Now().Add(-time.Hour),
	})
	require.NoError(b.t, err)
	request := socialsearch.SearchRequest{
		Query: socialsearch.NewQuery(socialsearch.Cashtag("SOL")),
		PostFields: []socialsearch.PostField{
			socialsearch.PostCreatedAt, socialsearch.PostPublicMetrics, socialsearch.PostAuthorID,
			socialsearch.PostConversationID, socialsearch.PostEntities,
		},
		UserFields: []socialsearch.UserField{
			socialsearch.UserUsername, socialsearch.UserName, socialsearch.UserVerified, socialsearch.UserPublicMetrics,
			socialsearch.UserCreatedAt,
		},
		Expansions: []socialsearch.Expansion{socialsearch.ExpandAuthor},
	}
	b.Do((*c).SearchRecent, request)
	user := Take[*socialsearch.UserAnswer](b, (*c).GetUserByUsername, "annazebra",
		walletfi.WithQuery("user.fields", "verified,public_metrics,created_at"))
	fields := walletfi.WithQuery("post.fields", "created_at,public_metrics,author_id,conversation_id,entities")
	b.Do((*c).ListUserPosts, user.User.ID, socialsearch.UserPostsRequest{Limit: new(10)}, fields)
	b.Do((*c).GetPost, id, fields, walletfi.WithQuery("expansions", "author_id"))
}

func webhookCalls(b *Book) {
	type c = webhooks.Client
	hook := Take[*webhooks.Webhook](b, (*c).CreateWebhook, sandbox.LedgerWalletFilter, webhooks.CreateWebhookRequest{
		Name: "watch", Network: "SOLANA_MAINNET", DestinationURL: "https://example.com/hook", Enabled: true,
		TemplateArgs: webhooks.WalletFilter{Addresses: []string{b.Sandbox.WalletAddress()}},
	})
	b.Do((*c).ListWebhooks)
	b.Do((*c).GetWebhook, hook.ID)
	b.Do((*c).UpdateWebhook, hook.ID, webhooks.UpdateWebhookRequest{Enabled: new(false)})
	b.Do((*c).TestWebhook, hook.ID)
	b.Do((*c).DeleteWebhook, hook.ID)
}
