package hollow

import (
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
)

func init() {
	hollows[sandbox.Lending] = hollowLending
	hollows[sandbox.SmartAccount] = hollowSmartAccount
	hollows[sandbox.Leverage] = hollowLeverage
}

func hollowLending(_ *testing.T) []hollow {
	r := rows{service: sandbox.Lending}
	type c = lending.Client

	r.add("POST /v1/generate.transactions.deposit", `{"transaction":"AQID","lastValidBlockHeight":9,"blockhash":"B1111111111111111111111111111111"}`,
		(*c).BuildDeposit, lending.DepositRequest{Owner: "W1", Mint: "M1", DepositType: lending.DepositRegular, Amount: 5})
	r.add("POST /v1/generate.transactions.withdraw", `{"transaction":"AQID","lastValidBlockHeight":9}`,
		(*c).BuildWithdraw, lending.WithdrawRequest{Owner: "W1", Mint: "M1", WithdrawType: lending.DepositRegular, Amount: 5})
	r.add("POST /v1/referrer/initialize", `{"a":1,"b":2}`,
		(*c).BuildInitializeReferrer, lending.InitializeReferrerRequest{Owner: "R1"})
	r.add("GET /v1/account/{walletAddress}", `{"totalDeposited":0,"totalInterestEarned":0,"currentApy":0,"positions":[],"rewards":[]}`,
		(*c).GetAccount, "W1")
	r.add("GET /v1/account/{walletAddress}/history", `{"events":[`+wholeDeposit+`],"total":1}`,
		(*c).ListHistory, "W1", lending.HistoryRequest{})
	r.add("GET /v1/account/{walletAddress}/pending-withdrawals", `{"pendingWithdrawals":[]}`,
		(*c).ListPendingWithdrawals, "W1")
	r.add("GET /v1/pools", `{"pools":[]}`, (*c).ListPools)
	r.add("GET /v1/pools/stats", `{"a":1}`, (*c).GetPoolStats, lending.PoolStatsRequest{})
	r.add("GET /v1/rates", `{"mint":"M1","rates":[]}`, (*c).GetRates, lending.RatesRequest{Mint: "M1"})
	r.add("GET /v1/referrer/{referrerAddress}", `{"referrer":"R1","referralCode":"r","totalReferred":0,"totalEarnings":0,"referralCount":0,"pendingRewards":0}`,
		(*c).GetReferrer, "R1")
	r.add("POST /v1/referrer/claim", `{"transaction":"AQID","claimAmount":0}`,
		(*c).BuildReferrerClaim, lending.ReferrerClaimRequest{Owner: "R1"})
	return r.rows
}

