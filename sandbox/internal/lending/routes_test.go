package lending_test

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
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

func (s *started) withdraw(t *testing.T, symbol, withdrawType string, amount uint64) answer {
	t.Helper()
	return s.Do(t, play.Lending, "POST", worldtest.LendingWithdrawPath, map[string]any{
		"owner": s.WalletAddress(), "mintAddress": s.Mint(symbol), "withdrawType": withdrawType, "amount": amount,
	})
}

func TestDepositMovesTokensOnlyWhenExecuted(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner, usdc := s.WalletAddress(), s.Mint("USDC")
	before := s.View().TokenBalance(owner, usdc)

	a := s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath+"?priorityFee=1000", s.LendingDepositBody("USDC", "protected", 1_500_000))
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	assert.NotEmpty(t, a.Text("blockhash"))
	assert.Equal(t, s.LastValid(), a.Text("lastValidBlockHeight"))
	assert.Equal(t, before, s.View().TokenBalance(owner, usdc), "building moves nothing")
	assert.Equal(t, 404, s.Do(t, play.Lending, "GET", "/v1/account/"+owner, nil).Status)

	r := s.SignAndSubmit(t, a.Text("transaction"))
	require.Nil(t, r.Err)
	assert.EqualValues(t, 5000+200, r.Fee, "1,000 micro-lamports for each of 200,000 units")
	assert.Equal(t, before-1_500_000, s.View().TokenBalance(owner, usdc))

	account := s.Do(t, play.Lending, "GET", "/v1/account/"+owner, nil)
	require.Equal(t, 200, account.Status)
	assert.Equal(t, "1500000", account.Text("totalDeposited"))
	assert.Equal(t, "0", account.Text("totalInterestEarned"))
	assert.Equal(t, "6.25", account.Text("currentApy"))
	assert.Equal(t, "protected", account.Text("positions", 0, "depositType"))
	assert.Equal(t, usdc, account.Text("positions", 0, "mint"))
	assert.Equal(t, "harbor", account.Text("positions", 0, "protocol"))
	assert.Equal(t, true, account.At("rewards", 0, "claimable"))

	again, err := s.Submit(worldtest.Sign(t, a.Text("transaction"), s.Wallet()))
	require.EqualError(t, err, "This transaction has already been processed")
	assert.Equal(t, r, again, "a transaction lands once")
	assert.Equal(t, "1500000", s.Do(t, play.Lending, "GET", "/v1/account/"+owner, nil).Text("totalDeposited"))
}

// TestSplitDeposit: the parts are at most the amount, and the deposit's type gets the rest.
func TestSplitDeposit(t *testing.T) {
	for name, row := range map[string]struct {
		protected, regular any
		want               map[string]string // balances by type; nil is refused
	}{
		"no part":          {nil, nil, map[string]string{"boosted": "1000"}},
		"both 0":           {0, 0, map[string]string{"boosted": "1000"}},
		"one part":         {400, nil, map[string]string{"protected": "400", "boosted": "600"}},
		"less together":    {400, 500, map[string]string{"protected": "400", "regular": "500", "boosted": "100"}},
		"all together":     {400, 600, map[string]string{"protected": "400", "regular": "600"}},
		"more together":    {400, 601, nil},
		"one part larger":  {nil, 1001, nil},
		"a sum that wraps": {2, uint64(1<<64 - 1), nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, play.Config{ManualClock: true})
			body := s.LendingDepositBody("USDC", "boosted", 1000)
			for field, part := range map[string]any{"protectedAmount": row.protected, "regularAmount": row.regular} {
				if part != nil {
					body[field] = part
				}
			}
			a := s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath, body)
			if row.want == nil {
				assert.Equal(t, "BAD_REQUEST", a.Text("error", "code"))
				return
			}
			require.Nil(t, s.SignAndSubmit(t, a.Text("transaction")).Err)
			account := s.Do(t, play.Lending, "GET", "/v1/account/"+s.WalletAddress(), nil)
			balances := map[string]string{}
			for i := range account.At("positions").([]any) {
				balances[account.Text("positions", i, "depositType")] = account.Text("positions", i, "balance")
			}
			assert.Equal(t, row.want, balances)
		})
	}
}

