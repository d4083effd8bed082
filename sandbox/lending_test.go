package sandbox

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	lendingDepositPath  = "/v1/generate.transactions.deposit"
	lendingWithdrawPath = "/v1/generate.transactions.withdraw"
)

// lendingDepositBody asks for a deposit of the wallet's.
func (s *started) lendingDepositBody(symbol, depositType string, amount uint64) map[string]any {
	return map[string]any{"owner": s.WalletAddress(), "mintAddress": s.Mint(symbol), "depositType": depositType, "amount": amount}
}

// lend deposits and fails the test where that does not land.
func (s *started) lend(t *testing.T, symbol, depositType string, amount uint64) {
	t.Helper()
	a := s.do(t, Lending, "POST", lendingDepositPath, s.lendingDepositBody(symbol, depositType, amount))
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Nil(t, s.signAndSubmit(t, a.text("transaction")).Err)
}

func (s *started) lendingWithdraw(t *testing.T, symbol, withdrawType string, amount uint64) answer {
	t.Helper()
	return s.do(t, Lending, "POST", lendingWithdrawPath, map[string]any{
		"owner": s.WalletAddress(), "mintAddress": s.Mint(symbol), "withdrawType": withdrawType, "amount": amount,
	})
}

func TestLendingDepositMovesTokensOnlyWhenExecuted(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	owner, usdc := s.WalletAddress(), s.Mint("USDC")
	before := s.Ledger().TokenBalance(owner, usdc)

	a := s.do(t, Lending, "POST", lendingDepositPath+"?priorityFee=1000", s.lendingDepositBody("USDC", "protected", 1_500_000))
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	assert.NotEmpty(t, a.text("blockhash"))
	assert.Equal(t, fmt.Sprint(s.Ledger().BlockHeight()+150), a.text("lastValidBlockHeight"))
	assert.Equal(t, before, s.Ledger().TokenBalance(owner, usdc), "building moves nothing")
	assert.Equal(t, 404, s.do(t, Lending, "GET", "/v1/account/"+owner, nil).Status)

	r := s.signAndSubmit(t, a.text("transaction"))
	require.Nil(t, r.Err)
	assert.EqualValues(t, 5000+200, r.Fee, "1,000 micro-lamports for each of 200,000 units")
	assert.Equal(t, before-1_500_000, s.Ledger().TokenBalance(owner, usdc))

	account := s.do(t, Lending, "GET", "/v1/account/"+owner, nil)
	require.Equal(t, 200, account.Status)
	assert.Equal(t, "1500000", account.text("totalDeposited"))
	assert.Equal(t, "0", account.text("totalInterestEarned"))
	assert.Equal(t, "6.25", account.text("currentApy"))
	assert.Equal(t, "protected", account.text("positions", 0, "depositType"))
	assert.Equal(t, usdc, account.text("positions", 0, "mint"))
	assert.Equal(t, "harbor", account.text("positions", 0, "protocol"))
	assert.Equal(t, true, account.at("rewards", 0, "claimable"))

	again, err := s.submit(sign(t, a.text("transaction"), s.Wallet()))
	require.EqualError(t, err, "This transaction has already been processed")
	assert.Equal(t, r, again, "a transaction lands once")
	assert.Equal(t, "1500000", s.do(t, Lending, "GET", "/v1/account/"+owner, nil).text("totalDeposited"))
}

func TestLendingSplitDeposit(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	body := s.lendingDepositBody("USDC", "regular", 1000)
	body["protectedAmount"], body["regularAmount"] = 400, 700
	bad := s.do(t, Lending, "POST", lendingDepositPath, body)
	assert.Equal(t, "BAD_REQUEST", bad.text("error", "code"))

	body["regularAmount"] = 600
	a := s.do(t, Lending, "POST", lendingDepositPath, body)
	require.Nil(t, s.signAndSubmit(t, a.text("transaction")).Err)
	account := s.do(t, Lending, "GET", "/v1/account/"+s.WalletAddress(), nil)
	assert.Equal(t, "400", account.text("positions", 0, "balance"))
	assert.Equal(t, "600", account.text("positions", 1, "balance"))
	assert.Equal(t, "regular", account.text("positions", 1, "depositType"))
}