func hollowSmartAccount(_ *testing.T) []hollow {
	r := rows{service: sandbox.SmartAccount}
	type c = smartaccount.Client
	const tokens = `{"accessToken":"at-7","refreshToken":"rt-7","expiresIn":60}`

	r.add("POST /api/v1/auth/email/otp", `{"success":true,"message":"sent"}`, (*c).SendEmailCode, "a@example.com")
	r.add("POST /api/v1/auth/email/verify", tokens,
		(*c).VerifyEmailCode, smartaccount.VerifyEmailCodeRequest{Email: "a@example.com", Code: walletfi.NewSecret("012345")})
	r.add("POST /api/v1/auth/passkey/register", `{"success":true,"passkeyId":"pk_1"}`,
		(*c).RegisterPasskey, smartaccount.RegisterPasskeyRequest{CredentialID: "c", PublicKey: []byte{1}, Attestation: walletfi.Document("{}")})
	r.add("POST /api/v1/auth/passkey/authenticate", tokens,
		(*c).AuthenticatePasskey, smartaccount.AuthenticatePasskeyRequest{CredentialID: "c", Assertion: walletfi.Document("{}")})
	r.add("POST /api/v1/auth/refresh", `{"accessToken":"at-7","expiresIn":60}`,
		(*c).RefreshToken, walletfi.Token{Refresh: walletfi.NewSecret("rt-123456")})
	r.add("POST /api/v1/accounts", wholeAccount,
		(*c).CreateAccount, smartaccount.CreateAccountRequest{Name: "n", Type: smartaccount.AccountPersonal})
	r.add("GET /api/v1/accounts/{accountId}", `{"id":"acc_1","address":"A1111111111111111111111111111111","status":"active","balance":{"SOL":"0"}}`, (*c).GetAccount, "acc_1")
	r.add("GET /api/v1/accounts", `{"accounts":[],"total":0}`, (*c).ListAccounts)
	r.add("PATCH /api/v1/accounts/{accountId}", `{"success":true}`,
		(*c).UpdateAccount, "acc_1", smartaccount.UpdateAccountRequest{Name: "n"})
	r.add("POST /api/v1/accounts/{accountId}/sessions", `{"id":"sess_1","publicKey":"K1111111111111111111111111111111","expiresAt":"2027-01-01T12:30:00Z","permissions":["transfer"],"status":"active"}`,
		(*c).CreateSession, "acc_1", smartaccount.CreateSessionRequest{PublicKey: "K1111111111111111111111111111111", ExpiresAt: time.Date(2027, 1, 1, 12, 30, 0, 0, time.UTC), Permissions: []smartaccount.Permission{"transfer"}})
	r.add("GET /api/v1/accounts/{accountId}/sessions", `{"sessions":[],"total":0}`, (*c).ListSessions, "acc_1")
	r.add("DELETE /api/v1/accounts/{accountId}/sessions/{sessionId}", `{"success":true}`,
		(*c).RevokeSession, "acc_1", "sess_1")
	r.add("POST /api/v1/accounts/{accountId}/policies", `{"id":"pol_1","type":"allowlist","name":"n","status":"active"}`,
		(*c).CreatePolicy, "acc_1", smartaccount.CreatePolicyRequest{Type: smartaccount.PolicyAllowlist, Name: "n", Params: smartaccount.RawParams(`{}`)})
	r.add("GET /api/v1/accounts/{accountId}/policies", `{"policies":[],"total":0}`, (*c).ListPolicies, "acc_1")
	r.add("PATCH /api/v1/accounts/{accountId}/policies/{policyId}", `{"success":true}`,
		(*c).UpdatePolicy, "acc_1", "pol_1", smartaccount.UpdatePolicyRequest{Params: smartaccount.RawParams(`{"a":1}`)})
	r.add("DELETE /api/v1/accounts/{accountId}/policies/{policyId}", `{"success":true}`,
		(*c).DeletePolicy, "acc_1", "pol_1")
	r.add("POST /api/v1/accounts/{accountId}/transactions", `{"id":"tx_1","signature":"S111111111111111111111111111111111111111111111111111111111111111","status":"confirmed","slot":5}`,
		(*c).ExecuteTransaction, "acc_1", smartaccount.ExecuteTransactionRequest{Instructions: []smartaccount.Instruction{{ProgramID: "P1111111111111111111111111111111"}}})
	r.add("GET /api/v1/accounts/{accountId}/transactions/{transactionId}", `{"id":"tx_1","signature":"S111111111111111111111111111111111111111111111111111111111111111","status":"confirmed","slot":5,"fee":"5000","instructions":[]}`,
		(*c).GetTransaction, "acc_1", "tx_1")
	r.add("GET /api/v1/accounts/{accountId}/transactions", `{"transactions":[],"total":0,"limit":1,"offset":0}`,
		(*c).ListTransactions, "acc_1", smartaccount.TransactionsRequest{})
	r.add("POST /api/v1/accounts/{accountId}/direct-debits", `{"id":"dd_1","merchant":"m1111111111111111111111111111111","status":"active"}`,
		(*c).CreateDirectDebit, "acc_1", smartaccount.CreateDirectDebitRequest{Merchant: "m1111111111111111111111111111111", Mint: "m1111111111111111111111111111111", MaxAmount: 1, Frequency: "monthly"})
	r.add("GET /api/v1/accounts/{accountId}/direct-debits", `{"directDebits":[],"total":0}`,
		(*c).ListDirectDebits, "acc_1")
	r.add("DELETE /api/v1/accounts/{accountId}/direct-debits/{directDebitId}", `{"success":true}`,
		(*c).CancelDirectDebit, "acc_1", "dd_1")
	r.add("POST /api/v1/accounts/{accountId}/subscriptions", `{"id":"sub_1","merchant":"m1111111111111111111111111111111","amount":"1","frequency":"monthly","status":"active","nextPayment":"2027-01-01T00:00:00Z"}`,
		(*c).CreateSubscription, "acc_1", smartaccount.CreateSubscriptionRequest{Merchant: "m1111111111111111111111111111111", Mint: "m1111111111111111111111111111111", Amount: 1, Frequency: "monthly"})
	r.add("POST /api/v1/accounts/{accountId}/subscriptions/{subscriptionId}/pause", `{"success":true,"status":"paused"}`,
		(*c).PauseSubscription, "acc_1", "sub_1")
	r.add("POST /api/v1/accounts/{accountId}/subscriptions/{subscriptionId}/resume", `{"success":true,"status":"active","nextPayment":"2026-02-01T00:00:00Z"}`,
		(*c).ResumeSubscription, "acc_1", "sub_1")
	r.add("DELETE /api/v1/accounts/{accountId}/subscriptions/{subscriptionId}", `{"success":true}`,
		(*c).CancelSubscription, "acc_1", "sub_1")
	return r.rows
}

