package lending_test

import (
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
)

func TestDepositRefused(t *testing.T) {
	c := unreachable(t)
	good := lending.DepositRequest{Owner: "W1111111111111111111111111111111", Mint: "M1111111111111111111111111111111", DepositType: lending.DepositRegular, Amount: 10}
	wiretest.ChangesRefused(t, func() lending.DepositRequest { return good }, map[string]func(*lending.DepositRequest){
		"everything missing: amount, depositType, mintAddress, owner": func(r *lending.DepositRequest) {
			*r = lending.DepositRequest{}
		},
		"a blank owner: owner":             func(r *lending.DepositRequest) { r.Owner = " " },
		"no mint: mintAddress":             func(r *lending.DepositRequest) { r.Mint = "" },
		"the name of a field: depositType": func(r *lending.DepositRequest) { r.DepositType = "custom" },
		"amount 0: amount":                 func(r *lending.DepositRequest) { r.Amount = 0 },
		"one part too large: protectedAmount": func(r *lending.DepositRequest) {
			r.ProtectedAmount = new(walletfi.Amount(11))
		},
		"both parts too large: protectedAmount": func(r *lending.DepositRequest) {
			r.ProtectedAmount, r.RegularAmount = new(walletfi.Amount(5)), new(walletfi.Amount(6))
		},
		"parts that overflow: protectedAmount": func(r *lending.DepositRequest) {
			r.ProtectedAmount, r.RegularAmount = new(maxAmount), new(maxAmount)
		},
		"parts that wrap to 1: protectedAmount": func(r *lending.DepositRequest) {
			r.ProtectedAmount, r.RegularAmount = new(maxAmount), new(walletfi.Amount(2))
		},
	},
		func(req lending.DepositRequest) error { return wiretest.Error(c.BuildDeposit(t.Context(), req)) })
}

func TestWithdrawRefused(t *testing.T) {
	c := unreachable(t)
	good := lending.WithdrawRequest{Owner: "W1111111111111111111111111111111", Mint: "M1111111111111111111111111111111", WithdrawType: lending.DepositBoosted, Amount: 10}
	wiretest.ChangesRefused(t, func() lending.WithdrawRequest { return good }, map[string]func(*lending.WithdrawRequest){
		"everything missing: amount, mintAddress, owner, withdrawType": func(r *lending.WithdrawRequest) {
			*r = lending.WithdrawRequest{}
		},
		"no owner: owner":            func(r *lending.WithdrawRequest) { r.Owner = "" },
		"no mint: mintAddress":       func(r *lending.WithdrawRequest) { r.Mint = "" },
		"unknown type: withdrawType": func(r *lending.WithdrawRequest) { r.WithdrawType = "leveraged" },
		"amount 0: amount":           func(r *lending.WithdrawRequest) { r.Amount = 0 },
	},
		func(req lending.WithdrawRequest) error { return wiretest.Error(c.BuildWithdraw(t.Context(), req)) })
}

func TestRequestsRefused(t *testing.T) {
	c := unreachable(t)
	wiretest.AllRefused(t, map[string]error{
		"initialise nobody: referrer": wiretest.Error(
			c.BuildInitializeReferrer(t.Context(), lending.InitializeReferrerRequest{ReferralCode: "abc"})),
		"claim for nobody: referrer": wiretest.Error(
			c.BuildReferrerClaim(t.Context(), lending.ReferrerClaimRequest{Owner: ""})),
		"referrer of no name: referrerAddress":   wiretest.Error(c.GetReferrer(t.Context(), "")),
		"referrer out of place: referrerAddress": wiretest.Error(c.GetReferrer(t.Context(), "..")),
		"account of nobody: walletAddress":       wiretest.Error(c.GetAccount(t.Context(), "")),
		"account out of place: walletAddress":    wiretest.Error(c.GetAccount(t.Context(), ".")),
		"pending of nobody: walletAddress":       wiretest.Error(c.ListPendingWithdrawals(t.Context(), "")),
		"history of nobody: walletAddress":       wiretest.Error(c.ListHistory(t.Context(), "", lending.HistoryRequest{})),
		"history before the start: limit, offset, type": wiretest.Error(
			c.ListHistory(t.Context(), "W1111111111111111111111111111111", lending.HistoryRequest{Limit: new(-1), Offset: new(-1), Type: "liquidation"})),
		"statistics of an hour: period": wiretest.Error(
			c.GetPoolStats(t.Context(), lending.PoolStatsRequest{Period: lending.Period1h})),
		"rates of a year a week apart: interval, period": wiretest.Error(
			c.GetRates(t.Context(), lending.RatesRequest{Period: "1y", Interval: "1w"})),
		"a key in a header: header": wiretest.Error(c.ListPools(t.Context(), walletfi.WithHeader("X-Api-Key", "other"))),
	})
}

func TestConfigRefused(t *testing.T) {
	good := lending.Config{BaseURL: "https://lending.test", APIKey: walletfi.NewSecret("k-123456")}
	wiretest.ConfigsRefused(t, lending.New, good, map[string]func(*lending.Config){
		"no base URL: baseURL":        func(c *lending.Config) { c.BaseURL = "" },
		"plain http: baseURL":         func(c *lending.Config) { c.BaseURL = "http://lending.test" },
		"no key: apiKey":              func(c *lending.Config) { c.APIKey = walletfi.Secret{} },
		"key with line break: apiKey": func(c *lending.Config) { c.APIKey = walletfi.NewSecret("k-1\r\nx: y") },
		"unknown tier: tier":          func(c *lending.Config) { c.Tier = "gold" },
		"two at once: apiKey, tier":   func(c *lending.Config) { c.APIKey, c.Tier = walletfi.Secret{}, "gold" },
	})
}