func TestLendingSOLIsWrappedAndUnwrapped(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	owner := s.WalletAddress()
	before := s.Ledger().Balance(owner)
	s.lend(t, "SOL", "protected", 2_000_000_000)
	fee := uint64(5000 + 10_000) // the default price of 50,000 for 200,000 units
	assert.Equal(t, before-2_000_000_000-fee, s.Ledger().Balance(owner))
	assert.Zero(t, s.Ledger().TokenBalance(owner, s.Mint("SOL")), "the wrapping account is closed again")

	a := s.lendingWithdraw(t, "SOL", "protected", 2_000_000_000)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	assert.Nil(t, a.at("blockhash"), "the answer to a withdrawal has none")
	require.Nil(t, s.signAndSubmit(t, a.text("transaction")).Err)
	assert.Equal(t, before-fee-5000, s.Ledger().Balance(owner))
}

func TestLendingBoostedWithdrawalCoolsDown(t *testing.T) {
	events := make(chan map[string]any, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var event map[string]any
		if json.Unmarshal(body, &event) == nil {
			events <- event
		}
	}))
	defer receiver.Close()
	s := start(t, Config{ManualClock: true, LendingWebhook: receiver.URL})
	owner := s.WalletAddress()
	s.lend(t, "USDC", "boosted", 5_000_000)
	assert.Equal(t, "deposit.completed", (<-events)["event"])

	a := s.lendingWithdraw(t, "USDC", "boosted", 2_000_000)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	before := s.Ledger().TokenBalance(owner, s.Mint("USDC"))
	require.Nil(t, s.signAndSubmit(t, a.text("transaction")).Err)
	assert.Equal(t, before, s.Ledger().TokenBalance(owner, s.Mint("USDC")), "nothing is paid before the cooldown ends")

	pending := s.do(t, Lending, "GET", "/v1/account/"+owner+"/pending-withdrawals", nil)
	assert.Equal(t, "2000000", pending.text("pendingWithdrawals", 0, "amount"))
	assert.Equal(t, fmt.Sprint(s.Now().Add(48*time.Hour).Unix()), pending.text("pendingWithdrawals", 0, "availableAt"))
	assert.Equal(t, "172800", pending.text("pendingWithdrawals", 0, "cooldownRemaining"))
	pending = s.do(t, Lending, "GET", "/v1/account/"+owner+"/pending-withdrawals", nil)
	assert.Equal(t, "172800000", pending.text("pendingWithdrawals", 0, "cooldownRemaining"), "the unit takes turns")

	cooling := s.lendingWithdraw(t, "USDC", "boosted", 2_000_000)
	assert.Equal(t, 400, cooling.Status)
	assert.Equal(t, "COOLDOWN_ACTIVE", cooling.text("error", "code"))
	assert.NotEmpty(t, cooling.text("error", "requestId"))

	s.Advance(48*time.Hour - time.Second)
	assert.Equal(t, "COOLDOWN_ACTIVE", s.lendingWithdraw(t, "USDC", "boosted", 2_000_000).text("error", "code"))
	s.Advance(time.Second)
	var available map[string]any
	for available == nil {
		if e := <-events; e["event"] == "withdraw.available" {
			available = e
		}
	}
	assert.EqualValues(t, s.Now().Unix(), available["timestamp"])
	assert.Equal(t, owner, available["data"].(map[string]any)["walletAddress"])

	take := s.lendingWithdraw(t, "USDC", "boosted", 2_000_000)
	require.Equal(t, 200, take.Status, "%s", take.Raw)
	require.Nil(t, s.signAndSubmit(t, take.text("transaction")).Err)
	assert.Equal(t, before+2_000_000, s.Ledger().TokenBalance(owner, s.Mint("USDC")))
	assert.Equal(t, "[]", strings.TrimSpace(string(mustJSON(s.do(t, Lending, "GET", "/v1/account/"+owner+"/pending-withdrawals", nil).at("pendingWithdrawals")))))
}

