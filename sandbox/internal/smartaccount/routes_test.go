package smartaccount_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

func TestAccounts(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	u := userOf(t, s, "a@example.com")
	assert.Regexp(t, "^acc_", u.account)
	second := u.ok("POST", "/accounts", map[string]any{"name": "Shop", "type": "business"})
	assert.Equal(t, "active", second.Text("status"))
	assert.Equal(t, "2026-01-01T00:00:00.000Z", second.Text("createdAt"))
	assert.Nil(t, second.At("balance"), "only of a single account")

	require.NoError(t, s.FundWallet(u.address, 2_000_000_000))
	require.NoError(t, s.FundToken(u.address, s.Mint("USDC"), 5_000_000))
	one := u.own("GET", "", nil)
	assert.Equal(t, map[string]any{"SOL": "2000000000", "USDC": "5000000"}, one.At("balance"))
	assert.Equal(t, u.address, one.Text("address"))

	assert.Equal(t, true, u.own("PATCH", "", map[string]any{"name": "Renamed"}).At("success"))
	list := u.ok("GET", "/accounts", nil)
	assert.Equal(t, "2", list.Text("total"))
	assert.Equal(t, map[string]any{"id": u.account, "address": u.address, "name": "Renamed", "type": "personal", "status": "active"}, list.At("accounts", 0))
	assert.Equal(t, "business", list.Text("accounts", 1, "type"))
	for _, body := range []map[string]any{{"name": "", "type": "personal"}} {
		assert.Equal(t, 400, u.send("POST", "/accounts", body).Status)
	}
	u.no(400, "VALIDATION_ERROR", "PATCH", "", map[string]any{"name": ""})

	other := userOf(t, s, "b@example.com")
	other.account = u.account
	other.no(403, "FORBIDDEN", "GET", "", nil)
	other.account = "acc_none"
	other.no(404, "NOT_FOUND", "GET", "", nil)
	assert.Len(t, s.TakeProblems(), 2)
}

func TestRoutesRefuseWhatIsNotThere(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	for _, r := range [][2]string{
		{"DELETE", "/sessions/sess_0"}, {"PATCH", "/policies/pol_0"}, {"DELETE", "/policies/pol_0"},
		{"GET", "/transactions/tx_0"}, {"DELETE", "/direct-debits/dd_0"}, {"POST", "/subscriptions/sub_0/pause"},
		{"POST", "/subscriptions/sub_0/resume"}, {"DELETE", "/subscriptions/sub_0"},
	} {
		var body any
		if r[0] == "PATCH" {
			body = map[string]any{"params": map[string]any{}}
		}
		u.no(404, "NOT_FOUND", r[0], r[1], body)
	}
}

func TestIsStrict(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	u := userOf(t, s, "a@example.com")
	session := func(change string, value any) map[string]any {
		body := map[string]any{"publicKey": s.WalletAddress(), "name": "bot", "expiresAt": "2026-02-01T00:00:00Z", "permissions": []string{"transfer"}}
		body[change] = value
		return body
	}
	for problem, send := range map[string]func(){
		"field expiresAt is not of type smartaccount.instant": func() { u.no(400, "VALIDATION_ERROR", "POST", "/sessions", session("expiresAt", "2026-02-01")) },
		"field limits.daily is not of type smartaccount.amount": func() {
			u.no(400, "VALIDATION_ERROR", "POST", "/sessions", session("limits", map[string]any{"daily": 5}))
		},
		"unknown field limits.weekly": func() {
			u.no(400, "VALIDATION_ERROR", "POST", "/sessions", session("limits", map[string]any{"weekly": "5"}))
		},
		"field type is none of personal, business": func() { u.send("POST", "/accounts", map[string]any{"name": "x", "type": "joint"}) },
		"field instructions is missing":            func() { u.no(400, "VALIDATION_ERROR", "POST", "/transactions", map[string]any{}) },
		"field instructions[0].accounts[0].isSigner is missing": func() {
			u.no(400, "VALIDATION_ERROR", "POST", "/transactions", map[string]any{"instructions": []any{map[string]any{"programId": s.WalletAddress(), "data": "", "accounts": []any{map[string]any{"pubkey": s.WalletAddress(), "isWritable": false}}}}})
		},
		"query parameter limit is not of type int": func() { u.no(400, "VALIDATION_ERROR", "GET", "/transactions?limit=-1", nil) },
		"no credential: Authorization is missing":  func() { s.Do(t, play.SmartAccount, "GET", "/accounts", nil, "Authorization", "") },
		"a credential in X-Api-Key, which is not asked for": func() {
			s.Do(t, play.SmartAccount, "GET", "/accounts", nil, "Authorization", "Bearer "+u.token, "X-Api-Key", "x")
		},
		"Authorization is not of the form Bearer <token>": func() { s.Do(t, play.SmartAccount, "GET", "/accounts", nil, "Authorization", u.token) },
		"field type is none of spending_limit, allowlist, blocklist, time_window, approval_required": func() {
			u.no(400, "VALIDATION_ERROR", "POST", "/policies", map[string]any{"type": "other", "name": "x", "params": map[string]any{}})
		},
	} {
		send()
		assert.Equal(t, []string{problem}, s.TakeProblems())
	}
}