func TestSOLIsWrappedAndUnwrapped(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner := s.WalletAddress()
	before := s.View().Balance(owner)
	s.Lend(t, "SOL", "protected", 2_000_000_000)
	fee := uint64(5000 + 10_000) // the default price of 50,000 for 200,000 units
	assert.Equal(t, before-2_000_000_000-fee, s.View().Balance(owner))
	assert.Zero(t, s.View().TokenBalance(owner, s.Mint("SOL")), "the wrapping account is closed again")

	a := s.withdraw(t, "SOL", "protected", 2_000_000_000)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	assert.Nil(t, a.At("blockhash"), "the answer to a withdrawal has none")
	require.Nil(t, s.SignAndSubmit(t, a.Text("transaction")).Err)
	assert.Equal(t, before-fee-5000, s.View().Balance(owner))
}

func TestBoostedWithdrawalCoolsDown(t *testing.T) {
	events := make(chan map[string]any, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var event map[string]any
		if json.Unmarshal(body, &event) == nil {
			events <- event
		}
	}))
	defer receiver.Close()
	s := start(t, play.Config{ManualClock: true, LendingWebhook: receiver.URL})
	owner := s.WalletAddress()
	s.Lend(t, "USDC", "boosted", 5_000_000)
	assert.Equal(t, "deposit.completed", (<-events)["event"])

	a := s.withdraw(t, "USDC", "boosted", 2_000_000)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	before := s.View().TokenBalance(owner, s.Mint("USDC"))
	require.Nil(t, s.SignAndSubmit(t, a.Text("transaction")).Err)
	assert.Equal(t, before, s.View().TokenBalance(owner, s.Mint("USDC")), "nothing is paid before the cooldown ends")

	pending := s.Do(t, play.Lending, "GET", "/v1/account/"+owner+"/pending-withdrawals", nil)
	assert.Equal(t, "2000000", pending.Text("pendingWithdrawals", 0, "amount"))
	assert.Equal(t, fmt.Sprint(s.Time().Add(48*time.Hour).Unix()), pending.Text("pendingWithdrawals", 0, "availableAt"))
	assert.Equal(t, "172800", pending.Text("pendingWithdrawals", 0, "cooldownRemaining"))
	pending = s.Do(t, play.Lending, "GET", "/v1/account/"+owner+"/pending-withdrawals", nil)
	assert.Equal(t, "172800000", pending.Text("pendingWithdrawals", 0, "cooldownRemaining"), "the unit takes turns")

	cooling := s.withdraw(t, "USDC", "boosted", 2_000_000)
	assert.Equal(t, 400, cooling.Status)
	assert.Equal(t, "COOLDOWN_ACTIVE", cooling.Text("error", "code"))
	assert.NotEmpty(t, cooling.Text("error", "requestId"))

	s.Advance(48*time.Hour - time.Second)
	assert.Equal(t, "COOLDOWN_ACTIVE", s.withdraw(t, "USDC", "boosted", 2_000_000).Text("error", "code"))
	s.Advance(time.Second)
	var available map[string]any
	for available == nil {
		if e := <-events; e["event"] == "withdraw.available" {
			available = e
		}
	}
	assert.EqualValues(t, s.Time().Unix(), available["timestamp"])
	assert.Equal(t, owner, available["data"].(map[string]any)["walletAddress"])

	take := s.withdraw(t, "USDC", "boosted", 2_000_000)
	require.Equal(t, 200, take.Status, "%s", take.Raw)
	require.Nil(t, s.SignAndSubmit(t, take.Text("transaction")).Err)
	assert.Equal(t, before+2_000_000, s.View().TokenBalance(owner, s.Mint("USDC")))
	assert.Equal(t, "[]", strings.TrimSpace(string(kit.MustJSON(s.Do(t, play.Lending, "GET", "/v1/account/"+owner+"/pending-withdrawals", nil).At("pendingWithdrawals")))))
}