func hollowLeverage(t *testing.T) []hollow {
	r := rows{service: sandbox.Leverage}
	type c = leverage.Client
	signed := hollowBase58(t)
	opening := leverage.QuoteRequest{Offer: "O1", Owner: "W1", CollateralAmount: 5, Leverage: wiretest.Decimal(t, "2"), Slippage: walletfi.SlippageBps(0)}

	r.add("GET /api/v1/offers", `[`+wholeOffer+`]`, (*c).ListOffers, leverage.OffersRequest{})
	r.add("GET /api/v1/tokens", `{"a":1,"b":2}`, (*c).SearchTokens, leverage.SearchTokensRequest{Search: "x"})
	r.add("POST /api/v1/positions/quote", `{"a":1}`, (*c).QuoteOpen, opening)
	r.add("POST /api/v1/positions/close-quote", `{"a":1}`,
		(*c).QuoteClose, leverage.CloseQuoteRequest{Position: "P1", Owner: "W1", Slippage: walletfi.SlippageBps(0)})
	r.add("POST /api/v1/positions/open", `{"transaction":"AQD","lastValidBlockHeight":9}`,
		(*c).BuildOpen, leverage.OpenRequest{QuoteRequest: opening})
	r.add("POST /api/v1/positions/close", `{"transaction":"AQD","lastValidBlockHeight":9}`,
		(*c).BuildClose, leverage.CloseRequest{CloseQuoteRequest: leverage.CloseQuoteRequest{Position: "P1", Owner: "W1", Slippage: walletfi.SlippageBps(0)}})
	r.add("POST /api/v1/positions/split", `{"transaction":"AQD","lastValidBlockHeight":9}`,
		(*c).BuildSplit, leverage.SplitRequest{Position: "P1", Owner: "W1", SplitRatioBps: 5000})
	r.add("POST /api/v1/positions/merge", `{"transaction":"AQD","lastValidBlockHeight":9}`,
		(*c).BuildMerge, leverage.MergeRequest{First: "P1", Second: "P2", Owner: "W1"})
	r.add("POST /api/v1/positions/partial-sell", `{"splitTransaction":"AQD","closeTransaction":"AQJE","newPositionAddresses":["P2","P3"]}`,
		(*c).BuildPartialSell, leverage.PartialSellRequest{Position: "P1", Owner: "W1", SplitRatioBps: 5000, Slippage: walletfi.SlippageBps(0)})
	r.add("POST /api/v1/positions/repay", `{"transaction":"AQD","lastValidBlockHeight":9}`,
		(*c).BuildRepay, leverage.RepayRequest{Position: "P1", Owner: "W1"})
	r.add("POST /api/v1/positions/partial-repay", `{"transaction":"AQD","lastValidBlockHeight":9}`,
		(*c).BuildPartialRepay, leverage.PartialRepayRequest{Position: "P1", Owner: "W1", RepaymentBps: 5000})
	r.add("POST /api/v1/positions/increase-borrow", `{"transaction":"AQD","lastValidBlockHeight":9}`,
		(*c).BuildIncreaseBorrow, leverage.IncreaseBorrowRequest{Position: "P1", Owner: "W1", AdditionalBorrowAmount: 5, Mode: leverage.BorrowWithdraw, Slippage: walletfi.SlippageBps(0)})
	r.add("POST /api/v1/positions/increase-borrow-quote", `{"a":1}`, (*c).QuoteIncreaseBorrow, leverage.IncreaseBorrowRequest{Position: "P1"})
	r.add("POST /api/v1/positions/add-collateral", `{"transaction":"AQD","lastValidBlockHeight":9}`,
		(*c).BuildAddCollateral, leverage.AddCollateralRequest{Position: "P1", Owner: "W1", CollateralAmount: 5})
	r.add("POST /api/v1/positions/add-collateral-quote", `{"a":1}`, (*c).QuoteAddCollateral, leverage.AddCollateralRequest{Position: "P1"})
	r.add("GET /api/v1/positions", `{"positions":[`+wholeLeveraged+`]}`, (*c).ListPositions, leverage.PositionsRequest{Owner: "W1"}).found = "positions:list"
	r.add("GET /api/v1/positions/trade-history", `{"events":[]}`,
		(*c).ListTradeHistory, leverage.TradeHistoryRequest{Owner: "W1"}).found = "events:list"
	r.add("GET /api/v1/bundle/tip", `{"tipLamports":0}`, (*c).GetBundleTip)
	r.add("POST /api/v1/bundle/submit", `{"a":1}`, (*c).SendTransaction, leverage.SendRequest{Transaction: signed})
	r.add("POST /api/v1/bundle", `{"a":1}`, (*c).SendBundle, []walletfi.Base58Transaction{signed})
	return r.rows
}
