package lending_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
)

func TestDepositRefused(t *testing.T) {
	c := unreachable(t)
	good := lending.DepositRequest{Owner: "W1", Mint: "M1", DepositType: lending.DepositRegular, Amount: 10}
	for name, row := range map[string]struct {
		change func(*lending.DepositRequest)
		want   []string
	}{
		"everything missing": {
			func(r *lending.DepositRequest) { *r = lending.DepositRequest{} },
			[]string{"amount", "depositType", "mintAddress", "owner"},
		},
		"a blank owner":       {func(r *lending.DepositRequest) { r.Owner = " " }, []string{"owner"}},
		"no mint":             {func(r *lending.DepositRequest) { r.Mint = "" }, []string{"mintAddress"}},
		"the name of a field": {func(r *lending.DepositRequest) { r.DepositType = "custom" }, []string{"depositType"}},
		"amount 0":            {func(r *lending.DepositRequest) { r.Amount = 0 }, []string{"amount"}},
		"one part too large":  {func(r *lending.DepositRequest) { r.ProtectedAmount = new(walletfi.Amount(11)) }, []string{"protectedAmount"}},
		"both parts too large": {func(r *lending.DepositRequest) {
			r.ProtectedAmount, r.RegularAmount = new(walletfi.Amount(5)), new(walletfi.Amount(6))
		}, []string{"protectedAmount"}},
		"parts that overflow": {func(r *lending.DepositRequest) { r.ProtectedAmount, r.RegularAmount = new(maxAmount), new(maxAmount) }, []string{"protectedAmount"}},
		"parts that wrap to 1": {func(r *lending.DepositRequest) {
			r.ProtectedAmount, r.RegularAmount = new(maxAmount), new(walletfi.Amount(2))
		}, []string{"protectedAmount"}},
	} {
		t.Run(name, func(t *testing.T) {
			req := good
			row.change(&req)
			_, err := c.BuildDeposit(t.Context(), req)
			wiretest.Refused(t, err, row.want...)
		})
	}
}

func TestWithdrawRefused(t *testing.T) {
	c := unreachable(t)
	good := lending.WithdrawRequest{Owner: "W1", Mint: "M1", WithdrawType: lending.DepositBoosted, Amount: 10}
	for name, row := range map[string]struct {
		change func(*lending.WithdrawRequest)
		want   []string
	}{
		"everything missing": {
			func(r *lending.WithdrawRequest) { *r = lending.WithdrawRequest{} },
			[]string{"amount", "mintAddress", "owner", "withdrawType"},
		},
		"no owner":     {func(r *lending.WithdrawRequest) { r.Owner = "" }, []string{"owner"}},
		"no mint":      {func(r *lending.WithdrawRequest) { r.Mint = "" }, []string{"mintAddress"}},
		"unknown type": {func(r *lending.WithdrawRequest) { r.WithdrawType = "leveraged" }, []string{"withdrawType"}},
		"amount 0":     {func(r *lending.WithdrawRequest) { r.Amount = 0 }, []string{"amount"}},
	} {
		t.Run(name, func(t *testing.T) {
			req := good
			row.change(&req)
			_, err := c.BuildWithdraw(t.Context(), req)
			wiretest.Refused(t, err, row.want...)
		})
	}
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
			c.ListHistory(t.Context(), "W1", lending.HistoryRequest{Limit: new(-1), Offset: new(-1), Type: "liquidation"})),
		"statistics of an hour: period": wiretest.Error(
			c.GetPoolStats(t.Context(), lending.PoolStatsRequest{Period: lending.Period1h})),
		"rates of a year a week apart: interval, period": wiretest.Error(
			c.GetRates(t.Context(), lending.RatesRequest{Period: "1y", Interval: "1w"})),
		"a key in a header: header": wiretest.Error(c.ListPools(t.Context(), walletfi.WithHeader("X-Api-Key", "other"))),
	})
}

func TestConfigRefused(t *testing.T) {
	good := lending.Config{BaseURL: "https://lending.test", APIKey: walletfi.NewSecret("k-123456")}
	for name, row := range map[string]struct {
		change func(*lending.Config)
		want   []string
	}{
		"no base URL":         {func(c *lending.Config) { c.BaseURL = "" }, []string{"baseURL"}},
		"plain http":          {func(c *lending.Config) { c.BaseURL = "http://lending.test" }, []string{"baseURL"}},
		"no key":              {func(c *lending.Config) { c.APIKey = walletfi.Secret{} }, []string{"apiKey"}},
		"key with line break": {func(c *lending.Config) { c.APIKey = walletfi.NewSecret("k-1\r\nx: y") }, []string{"apiKey"}},
		"unknown tier":        {func(c *lending.Config) { c.Tier = "gold" }, []string{"tier"}},
		"two at once":         {func(c *lending.Config) { c.APIKey, c.Tier = walletfi.Secret{}, "gold" }, []string{"apiKey", "tier"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			row.change(&cfg)
			c, err := lending.New(cfg)
			require.Nil(t, c)
			wiretest.Refused(t, err, row.want...)
			require.NotContains(t, err.Error(), "k-1")
		})
	}
	_, err := lending.New(good)
	require.NoError(t, err)
}
