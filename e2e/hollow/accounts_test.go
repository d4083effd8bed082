package hollow

import (
	"context"
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
	r := rowsOf[lending.Client]{service: sandbox.Lending, client: func(o walletfi.Options) (*lending.Client, error) {
		return lending.New(lending.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	}}
	type c = lending.Client

	r.add("POST /v1/generate.transactions.deposit", `{"transaction":"AQID","lastValidBlockHeight":9,"blockhash":"B"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildDeposit(ctx, lending.DepositRequest{Owner: "W1", Mint: "M1", DepositType: lending.DepositRegular, Amount: 5}, o...)
		return err
	})
	r.add("POST /v1/generate.transactions.withdraw", `{"transaction":"AQID","lastValidBlockHeight":9}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildWithdraw(ctx, lending.WithdrawRequest{Owner: "W1", Mint: "M1", WithdrawType: lending.DepositRegular, Amount: 5}, o...)
		return err
	})
	r.add("POST /v1/referrer/initialize", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildInitializeReferrer(ctx, lending.InitializeReferrerRequest{Owner: "R1"}, o...)
		return err
	})
	r.add("GET /v1/account/{walletAddress}", `{"totalDeposited":0,"totalInterestEarned":0,"currentApy":0,"positions":[],"rewards":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetAccount(ctx, "W1", o...)
		return err
	})
	r.add("GET /v1/account/{walletAddress}/history", `{"events":[],"total":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListHistory(ctx, "W1", lending.HistoryRequest{}, o...)
		return err
	})
	r.add("GET /v1/account/{walletAddress}/pending-withdrawals", `{"pendingWithdrawals":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListPendingWithdrawals(ctx, "W1", o...)
		return err
	})
	r.add("GET /v1/pools", `{"pools":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListPools(ctx, o...)
		return err
	})
	r.add("GET /v1/pools/stats", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetPoolStats(ctx, lending.PoolStatsRequest{}, o...)
		return err
	})
	r.add("GET /v1/rates", `{"mint":"M1","rates":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetRates(ctx, lending.RatesRequest{Mint: "M1"}, o...)
		return err
	})
	r.add("GET /v1/referrer/{referrerAddress}", `{"referrer":"R1","totalEarnings":0,"pendingRewards":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetReferrer(ctx, "R1", o...)
		return err
	})
	r.add("POST /v1/referrer/claim", `{"transaction":"AQID","claimAmount":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildReferrerClaim(ctx, lending.ReferrerClaimRequest{Owner: "R1"}, o...)
		return err
	})
	return r.rows
}

func hollowSmartAccount(_ *testing.T) []hollow {
	r := rowsOf[smartaccount.Client]{service: sandbox.SmartAccount, client: func(o walletfi.Options) (*smartaccount.Client, error) {
		return smartaccount.New(smartaccount.Config{BaseURL: somewhere + "/api/v1", Token: walletfi.Token{Access: walletfi.NewSecret("at-123456"), Refresh: walletfi.NewSecret("rt-123456")}, Options: o})
	}}
	type c = smartaccount.Client
	const tokens = `{"accessToken":"at-7","refreshToken":"rt-7","expiresIn":60}`

	r.add("POST /api/v1/auth/email/otp", `{"success":true,"message":"sent"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.SendEmailCode(ctx, "a@example.com", o...)
		return err
	})
	r.add("POST /api/v1/auth/email/verify", tokens, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.VerifyEmailCode(ctx, smartaccount.VerifyEmailCodeRequest{Email: "a@example.com", Code: walletfi.NewSecret("012345")}, o...)
		return err
	})
	r.add("POST /api/v1/auth/passkey/register", `{"success":true,"passkeyId":"pk_1"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.RegisterPasskey(ctx, smartaccount.RegisterPasskeyRequest{CredentialID: "c", PublicKey: []byte{1}, Attestation: walletfi.Document("{}")}, o...)
		return err
	})
	r.add("POST /api/v1/auth/passkey/authenticate", tokens, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.AuthenticatePasskey(ctx, smartaccount.AuthenticatePasskeyRequest{CredentialID: "c", Assertion: walletfi.Document("{}")}, o...)
		return err
	})
	r.add("POST /api/v1/auth/refresh", `{"accessToken":"at-7","expiresIn":60}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.RefreshToken(ctx, walletfi.Token{Refresh: walletfi.NewSecret("rt-123456")}, o...)
		return err
	})
	r.add("POST /api/v1/accounts", `{"id":"acc_1","name":"n","type":"personal","status":"active"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.CreateAccount(ctx, smartaccount.CreateAccountRequest{Name: "n", Type: smartaccount.AccountPersonal}, o...)
		return err
	})
	r.add("GET /api/v1/accounts/{accountId}", `{"id":"acc_1","balance":{"SOL":"0"}}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetAccount(ctx, "acc_1", o...)
		return err
	})
	r.add("GET /api/v1/accounts", `{"accounts":[],"total":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListAccounts(ctx, o...)
		return err
	})
	r.add("PATCH /api/v1/accounts/{accountId}", `{"success":true}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		return c.UpdateAccount(ctx, "acc_1", smartaccount.UpdateAccountRequest{Name: "n"}, o...)
	})
	r.add("POST /api/v1/accounts/{accountId}/sessions", `{"id":"sess_1","publicKey":"K","status":"active"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.CreateSession(ctx, "acc_1", smartaccount.CreateSessionRequest{PublicKey: "K", ExpiresAt: time.Now().Add(time.Hour), Permissions: []smartaccount.Permission{"transfer"}}, o...)
		return err
	})
	r.add("GET /api/v1/accounts/{accountId}/sessions", `{"sessions":[],"total":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListSessions(ctx, "acc_1", o...)
		return err
	})
	r.add("DELETE /api/v1/accounts/{accountId}/sessions/{sessionId}", `{"success":true}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		return c.RevokeSession(ctx, "acc_1", "sess_1", o...)
	})
	r.add("POST /api/v1/accounts/{accountId}/policies", `{"id":"pol_1","type":"allowlist","name":"n","status":"active"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.CreatePolicy(ctx, "acc_1", smartaccount.CreatePolicyRequest{Type: smartaccount.PolicyAllowlist, Name: "n", Params: smartaccount.RawParams(`{}`)}, o...)
		return err
	})
	r.add("GET /api/v1/accounts/{accountId}/policies", `{"policies":[],"total":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListPolicies(ctx, "acc_1", o...)
		return err
	})
	r.add("PATCH /api/v1/accounts/{accountId}/policies/{policyId}", `{"success":true}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		return c.UpdatePolicy(ctx, "acc_1", "pol_1", smartaccount.UpdatePolicyRequest{Params: smartaccount.RawParams(`{"a":1}`)}, o...)
	})
	r.add("DELETE /api/v1/accounts/{accountId}/policies/{policyId}", `{"success":true}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		return c.DeletePolicy(ctx, "acc_1", "pol_1", o...)
	})
	r.add("POST /api/v1/accounts/{accountId}/transactions", `{"id":"tx_1","signature":"S","status":"confirmed","slot":5}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ExecuteTransaction(ctx, "acc_1", smartaccount.ExecuteTransactionRequest{Instructions: []smartaccount.Instruction{{ProgramID: "P"}}}, o...)
		return err
	})
	r.add("GET /api/v1/accounts/{accountId}/transactions/{transactionId}", `{"id":"tx_1","signature":"S","status":"confirmed","slot":5}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetTransaction(ctx, "acc_1", "tx_1", o...)
		return err
	})
	r.add("GET /api/v1/accounts/{accountId}/transactions", `{"transactions":[],"total":0,"limit":1,"offset":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListTransactions(ctx, "acc_1", smartaccount.TransactionsRequest{}, o...)
		return err
	})
	r.add("POST /api/v1/accounts/{accountId}/direct-debits", `{"id":"dd_1","merchant":"m","status":"active"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.CreateDirectDebit(ctx, "acc_1", smartaccount.CreateDirectDebitRequest{Merchant: "m", Mint: "m", MaxAmount: 1, Frequency: "monthly"}, o...)
		return err
	})
	r.add("GET /api/v1/accounts/{accountId}/direct-debits", `{"directDebits":[],"total":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListDirectDebits(ctx, "acc_1", o...)
		return err
	})
	r.add("DELETE /api/v1/accounts/{accountId}/direct-debits/{directDebitId}", `{"success":true}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		return c.CancelDirectDebit(ctx, "acc_1", "dd_1", o...)
	})
	r.add("POST /api/v1/accounts/{accountId}/subscriptions", `{"id":"sub_1","merchant":"m","status":"active"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.CreateSubscription(ctx, "acc_1", smartaccount.CreateSubscriptionRequest{Merchant: "m", Mint: "m", Amount: 1, Frequency: "monthly"}, o...)
		return err
	})
	r.add("POST /api/v1/accounts/{accountId}/subscriptions/{subscriptionId}/pause", `{"success":true,"status":"paused"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.PauseSubscription(ctx, "acc_1", "sub_1", o...)
		return err
	})
	r.add("POST /api/v1/accounts/{accountId}/subscriptions/{subscriptionId}/resume", `{"success":true,"status":"active","nextPayment":"2026-02-01T00:00:00Z"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ResumeSubscription(ctx, "acc_1", "sub_1", o...)
		return err
	})
	r.add("DELETE /api/v1/accounts/{accountId}/subscriptions/{subscriptionId}", `{"success":true}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		return c.CancelSubscription(ctx, "acc_1", "sub_1", o...)
	})
	return r.rows
}

func hollowLeverage(t *testing.T) []hollow {
	r := rowsOf[leverage.Client]{service: sandbox.Leverage, client: func(o walletfi.Options) (*leverage.Client, error) {
		return leverage.New(leverage.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	}}
	type c = leverage.Client
	signed := hollowBase58(t)
	opening := leverage.QuoteRequest{Offer: "O1", Owner: "W1", CollateralAmount: 5, Leverage: wiretest.Decimal(t, "2"), Slippage: walletfi.SlippageBps(0)}

	r.add("GET /api/v1/offers", `[{"address":"O1","totalLiquidity":"0"}]`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListOffers(ctx, leverage.OffersRequest{}, o...)
		return err
	})
	r.add("GET /api/v1/tokens", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.SearchTokens(ctx, leverage.SearchTokensRequest{Search: "x"}, o...)
		return err
	})
	r.add("POST /api/v1/positions/quote", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.QuoteOpen(ctx, opening, o...)
		return err
	})
	r.add("POST /api/v1/positions/close-quote", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.QuoteClose(ctx, leverage.CloseQuoteRequest{Position: "P1", Owner: "W1", Slippage: walletfi.SlippageBps(0)}, o...)
		return err
	})
	r.add("POST /api/v1/positions/open", `{"transaction":"AQID","lastValidBlockHeight":9}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildOpen(ctx, leverage.OpenRequest{QuoteRequest: opening}, o...)
		return err
	})
	r.add("POST /api/v1/positions/close", `{"transaction":"AQID","lastValidBlockHeight":9}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildClose(ctx, leverage.CloseRequest{CloseQuoteRequest: leverage.CloseQuoteRequest{Position: "P1", Owner: "W1", Slippage: walletfi.SlippageBps(0)}}, o...)
		return err
	})
	r.add("POST /api/v1/positions/split", `{"transaction":"AQID","lastValidBlockHeight":9}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildSplit(ctx, leverage.SplitRequest{Position: "P1", Owner: "W1", SplitRatioBps: 5000}, o...)
		return err
	})
	r.add("POST /api/v1/positions/merge", `{"transaction":"AQID","lastValidBlockHeight":9}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildMerge(ctx, leverage.MergeRequest{First: "P1", Second: "P2", Owner: "W1"}, o...)
		return err
	})
	r.add("POST /api/v1/positions/partial-sell", `{"splitTransaction":"AQID","closeTransaction":"AQIE","newPositionAddresses":["P2","P3"]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildPartialSell(ctx, leverage.PartialSellRequest{Position: "P1", Owner: "W1", SplitRatioBps: 5000, Slippage: walletfi.SlippageBps(0)}, o...)
		return err
	})
	r.add("POST /api/v1/positions/repay", `{"transaction":"AQID","lastValidBlockHeight":9}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildRepay(ctx, leverage.RepayRequest{Position: "P1", Owner: "W1"}, o...)
		return err
	})
	r.add("POST /api/v1/positions/partial-repay", `{"transaction":"AQID","lastValidBlockHeight":9}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildPartialRepay(ctx, leverage.PartialRepayRequest{Position: "P1", Owner: "W1", RepaymentBps: 5000}, o...)
		return err
	})
	r.add("POST /api/v1/positions/increase-borrow", `{"transaction":"AQID","lastValidBlockHeight":9}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildIncreaseBorrow(ctx, leverage.IncreaseBorrowRequest{Position: "P1", Owner: "W1", AdditionalBorrowAmount: 5, Mode: leverage.BorrowWithdraw, Slippage: walletfi.SlippageBps(0)}, o...)
		return err
	})
	r.add("POST /api/v1/positions/increase-borrow-quote", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.QuoteIncreaseBorrow(ctx, map[string]string{}, o...)
		return err
	})
	r.add("POST /api/v1/positions/add-collateral", `{"transaction":"AQID","lastValidBlockHeight":9}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildAddCollateral(ctx, leverage.AddCollateralRequest{Position: "P1", Owner: "W1", CollateralAmount: 5}, o...)
		return err
	})
	r.add("POST /api/v1/positions/add-collateral-quote", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.QuoteAddCollateral(ctx, map[string]string{}, o...)
		return err
	})
	r.add("GET /api/v1/positions", `{"positions":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListPositions(ctx, leverage.PositionsRequest{Owner: "W1"}, o...)
		return err
	}).found = "positions:list"
	r.add("GET /api/v1/positions/trade-history", `{"events":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListTradeHistory(ctx, leverage.TradeHistoryRequest{Owner: "W1"}, o...)
		return err
	}).found = "events:list"
	r.add("GET /api/v1/bundle/tip", `{"tipLamports":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetBundleTip(ctx, o...)
		return err
	})
	r.add("POST /api/v1/bundle/submit", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.SendTransaction(ctx, leverage.SendRequest{Transaction: signed}, o...)
		return err
	})
	r.add("POST /api/v1/bundle", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.SendBundle(ctx, []walletfi.Base58Transaction{signed}, o...)
		return err
	})
	return r.rows
}