func TestLendingErrors(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	stranger := publicKey(s.keypair("stranger")).String()
	deposit := func(change map[string]any) answer {
		body := s.lendingDepositBody("USDC", "protected", 1000)
		for k, v := range change {
			body[k] = v
		}
		return s.do(t, Lending, "POST", lendingDepositPath, body)
	}
	s.Fault(Route{Lending, "GET", "/v1/pools"}, Fault{Status: 500})
	for _, test := range []struct {
		name, code string
		status     int
		answer     answer
	}{
		{"bad owner", "BAD_REQUEST", 400, deposit(map[string]any{"owner": "nobody"})},
		{"no amount", "BAD_REQUEST", 400, deposit(map[string]any{"amount": 0})},
		{"no pool", "NOT_FOUND", 404, deposit(map[string]any{"mintAddress": s.Mint("DUST")})},
		{"poor", "INSUFFICIENT_BALANCE", 400, deposit(map[string]any{"amount": 20_000_000_000})},
		{"stranger", "INSUFFICIENT_BALANCE", 400, deposit(map[string]any{"owner": stranger})},
		{"full", "CAPACITY_EXCEEDED", 400, deposit(map[string]any{"mintAddress": s.Mint("USDT"), "amount": 500_000_001})},
		{"nothing to withdraw", "INSUFFICIENT_BALANCE", 400, s.lendingWithdraw(t, "USDC", "protected", 1)},
		{"wrong key", "UNAUTHORIZED", 401, s.do(t, Lending, "GET", "/v1/rates", nil, "X-Api-Key", "wrong")},
		{"no account", "NOT_FOUND", 404, s.do(t, Lending, "GET", "/v1/account/"+stranger+"/history", nil)},
		{"no referrer", "NOT_FOUND", 404, s.do(t, Lending, "GET", "/v1/referrer/"+stranger, nil)},
		{"server error", "INTERNAL_ERROR", 500, s.do(t, Lending, "GET", "/v1/pools", nil)},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.status, test.answer.Status)
			assert.Equal(t, test.code, test.answer.text("error", "code"))
			assert.NotEmpty(t, test.answer.text("error", "message"))
			assert.Regexp(t, "^req_[0-9a-f]{16}$", test.answer.text("error", "requestId"))
		})
	}
	assert.Empty(t, s.Violations(), "a service's own no is no violation")
}

func TestLendingHistoryPagesNewestFirst(t *testing.T) {
	s := start(t, Config{ManualClock: true, NoLimits: true})
	for i := range 3 {
		s.lend(t, "USDC", "protected", uint64(1000+i))
		s.Advance(time.Second)
	}
	a := s.lendingWithdraw(t, "USDC", "protected", 3)
	require.Nil(t, s.signAndSubmit(t, a.text("transaction")).Err)
	path := "/v1/account/" + s.WalletAddress() + "/history"

	all := s.do(t, Lending, "GET", path, nil)
	assert.Equal(t, "4", all.text("total"))
	assert.Equal(t, "withdraw", all.text("events", 0, "type"))
	assert.Equal(t, "1002", all.text("events", 1, "amount"))
	assert.NotEmpty(t, all.text("events", 1, "signature"))

	page := s.do(t, Lending, "GET", path+"?limit=1&offset=2&type=deposit", nil)
	assert.Equal(t, "3", page.text("total"))
	assert.Equal(t, "1000", page.text("events", 0, "amount"))
	assert.Len(t, page.at("events"), 1)
	assert.Len(t, s.do(t, Lending, "GET", path+"?offset=9", nil).at("events"), 0)

	s.Advance(24 * time.Hour)
	moved := s.do(t, Lending, "GET", path+"?type=rebalance", nil)
	assert.Equal(t, "1", moved.text("total"))
	assert.Equal(t, "meadow", moved.text("events", 0, "toProtocol"))
	earned := s.do(t, Lending, "GET", "/v1/account/"+s.WalletAddress(), nil)
	assert.Equal(t, "0", earned.text("totalInterestEarned"), "3,000 units earn less than one a day")
}

func TestLendingInterest(t *testing.T) {
	s := start(t, Config{ManualClock: true, NoLimits: true})
	s.lend(t, "USDC", "protected", 1_000_000_000)
	for range 365 {
		s.Advance(24 * time.Hour)
	}
	a := s.do(t, Lending, "GET", "/v1/account/"+s.WalletAddress(), nil)
	earned := float64(mustUint(t, a.text("totalInterestEarned")))
	assert.InDelta(t, 64_490_000, earned, 20_000, "6.25 % a year, compounded daily by the rebalance")
	assert.Equal(t, "1000000000", a.text("totalDeposited"))
}

func mustUint(t *testing.T, text string) (n uint64) {
	t.Helper()
	_, err := fmt.Sscan(text, &n)
	require.NoError(t, err)
	return n
}

