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

func smartAccountCalls(b *book) {
	const email = "ann@example.com"
	type c = smartaccount.Client
	b.do((*c).SendEmailCode, email)
	token := take[walletfi.Token](b, (*c).VerifyEmailCode, smartaccount.VerifyEmailCodeRequest{
		Email: email, Code: walletfi.NewSecret(b.s.SmartAccount().OneTimeCode(email)),
	})
	at := flows.HostsOf(b.s)
	at.Token = token
	b.make = flows.Makers(at)[sandbox.SmartAccount]
	b.do((*c).RegisterPasskey, smartaccount.RegisterPasskeyRequest{
		CredentialID: "cred-1", PublicKey: []byte("public"), Attestation: walletfi.Document(`{"fmt":"none"}`),
	})
	b.do((*c).AuthenticatePasskey, smartaccount.AuthenticatePasskeyRequest{
		CredentialID: "cred-1", Assertion: walletfi.Document(`{"signature":"c2ln"}`),
	})
	b.do((*c).RefreshToken, token)
	account := take[*smartaccount.Account](b, (*c).CreateAccount, smartaccount.CreateAccountRequest{
		Name: "trading", Type: smartaccount.AccountBusiness,
	})
	require.NoError(b.t, b.s.Ledger().FundWallet(account.Address, 5_000_000_000))
	b.do((*c).UpdateAccount, account.ID, smartaccount.UpdateAccountRequest{Name: "bots"})
	b.do((*c).ListAccounts)
	b.do((*c).GetAccount, account.ID)
	sessionAndPolicy(b, account)
	execute(b, account)
	debitAndSubscription(b, account.ID)
}

func sessionAndPolicy(b *book, account *smartaccount.Account) {
	type c = smartaccount.Client
	session := take[*smartaccount.Session](b, (*c).CreateSession, account.ID, smartaccount.CreateSessionRequest{
		PublicKey: b.s.ProgramID(sandbox.AMM), Name: "bot", ExpiresAt: b.s.Now().Add(time.Hour),
		Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer},
		Limits: &smartaccount.SessionLimits{
			PerTransaction: new(walletfi.Amount(1000)), Daily: new(walletfi.Amount(5000)),
		},
	})
	b.do((*c).ListSessions, account.ID)
	b.do((*c).RevokeSession, account.ID, session.ID)
	policy := take[*smartaccount.Policy](b, (*c).CreatePolicy, account.ID, smartaccount.CreatePolicyRequest{
		Type: smartaccount.PolicySpendingLimit, Name: "daily",
		Params: smartaccount.SpendingLimit{Mint: b.s.Mint("SOL"), Amount: 1_000_000, Period: "daily"},
	})
	b.do((*c).UpdatePolicy, account.ID, policy.ID, smartaccount.UpdatePolicyRequest{
		Params: smartaccount.SpendingLimitChange{Amount: new(walletfi.Amount(2_000_000))},
	})
	b.do((*c).ListPolicies, account.ID)
	b.do((*c).DeletePolicy, account.ID, policy.ID)
}

func execute(b *book, account *smartaccount.Account) {
	type c = smartaccount.Client
	const transfer = 2 // of the system program, of lamports
	data := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, transfer), 600_000)
	pay := smartaccount.Instruction{
		ProgramID: "11111111111111111111111111111111", Data: data,
		Accounts: []smartaccount.AccountMeta{
			{PublicKey: account.Address, IsSigner: true, IsWritable: true},
			{PublicKey: b.s.WalletAddress(), IsWritable: true},
		},
	}
	request := smartaccount.ExecuteTransactionRequest{Instructions: []smartaccount.Instruction{pay}}
	tx := take[*smartaccount.Transaction](b, (*c).ExecuteTransaction, account.ID, request)
	b.do((*c).GetTransaction, account.ID, tx.ID)
	b.do((*c).ListTransactions, account.ID, smartaccount.TransactionsRequest{Limit: new(5)})
}

func debitAndSubscription(b *book, account string) {
	type c = smartaccount.Client
	usdc := b.s.Mint("USDC")
	debit := take[*smartaccount.DirectDebit](b, (*c).CreateDirectDebit, account, smartaccount.CreateDirectDebitRequest{
		Merchant: b.s.WalletAddress(), MerchantName: "power", Mint: usdc, MaxAmount: 4321, Frequency: "monthly",
		ExpiresAt: b.s.Now().Add(90 * 24 * time.Hour),
	})
	b.do((*c).ListDirectDebits, account)
	b.do((*c).CancelDirectDebit, account, debit.ID)
	sub := take[*smartaccount.Subscription](b, (*c).CreateSubscription, account, smartaccount.CreateSubscriptionRequest{
		Merchant: b.s.WalletAddress(), MerchantName: "news", Mint: usdc, Amount: 7654, Frequency: "monthly",
		StartDate: b.s.Now().Add(48 * time.Hour),
	})
	b.do((*c).PauseSubscription, account, sub.ID)
	b.do((*c).ResumeSubscription, account, sub.ID)
	b.do((*c).CancelSubscription, account, sub.ID)
}