func TestErrors(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	stranger := build.PublicKey(s.Keypair("stranger")).String()
	deposit := func(change map[string]any) answer {
		body := s.LendingDepositBody("USDC", "protected", 1000)
		for k, v := range change {
			body[k] = v
		}
		return s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath, body)
	}
	s.Fault(play.Route{Service: play.Lending, Method: "GET", Pattern: "/v1/pools"}, play.Fault{Status: 500})
	for _, test := range []struct {
		name, code string
		status     int
		answer     answer
	}{
		{"bad owner", "BAD_REQUEST", 400, deposit(map[string]any{"owner": "nobody"})},
		{"no amount", "BAD_REQUEST", 400, deposit(map[string]any{"amount": 0})},
		{"no pool", "NOT_FOUND", 404, deposit(map[string]any{"mintAddress": s.Mint("DUST")})},
		{"poor", "INSUFFICIENT_BALANCE", 400, deposit(map[string]any{"amount": int64(20_000_000_000)})},
		{"stranger", "INSUFFICIENT_BALANCE", 400, deposit(map[string]any{"owner": stranger})},
		{"full", "CAPACITY_EXCEEDED", 400, deposit(map[string]any{"mintAddress": s.Mint("USDT"), "amount": 500_000_001})},
		{"nothing to withdraw", "INSUFFICIENT_BALANCE", 400, s.withdraw(t, "USDC", "protected", 1)},
		{"wrong key", "UNAUTHORIZED", 401, s.Do(t, play.Lending, "GET", "/v1/rates", nil, "X-Api-Key", "wrong")},
		{"no account", "NOT_FOUND", 404, s.Do(t, play.Lending, "GET", "/v1/account/"+stranger+"/history", nil)},
		{"no referrer", "NOT_FOUND", 404, s.Do(t, play.Lending, "GET", "/v1/referrer/"+stranger, nil)},
		{"server error", "INTERNAL_ERROR", 500, s.Do(t, play.Lending, "GET", "/v1/pools", nil)},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.status, test.answer.Status)
			assert.Equal(t, test.code, test.answer.Text("error", "code"))
			assert.NotEmpty(t, test.answer.Text("error", "message"))
			assert.Regexp(t, "^req_[0-9a-f]{16}$", test.answer.Text("error", "requestId"))
		})
	}
	assert.Equal(t, []string{"field owner is no address"}, s.TakeProblems(), "a service's own no is no violation")
}

func TestHistoryPagesNewestFirst(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	for i := range 3 {
		s.Lend(t, "USDC", "protected", uint64(1000+i))
		s.Advance(time.Second)
	}
	a := s.withdraw(t, "USDC", "protected", 3)
	require.Nil(t, s.SignAndSubmit(t, a.Text("transaction")).Err)
	path := "/v1/account/" + s.WalletAddress() + "/history"

	all := s.Do(t, play.Lending, "GET", path, nil)
	assert.Equal(t, "4", all.Text("total"))
	assert.Equal(t, "withdraw", all.Text("events", 0, "type"))
	assert.Equal(t, "1002", all.Text("events", 1, "amount"))
	assert.NotEmpty(t, all.Text("events", 1, "signature"))

	page := s.Do(t, play.Lending, "GET", path+"?limit=1&offset=2&type=deposit", nil)
	assert.Equal(t, "3", page.Text("total"))
	assert.Equal(t, "1000", page.Text("events", 0, "amount"))
	assert.Len(t, page.At("events"), 1)
	assert.Len(t, s.Do(t, play.Lending, "GET", path+"?offset=9", nil).At("events"), 0)

	s.Advance(24 * time.Hour)
	moved := s.Do(t, play.Lending, "GET", path+"?type=rebalance", nil)
	assert.Equal(t, "1", moved.Text("total"))
	assert.Equal(t, "meadow", moved.Text("events", 0, "toProtocol"))
	earned := s.Do(t, play.Lending, "GET", "/v1/account/"+s.WalletAddress(), nil)
	assert.Equal(t, "0", earned.Text("totalInterestEarned"), "3,000 units earn less than one a day")
}

func TestInterest(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	s.Lend(t, "USDC", "protected", 1_000_000_000)
	for range 365 {
		s.Advance(24 * time.Hour)
	}
	a := s.Do(t, play.Lending, "GET", "/v1/account/"+s.WalletAddress(), nil)
	earned := float64(mustUint(t, a.Text("totalInterestEarned")))
	assert.InDelta(t, 64_490_000, earned, 20_000, "6.25 % a year, compounded daily by the rebalance")
	assert.Equal(t, "1000000000", a.Text("totalDeposited"))
}

func mustUint(t *testing.T, text string) (n uint64) {
	t.Helper()
	_, err := fmt.Sscan(text, &n)
	require.NoError(t, err)
	return n
}