func TestSaysNoUnder200(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	u := userOf(t, s, "a@example.com")
	s.SmartAccount.RefuseSilently(2)
	assert.Equal(t, "1", u.ok("GET", "/accounts", nil).Text("total"), "an answer without success is not concerned")
	assert.JSONEq(t, `{"success":false}`, string(u.own("PATCH", "", map[string]any{"name": "New"}).Raw))
	a := u.own("PATCH", "", map[string]any{"name": "New"})
	assert.Equal(t, false, a.At("success"))
	assert.NotEmpty(t, a.Text("message"))
	assert.Equal(t, "Main", u.own("GET", "", nil).Text("name"), "nothing was done")
	assert.Equal(t, true, u.own("PATCH", "", map[string]any{"name": "New"}).At("success"))
	assert.Equal(t, "New", u.own("GET", "", nil).Text("name"))
}

func TestServerError(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	u := userOf(t, s, "a@example.com")
	remove := s.Fault(play.Route{Service: play.SmartAccount}, play.Fault{Status: 500})
	u.no(500, "INTERNAL_ERROR", "GET", "", nil)
	remove()
	u.own("GET", "", nil)
}

func TestDirectDebits(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	merchant, usdc := s.WalletAddress(), s.Mint("USDC")
	before := s.View().TokenBalance(merchant, usdc)
	require.NoError(t, s.FundToken(u.address, usdc, 25_000_000))
	body := map[string]any{"merchant": merchant, "merchantName": "Gym", "mint": usdc, "maxAmount": "10000000", "frequency": "monthly", "expiresAt": "2026-04-15T00:00:00Z"}
	made := u.own("POST", "/direct-debits", body)
	assert.Regexp(t, "^dd_", made.Text("id"))
	assert.Equal(t, map[string]any{"id": made.Text("id"), "merchant": merchant, "merchantName": "Gym", "status": "active", "createdAt": "2026-01-01T00:00:00.000Z"}, made.JSON)

	first := u.own("GET", "/direct-debits", nil)
	debit := first.At("directDebits", 0).(map[string]any)
	assert.NotContains(t, debit, "lastDebit")
	assert.Equal(t, "2026-02-01T00:00:00.000Z", debit["nextDebit"])
	assert.Equal(t, "10000000", debit["maxAmount"])
	assert.Equal(t, usdc, debit["mint"])
	assert.Equal(t, "2026-04-15T00:00:00.000Z", debit["expiresAt"])
	null := u.own("GET", "/direct-debits", nil).At("directDebits", 0).(map[string]any)
	assert.Contains(t, null, "lastDebit")
	assert.Nil(t, null["lastDebit"])

	for i, day := range []int{31, 28, 31, 30} { // the third finds too little, the fourth comes after the end
		u.later(time.Duration(day) * 24 * time.Hour)
		paid := min(uint64(i+1), 2) * 10_000_000
		assert.Equal(t, before+paid, s.View().TokenBalance(merchant, usdc), "month %d", i)
	}
	ended := u.own("GET", "/direct-debits", nil)
	assert.Equal(t, "2026-03-01T00:00:00.000Z", ended.Text("directDebits", 0, "lastDebit"))
	assert.Empty(t, ended.Text("directDebits", 0, "nextDebit"))
	assert.Equal(t, "expired", ended.Text("directDebits", 0, "status"))
	assert.Equal(t, "2", u.own("GET", "/transactions", nil).Text("total"))
	assert.Equal(t, "5000000", u.own("GET", "", nil).Text("balance", "USDC"))
}

func TestDirectDebitsAreCancelledAndChecked(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	body := func(change string, value any) map[string]any {
		b := map[string]any{"merchant": s.WalletAddress(), "merchantName": "Gym", "mint": s.Mint("USDC"), "maxAmount": "1", "frequency": "daily"}
		b[change] = value
		return b
	}
	for change, value := range map[string]any{"merchant": "me", "mint": "x", "maxAmount": "0", "expiresAt": "2025-12-31T00:00:00Z"} {
		u.no(400, "VALIDATION_ERROR", "POST", "/direct-debits", body(change, value))
	}
	require.NoError(t, s.FundToken(u.address, s.Mint("USDC"), 5))
	kept := u.own("POST", "/direct-debits", body("frequency", "daily")).Text("id")
	gone := u.own("POST", "/direct-debits", body("frequency", "weekly")).Text("id")
	for _, id := range []string{kept, gone} {
		assert.Equal(t, true, u.own("DELETE", "/direct-debits/"+id, nil).At("success"))
		u.no(404, "NOT_FOUND", "DELETE", "/direct-debits/"+id, nil)
	}
	list := u.own("GET", "/direct-debits", nil)
	assert.Equal(t, "1", list.Text("total"), "one stays in the list, one does not")
	assert.Equal(t, "cancelled", list.Text("directDebits", 0, "status"))
	u.later(48 * time.Hour)
	assert.Equal(t, "5", u.own("GET", "", nil).Text("balance", "USDC"))
	assert.Len(t, s.TakeProblems(), 2)
}