func TestLendingPoolsAndRates(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	pools := s.do(t, Lending, "GET", "/v1/pools", nil)
	assert.Equal(t, "USDC", pools.text("pools", 0, "symbol"))
	assert.Equal(t, "1000000000000", pools.text("pools", 0, "availableCapacity"))
	assert.Equal(t, "0.5", pools.text("pools", 0, "coverageRatio"))
	assert.Equal(t, "0.5", pools.text("pools", 0, "protocols", 0, "allocation"))
	assert.Equal(t, "18446694073709551615", pools.text("pools", 2, "availableCapacity"), "beyond what a float holds")

	flat := s.do(t, Lending, "GET", "/v1/pools/stats?period=7d&mint="+s.Mint("USDC"), nil)
	assert.Len(t, flat.at("stats"), 7)
	nested := s.do(t, Lending, "GET", "/v1/pools/stats?period=7d", nil)
	assert.NotNil(t, nested.at(s.Mint("SOL"), "daily", 6), "the shape takes turns")

	rates := s.do(t, Lending, "GET", "/v1/rates?period=1h&interval=1m&mint="+s.Mint("SOL"), nil)
	assert.Len(t, rates.at("rates"), 60)
	assert.Equal(t, s.Mint("SOL"), rates.text("mint"))
	assert.Equal(t, "harbor", rates.text("rates", 0, "bestProtocol"))
	assert.Len(t, s.do(t, Lending, "GET", "/v1/rates?period=30d&interval=1m", nil).at("rates"), 1000)
	assert.Equal(t, "NOT_FOUND", s.do(t, Lending, "GET", "/v1/rates?mint=none", nil).text("error", "code"))
}

func TestLendingReferrer(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	owner := s.WalletAddress()
	first := s.do(t, Lending, "POST", "/v1/referrer/initialize", map[string]any{"referrer": owner, "referralCode": "friends"})
	second := s.do(t, Lending, "POST", "/v1/referrer/initialize", map[string]any{"referrer": owner})
	assert.NotEmpty(t, second.text("initialize", "transaction"), "the shape takes turns")
	require.Nil(t, s.signAndSubmit(t, first.text("transaction")).Err)

	a := s.do(t, Lending, "GET", "/v1/referrer/"+owner, nil)
	assert.Equal(t, "friends", a.text("referralCode"))
	assert.Equal(t, "2500000", a.text("pendingRewards"))
	assert.Equal(t, "2", a.text("referralCount"))

	before := s.Ledger().TokenBalance(owner, s.Mint("USDC"))
	claim := s.do(t, Lending, "POST", "/v1/referrer/claim", map[string]any{"referrer": owner})
	assert.Equal(t, "2500000", claim.text("claimAmount"))
	require.Nil(t, s.signAndSubmit(t, claim.text("transaction")).Err)
	assert.Equal(t, before+2_500_000, s.Ledger().TokenBalance(owner, s.Mint("USDC")))
	assert.Equal(t, "INSUFFICIENT_BALANCE", s.do(t, Lending, "POST", "/v1/referrer/claim", map[string]any{"referrer": owner}).text("error", "code"))
	assert.Equal(t, "BAD_REQUEST", s.do(t, Lending, "POST", "/v1/referrer/initialize", map[string]any{"referrer": owner}).text("error", "code"))
}

func TestLendingProtocolFailure(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	owner, usdc := s.WalletAddress(), s.Mint("USDC")
	require.Error(t, s.FailLendingProtocol(owner, usdc))
	before := s.Ledger().TokenBalance(owner, usdc)
	s.lend(t, "USDC", "protected", 700)
	require.NoError(t, s.FailLendingProtocol(owner, usdc))
	assert.Equal(t, before, s.Ledger().TokenBalance(owner, usdc))
	assert.Equal(t, "0", s.do(t, Lending, "GET", "/v1/account/"+owner, nil).text("totalDeposited"))
}

func TestLendingLimits(t *testing.T) {
	for _, test := range []struct {
		tier      Tier
		perMinute int
	}{{TierFree, 60}, {TierPro, 300}} {
		t.Run(string(test.tier), func(t *testing.T) {
			s := start(t, Config{ManualClock: true, Tiers: map[Service]Tier{Lending: test.tier}})
			for range test.perMinute {
				require.Equal(t, 200, s.do(t, Lending, "GET", "/v1/pools", nil).Status)
			}
			s.Advance(20 * time.Second)
			a := s.do(t, Lending, "GET", "/v1/pools", nil)
			assert.Equal(t, 429, a.Status)
			assert.Equal(t, "RATE_LIMITED", a.text("error", "code"))
			assert.Equal(t, "40", a.Header.Get("Retry-After"))
			s.Advance(40 * time.Second)
			assert.Equal(t, 200, s.do(t, Lending, "GET", "/v1/pools", nil).Status)
		})
	}
}