func TestPoolsAndRates(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	pools := s.Do(t, play.Lending, "GET", "/v1/pools", nil)
	assert.Equal(t, "USDC", pools.Text("pools", 0, "symbol"))
	assert.Equal(t, "1000000000000", pools.Text("pools", 0, "availableCapacity"))
	assert.Equal(t, "0.5", pools.Text("pools", 0, "coverageRatio"))
	assert.Equal(t, "0.5", pools.Text("pools", 0, "protocols", 0, "allocation"))
	assert.Equal(t, "18446694073709551615", pools.Text("pools", 2, "availableCapacity"), "beyond what a float holds")

	flat := s.Do(t, play.Lending, "GET", "/v1/pools/stats?period=7d&mint="+s.Mint("USDC"), nil)
	assert.Len(t, flat.At("stats"), 7)
	nested := s.Do(t, play.Lending, "GET", "/v1/pools/stats?period=7d", nil)
	assert.NotNil(t, nested.At(s.Mint("SOL"), "daily", 6), "the shape takes turns")

	rates := s.Do(t, play.Lending, "GET", "/v1/rates?period=1h&interval=1m&mint="+s.Mint("SOL"), nil)
	assert.Len(t, rates.At("rates"), 60)
	assert.Equal(t, s.Mint("SOL"), rates.Text("mint"))
	assert.Equal(t, "harbor", rates.Text("rates", 0, "bestProtocol"))
	assert.Len(t, s.Do(t, play.Lending, "GET", "/v1/rates?period=30d&interval=1m", nil).At("rates"), 1000)
	assert.Equal(t, "NOT_FOUND", s.Do(t, play.Lending, "GET", "/v1/rates?mint="+s.WalletAddress(), nil).Text("error", "code"))
}

func TestReferrer(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner := s.WalletAddress()
	first := s.Do(t, play.Lending, "POST", "/v1/referrer/initialize", map[string]any{"referrer": owner, "referralCode": "friends"})
	second := s.Do(t, play.Lending, "POST", "/v1/referrer/initialize", map[string]any{"referrer": owner})
	assert.NotEmpty(t, second.Text("initialize", "transaction"), "the shape takes turns")
	require.Nil(t, s.SignAndSubmit(t, first.Text("transaction")).Err)

	a := s.Do(t, play.Lending, "GET", "/v1/referrer/"+owner, nil)
	assert.Equal(t, "friends", a.Text("referralCode"))
	assert.Equal(t, "2500000", a.Text("pendingRewards"))
	assert.Equal(t, "2", a.Text("referralCount"))

	before := s.View().TokenBalance(owner, s.Mint("USDC"))
	claim := s.Do(t, play.Lending, "POST", "/v1/referrer/claim", map[string]any{"referrer": owner})
	assert.Equal(t, "2500000", claim.Text("claimAmount"))
	require.Nil(t, s.SignAndSubmit(t, claim.Text("transaction")).Err)
	assert.Equal(t, before+2_500_000, s.View().TokenBalance(owner, s.Mint("USDC")))
	assert.Equal(t, "INSUFFICIENT_BALANCE", s.Do(t, play.Lending, "POST", "/v1/referrer/claim", map[string]any{"referrer": owner}).Text("error", "code"))
	assert.Equal(t, "BAD_REQUEST", s.Do(t, play.Lending, "POST", "/v1/referrer/initialize", map[string]any{"referrer": owner}).Text("error", "code"))
}

func TestProtocolFailure(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner, usdc := s.WalletAddress(), s.Mint("USDC")
	require.Error(t, s.Lending.FailProtocol(owner, usdc))
	before := s.View().TokenBalance(owner, usdc)
	s.Lend(t, "USDC", "protected", 700)
	require.NoError(t, s.Lending.FailProtocol(owner, usdc))
	assert.Equal(t, before, s.View().TokenBalance(owner, usdc))
	assert.Equal(t, "0", s.Do(t, play.Lending, "GET", "/v1/account/"+owner, nil).Text("totalDeposited"))
}

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		tier      play.Tier
		perMinute int
	}{{play.TierFree, 60}, {play.TierPro, 300}} {
		t.Run(string(test.tier), func(t *testing.T) {
			s := start(t, play.Config{ManualClock: true, Tiers: map[play.Service]play.Tier{play.Lending: test.tier}})
			for range test.perMinute {
				require.Equal(t, 200, s.Do(t, play.Lending, "GET", "/v1/pools", nil).Status)
			}
			s.Advance(20 * time.Second)
			a := s.Do(t, play.Lending, "GET", "/v1/pools", nil)
			assert.Equal(t, 429, a.Status)
			assert.Equal(t, "RATE_LIMITED", a.Text("error", "code"))
			assert.Equal(t, "40", a.Header.Get("Retry-After"))
			s.Advance(40 * time.Second)
			assert.Equal(t, 200, s.Do(t, play.Lending, "GET", "/v1/pools", nil).Status)
		})
	}
}