func TestSubscriptionMovesWithTheClock(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	merchant := build.PublicKey(s.Keypair("merchant")).String()
	require.NoError(t, s.FundWallet(u.address, 1_000_000_000))
	made := u.own("POST", "/subscriptions", map[string]any{
		"merchant": merchant, "merchantName": "Video", "mint": s.Mint("SOL"), "amount": "10000000", "frequency": "monthly", "startDate": "2026-01-31",
	})
	id := made.Text("id")
	assert.Regexp(t, "^sub_", id)
	assert.Equal(t, map[string]any{
		"id": id, "merchant": merchant, "merchantName": "Video", "amount": "10000000", "frequency": "monthly",
		"status": "active", "nextPayment": "2026-01-31T00:00:00.000Z",
	}, made.JSON)
	path := "/subscriptions/" + id
	next := func() string {
		t.Helper()
		assert.Equal(t, "paused", u.own("POST", path+"/pause", nil).Text("status"))
		a := u.own("POST", path+"/resume", nil)
		assert.Equal(t, "active", a.Text("status"))
		return a.Text("nextPayment")
	}
	u.later(30*24*time.Hour - time.Second)
	assert.Zero(t, s.View().Balance(merchant))
	u.later(time.Second)
	assert.EqualValues(t, 10_000_000, s.View().Balance(merchant))
	assert.Equal(t, "2026-02-28T00:00:00.000Z", next(), "a month without a 31st has it on its last day")
	u.later(28 * 24 * time.Hour)
	assert.Equal(t, "2026-03-31T00:00:00.000Z", next(), "and the next month on the 31st again")
	assert.EqualValues(t, 20_000_000, s.View().Balance(merchant))

	u.own("POST", path+"/pause", nil)
	u.no(400, "VALIDATION_ERROR", "POST", path+"/pause", nil)
	u.later(60 * 24 * time.Hour) // to 29 April: one payment is missed
	assert.EqualValues(t, 20_000_000, s.View().Balance(merchant))
	assert.Equal(t, "2026-04-30T00:00:00.000Z", u.own("POST", path+"/resume", nil).Text("nextPayment"))
	u.no(400, "VALIDATION_ERROR", "POST", path+"/resume", nil)
	u.later(24 * time.Hour)
	assert.EqualValues(t, 30_000_000, s.View().Balance(merchant))

	assert.Equal(t, true, u.own("DELETE", path, nil).At("success"))
	u.no(404, "NOT_FOUND", "POST", path+"/pause", nil)
	u.later(90 * 24 * time.Hour)
	assert.EqualValues(t, 30_000_000, s.View().Balance(merchant))
	assert.Equal(t, "3", u.own("GET", "/transactions", nil).Text("total"))
	assert.Equal(t, fmt.Sprint(1_000_000_000-30_000_000), u.own("GET", "", nil).Text("balance", "SOL"))
}

func TestSubscriptionToday(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	u.later(6 * time.Hour)
	usdc, merchant := s.Mint("USDC"), build.PublicKey(s.Keypair("merchant")).String()
	require.NoError(t, s.FundToken(u.address, usdc, 15))
	body := map[string]any{"merchant": merchant, "merchantName": "Video", "mint": usdc, "amount": "10", "frequency": "weekly", "startDate": "2026-01-01"}
	a := u.own("POST", "/subscriptions", body)
	assert.Equal(t, "2026-01-01T06:00:00.000Z", a.Text("nextPayment"), "due since midnight, so now")
	u.later(0)
	assert.EqualValues(t, 10, s.View().TokenBalance(merchant, usdc))
	u.later(7 * 24 * time.Hour)
	assert.EqualValues(t, 10, s.View().TokenBalance(merchant, usdc), "too little is left")
	require.NoError(t, s.FundToken(u.address, usdc, 5))
	u.later(7 * 24 * time.Hour)
	assert.EqualValues(t, 20, s.View().TokenBalance(merchant, usdc), "asked again a period later")

	body["startDate"] = "2026-01-14"
	u.no(400, "VALIDATION_ERROR", "POST", "/subscriptions", body)
	delete(body, "startDate")
	assert.Equal(t, "2026-01-15T06:00:00.000Z", u.own("POST", "/subscriptions", body).Text("nextPayment"))
	body["startDate"] = "2026-01-20T00:00:00Z"
	u.no(400, "VALIDATION_ERROR", "POST", "/subscriptions", body)
	assert.Len(t, s.TakeProblems(), 1, "a bare date is asked for")
}