func onchainDataCalls(b *book) {
	const network = "solana"
	type c = onchaindata.Client
	all := []onchaindata.PoolInclude{onchaindata.IncludeBaseToken, onchaindata.IncludeQuoteToken, onchaindata.IncludeDEX}
	sol, dust := b.s.Mint("SOL"), b.s.Mint("DUST")
	b.do((*c).ListNetworks, onchaindata.NetworksRequest{})
	b.do((*c).ListDEXes, network, onchaindata.DEXesRequest{})
	top := take[*onchaindata.PoolPage](b, (*c).ListTopPools, network, onchaindata.TopPoolsRequest{
		Include: all, Sort: "reserve_in_usd_desc",
	})
	pool := top.Items[0].Address
	b.do((*c).GetPool, network, pool, onchaindata.PoolRequest{Include: all})
	b.do((*c).GetPools, network, []string{pool}, onchaindata.PoolsRequest{Include: all})
	withPools := []onchaindata.TokenInclude{onchaindata.IncludeTopPools}
	b.do((*c).GetToken, network, sol, onchaindata.TokenRequest{Include: withPools})
	b.do((*c).GetTokens, network, []string{sol, dust}, onchaindata.TokensRequest{Include: withPools})
	b.do((*c).GetTokenPrices, network, []string{sol, dust}, onchaindata.TokenPricesRequest{
		MarketCap: new(true), FDVForCap: new(true), Volume24h: new(true), PriceChange24h: new(true), TotalReserve: new(true),
	})
	b.do((*c).ListTrendingPools, onchaindata.TrendingPoolsRequest{Duration: onchaindata.Trend1h})
	b.do((*c).ListNetworkTrendingPools, network, onchaindata.TrendingPoolsRequest{})
	b.do((*c).ListNewPools, network, onchaindata.NewPoolsRequest{})
	b.do((*c).SearchPools, onchaindata.SearchPoolsRequest{})
	b.do((*c).FilterPools, onchaindata.FilterPoolsRequest{Networks: []string{network}})
	hours := onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeHour, Limit: new(5)}
	b.do((*c).ListPoolCandles, network, pool, hours)
	b.do((*c).ListTokenCandles, network, sol, hours)
	b.do((*c).ListTrades, network, pool, onchaindata.TradesRequest{})
}

func socialSearchCalls(b *book) {
	type c = socialsearch.Client
	id, err := b.s.SocialSearch().AddPost(sandbox.SocialPost{
		Author: "annazebra", Text: "@benzebra zebra $ZBR #zebras https://docs.zebra.example/x", LikeCount: 3, RepostCount: 2,
		CreatedAt: b.s.Now().Add(-time.Hour),
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
	b.do((*c).SearchRecent, request)
	user := take[*socialsearch.UserAnswer](b, (*c).GetUserByUsername, "annazebra",
		walletfi.WithQuery("user.fields", "verified,public_metrics,created_at"))
	fields := walletfi.WithQuery("post.fields", "created_at,public_metrics,author_id,conversation_id,entities")
	b.do((*c).ListUserPosts, user.User.ID, socialsearch.UserPostsRequest{MaxResults: new(10)}, fields)
	b.do((*c).GetPost, id, fields, walletfi.WithQuery("expansions", "author_id"))
}

func webhookCalls(b *book) {
	type c = webhooks.Client
	hook := take[*webhooks.Webhook](b, (*c).Create, sandbox.LedgerWalletFilter, webhooks.CreateRequest{
		Name: "watch", Network: "SOLANA_MAINNET", DestinationURL: "https://example.com/hook", Enabled: true,
		TemplateArgs: webhooks.WalletFilter{Addresses: []string{b.s.WalletAddress()}},
	})
	b.do((*c).List)
	b.do((*c).Get, hook.ID)
	b.do((*c).Update, hook.ID, webhooks.UpdateRequest{Enabled: new(false)})
	b.do((*c).Test, hook.ID)
	b.do((*c).Delete, hook.ID)
}
