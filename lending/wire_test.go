package lending_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
)

const maxAmount = walletfi.Amount(1<<64 - 1)

func unix(seconds int64) walletfi.Time { return walletfi.Time{Time: time.Unix(seconds, 0).UTC()} }

func TestWire(t *testing.T) {
	key := map[string]string{"x-api-key": "k-123456", "Authorization": ""}
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*lending.Client).BuildDeposit, lending.DepositRequest{
			Owner: "W1111111111111111111111111111111", Mint: "M1111111111111111111111111111111", DepositType: lending.DepositRegular, Amount: maxAmount,
			ProtectedAmount: new(walletfi.Amount(0)), RegularAmount: new(maxAmount), ComputeUnitPriceMicroLamports: new(uint64(0)),
		}),
		Method: "POST", Target: "/v1/generate.transactions.deposit?priorityFee=0", Header: key,
		Body: `{"owner":"W1111111111111111111111111111111","mintAddress":"M1111111111111111111111111111111","depositType":"regular","amount":18446744073709551615,
			"protectedAmount":0,"regularAmount":18446744073709551615}`,
		File: "BuildDeposit.json",
		Then: func(t *testing.T, result any) {
			wiretest.Built(t, walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{walletfi.Base64Transaction("AQID")},
				Intent: walletfi.Intent{
					Service: "lending", Owner: "W1111111111111111111111111111111", Spend: []walletfi.Asset{{Mint: "M1111111111111111111111111111111", Amount: maxAmount}},
					MaxNetworkFeeLamports: new(walletfi.Amount(20_000)),
				},
				LastValidBlockHeight: 1<<64 - 1, Blockhash: "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM",
			}, result.(*lending.DepositTransaction).Unsigned())
		},
	}, {
		Name: "BuildDeposit, least",
		Call: wiretest.By(client, (*lending.Client).BuildDeposit, lending.DepositRequest{
			Owner: "W1111111111111111111111111111111", Mint: "M1111111111111111111111111111111", DepositType: lending.DepositBoosted, Amount: 1,
		}),
		Method: "POST", Target: "/v1/generate.transactions.deposit", Header: key,
		Body: `{"owner":"W1111111111111111111111111111111","mintAddress":"M1111111111111111111111111111111","depositType":"boosted","amount":1}`,
		File: "BuildDeposit.json",
		Then: func(t *testing.T, result any) {
			// 50,000 microlamports for 1,400,000 units, and four signatures.
			require.Equal(t, new(walletfi.Amount(90_000)), result.(*lending.DepositTransaction).Unsigned().Intent.MaxNetworkFeeLamports)
		},
	}, {
		Call: wiretest.By(client, (*lending.Client).BuildWithdraw, lending.WithdrawRequest{
			Owner: "W1111111111111111111111111111111", Mint: "M1111111111111111111111111111111", WithdrawType: lending.DepositProtected, Amount: 3, ComputeUnitPriceMicroLamports: new(uint64(7)),
		}),
		Method: "POST", Target: "/v1/generate.transactions.withdraw?priorityFee=7", Header: key,
		Body: `{"owner":"W1111111111111111111111111111111","mintAddress":"M1111111111111111111111111111111","withdrawType":"protected","amount":3}`,
		File: "BuildWithdraw.json",
		Then: func(t *testing.T, result any) {
			u := result.(*lending.WithdrawTransaction).Unsigned()
			require.Equal(t, uint64(312), u.LastValidBlockHeight)
			require.Empty(t, u.Blockhash)
			require.Empty(t, u.Intent.Spend)
			require.Equal(t, []walletfi.Asset{{Mint: "M1111111111111111111111111111111", Amount: 3}}, u.Intent.Receive)
			require.Equal(t, new(walletfi.Amount(20_010)), u.Intent.MaxNetworkFeeLamports)
		},
	}, {
		Call: wiretest.By(client, (*lending.Client).BuildInitializeReferrer,
			lending.InitializeReferrerRequest{Owner: "R1", ReferralCode: "abc"}),
		Method: "POST", Target: "/v1/referrer/initialize", Header: key,
		Body: `{"referrer":"R1","referralCode":"abc"}`,
		File: "BuildInitializeReferrer.json",
		Then: func(t *testing.T, result any) {
			r := result.(*lending.ReferrerInitialization)
			require.JSONEq(t, wiretest.File(t, "BuildInitializeReferrer.json"), r.Raw.String())
			_, ok := r.Unsigned()
			require.False(t, ok)
		},
	}, {
		Name:   "BuildInitializeReferrer, with a transaction",
		Call:   wiretest.By(client, (*lending.Client).BuildInitializeReferrer, lending.InitializeReferrerRequest{Owner: "R1"}),
		Method: "POST", Target: "/v1/referrer/initialize", Header: key, Body: `{"referrer":"R1"}`,
		Reply: `{"transaction":"AQID","lastValidBlockHeight":9}`,
		Then: func(t *testing.T, result any) {
			u, ok := result.(*lending.ReferrerInitialization).Unsigned()
			require.True(t, ok)
			require.Equal(t, "R1", u.Intent.Owner)
			require.Equal(t, uint64(9), u.LastValidBlockHeight)
		},
	}, {
		Call:   wiretest.By(client, (*lending.Client).BuildReferrerClaim, lending.ReferrerClaimRequest{Owner: "R1"}),
		Method: "POST", Target: "/v1/referrer/claim", Header: key, Body: `{"referrer":"R1"}`,
		File: "BuildReferrerClaim.json",
		Then: func(t *testing.T, result any) {
			u := result.(*lending.ReferrerClaim).Unsigned()
			wiretest.Intent(t, walletfi.Intent{Service: "lending", Owner: "R1"}, u.Intent)
			require.Equal(t, walletfi.Base64Transaction("AQID"), u.Transactions[0])
		},
	}, {
		Call:   wiretest.By(client, (*lending.Client).GetReferrer, "R1/x y"),
		Method: "GET", Target: "/v1/referrer/R1%2Fx%20y", Header: key, Reply: strings.Replace(wiretest.File(t, "GetReferrer.json"), "R1", "R1/x y", 1),
		Want: &lending.Referrer{Owner: "R1/x y", ReferralCode: "abc", TotalReferred: maxAmount, TotalEarnings: 12, ReferralCount: 3},
	}, {
		Call:   wiretest.By(client, (*lending.Client).GetAccount, "W1111111111111111111111111111111"),
		Method: "GET", Target: "/v1/account/W1111111111111111111111111111111", Header: key, File: "GetAccount.json",
		Want: &lending.Account{
			TotalDeposited: maxAmount, CurrentAPY: wiretest.Decimal(t, "8.50"),
			Positions: []lending.Position{
				{Mint: "M1111111111111111111111111111111", Symbol: "USDC", DepositType: lending.DepositProtected, Balance: 1_000_000, InterestEarned: 12, APY: wiretest.Decimal(t, "8.5"), Protocol: "alpha"},
				{Mint: "M2111111111111111111111111111111", DepositType: "leveraged", Balance: 5, APY: wiretest.Decimal(t, "0.1")},
			},
			Rewards: []lending.Reward{{Mint: "M1111111111111111111111111111111", Symbol: "USDC", Amount: 7, Claimable: true}},
		},
	}, {
		Call:   wiretest.By(client, (*lending.Client).ListHistory, "W1111111111111111111111111111111", lending.HistoryRequest{Limit: new(3), Offset: new(6)}),
		Method: "GET", Target: "/v1/account/W1111111111111111111111111111111/history?limit=3&offset=6", Header: key, File: "ListHistory.json",
		Want: &lending.HistoryPage{Total: 3, Items: []lending.Event{
			{Type: lending.EventDeposit, Timestamp: unix(1700000000), Mint: "M1111111111111111111111111111111", Amount: 5, DepositType: lending.DepositBoosted, Signature: "S111111111111111111111111111111111111111111111111111111111111111",
				Raw: walletfi.Document(`{"type": "deposit", "timestamp": 1700000000, "mint": "M1111111111111111111111111111111", "amount": 5, "depositType": "boosted", "signature": "S111111111111111111111111111111111111111111111111111111111111111"}`)},
			{Type: lending.EventRebalance, Timestamp: unix(1700000001), FromProtocol: "alpha", ToProtocol: "beta", Amount: maxAmount, Reason: "yield",
				Raw: walletfi.Document(`{"type": "rebalance", "timestamp": 1700000001, "fromProtocol": "alpha", "toProtocol": "beta", "amount": 18446744073709551615, "reason": "yield"}`)},
			{Type: lending.EventWithdraw, Timestamp: unix(1700000002),
				Raw: walletfi.Document(`{"type": "withdraw", "timestamp": 1700000002, "fee": {"lamports": 1}}`)},
		}},
	}, {
		Name:   "ListHistory, one type",
		Call:   wiretest.By(client, (*lending.Client).ListHistory, "W1111111111111111111111111111111", lending.HistoryRequest{Type: lending.EventRebalance}),
		Method: "GET", Target: "/v1/account/W1111111111111111111111111111111/history?type=rebalance", Header: key, Reply: `{"events":[{"type":"rebalance","timestamp":1700000000,"amount":0},{"type":"harvest","timestamp":1700000000}],"total":2}`,
		Want: &lending.HistoryPage{Total: 2, Items: []lending.Event{
			{Type: lending.EventRebalance, Timestamp: unix(1700000000), Raw: walletfi.Document(`{"type":"rebalance","timestamp":1700000000,"amount":0}`)},
			{Type: "harvest", Timestamp: unix(1700000000), Raw: walletfi.Document(`{"type":"harvest","timestamp":1700000000}`)},
		}},
	}, {
		Call:   wiretest.By(client, (*lending.Client).ListPendingWithdrawals, "W1111111111111111111111111111111"),
		Method: "GET", Target: "/v1/account/W1111111111111111111111111111111/pending-withdrawals", Header: key, File: "ListPendingWithdrawals.json",
		Want: &lending.PendingWithdrawalPage{Items: []lending.PendingWithdrawal{{
			Mint: "M1111111111111111111111111111111", Amount: 9, WithdrawType: lending.DepositBoosted,
			InitiatedAt: unix(1700000000), AvailableAt: unix(1700172800), CooldownRemaining: 172800,
		}}},
		Then: func(t *testing.T, result any) {
			p := result.(*lending.PendingWithdrawalPage).Items[0]
			require.Equal(t, lending.BoostedCooldown, p.Remaining(p.InitiatedAt.Time))
			require.Zero(t, p.Remaining(p.AvailableAt.Add(time.Second)))
		},
	}, {
		Call:   wiretest.By(client, (*lending.Client).ListPools),
		Method: "GET", Target: "/v1/pools", Header: key, File: "ListPools.json",
		Want: &lending.PoolPage{Items: []lending.Pool{{
			Mint: "M1111111111111111111111111111111", Symbol: "USDC", Decimals: 6,
			ProtectedAPY: wiretest.Decimal(t, "4.25"), BoostedAPY: wiretest.Decimal(t, "9"), CustomAPY: wiretest.Decimal(t, "6.1"),
			TotalDeposited: maxAmount, ProtectedDeposits: 1, BoostedDeposits: 2, CoverageRatio: wiretest.Decimal(t, "0.85"),
			Protocols: []lending.PoolProtocol{
				{Name: "alpha", APY: wiretest.Decimal(t, "5.5"), Allocation: wiretest.Decimal(t, "0.6")},
				{Name: "beta", APY: wiretest.Decimal(t, "0"), Allocation: wiretest.Decimal(t, "0.4")},
			},
		}}},
	}, {
		Call: wiretest.By(client, (*lending.Client).GetPoolStats,
			lending.PoolStatsRequest{Mint: "M1111111111111111111111111111111", Period: lending.Period30d}),
		Method: "GET", Target: "/v1/pools/stats?mint=M1111111111111111111111111111111&period=30d", Header: key,
		Reply: `[{"day": "2026-01-01", "filled": 12345678901234567890}]`,
		Want:  walletfi.Document(`[{"day": "2026-01-01", "filled": 12345678901234567890}]`),
	}, {
		Call: wiretest.By(client, (*lending.Client).GetRates,
			lending.RatesRequest{Mint: "M1111111111111111111111111111111", Period: lending.Period1h, Interval: lending.Interval1m}),
		Method: "GET", Target: "/v1/rates?interval=1m&mint=M1111111111111111111111111111111&period=1h", Header: key, File: "GetRates.json",
		Want: &lending.Rates{Mint: "M1111111111111111111111111111111", Rates: []lending.RatePoint{{
			Timestamp: unix(1700000000), ProtectedAPY: wiretest.Decimal(t, "4.2"), BoostedAPY: wiretest.Decimal(t, "9.000000000000000001"),
			BestProtocol: "alpha", BestProtocolAPY: wiretest.Decimal(t, "5"),
		}}},
	}})
}
