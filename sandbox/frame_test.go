package sandbox

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []Config{
		{SlotTime: -1}, {Shape: -1}, {BasePort: -1}, {WebhookTimeout: -1},
		{Tiers: map[Service]Tier{"lendign": TierPro}}, {Tiers: map[Service]Tier{Lending: "gold"}},
	} {
		_, err := Start(c)
		assert.Error(t, err, "%+v", c)
	}
}

func TestSeedDecidesEverything(t *testing.T) {
	a, b, c := start(t, Config{}), start(t, Config{Seed: 1}), start(t, Config{Seed: 2})
	assert.Equal(t, a.WalletAddress(), b.WalletAddress())
	assert.Equal(t, a.APIKey(Lending), b.APIKey(Lending))
	assert.Equal(t, a.ProgramID(Swap), b.ProgramID(Swap))
	assert.NotEqual(t, a.WalletAddress(), c.WalletAddress())
	assert.NotEqual(t, a.APIKey(Lending), c.APIKey(Lending))
	assert.NotEqual(t, a.ProgramID(Swap), c.ProgramID(Swap))
	assert.Equal(t, a.WalletAddress(), publicKey(a.Wallet()).String())
	assert.Len(t, a.Wallet(), ed25519.PrivateKeySize)
	assert.Empty(t, a.ProgramID("none"))
	assert.Empty(t, a.APIKey(SmartAccount))
}

func TestEveryHostHasAURL(t *testing.T) {
	s := start(t, Config{})
	seen := map[string]bool{}
	for _, url := range []string{s.AMMDataURL(), s.OnchainProURL(), s.PredictMetaWSURL(), s.URL(RPC)} {
		assert.NotEmpty(t, url)
		seen[url] = true
	}
	for _, v := range Services() {
		assert.NotEmpty(t, s.URL(v), v)
		assert.NotEmpty(t, s.ProgramID(v), v)
		seen[s.URL(v)] = true
	}
	assert.Len(t, seen, 15)
	assert.Regexp(t, `^http://127\.0\.0\.1:\d+/api/v1$`, s.URL(SmartAccount))
	assert.Regexp(t, `^http://127\.0\.0\.1:\d+/api/v3/onchain$`, s.OnchainProURL())
	assert.Regexp(t, `^ws://127\.0\.0\.1:\d+$`, s.PredictMetaWSURL())
	assert.Empty(t, s.URL("none"))
}

func TestRoutesAreListedAndCounted(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	var lending int
	for _, r := range s.Routes() {
		if r.Service == Lending {
			lending++
		}
	}
	assert.Equal(t, 11, lending)
	assert.Empty(t, s.Hits())
	s.do(t, Lending, "GET", "/v1/account/"+s.WalletAddress(), nil)
	assert.Equal(t, map[Route]int{{Lending, "GET", "/v1/account/{walletAddress}"}: 1}, s.Hits())
}

func TestAdvanceRunsEventsInOrderAndAtTheirTime(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	begin := s.Now()
	var order []string
	var times []time.Duration
	note := func(name string) func() {
		return func() { order, times = append(order, name), append(times, s.now().Sub(begin)) }
	}
	s.mu.Lock()
	s.after(2*time.Second, note("second"))
	s.after(time.Second, func() {
		note("first")()
		s.after(500*time.Millisecond, note("planned on the way"))
	})
	s.after(2*time.Second, note("second too"))
	cancel := s.after(time.Second, note("called off"))
	cancel()
	s.after(time.Hour, note("too late"))
	s.mu.Unlock()

	s.Advance(10 * time.Second)
	assert.Equal(t, []string{"first", "planned on the way", "second", "second too"}, order)
	assert.Equal(t, []time.Duration{time.Second, 1500 * time.Millisecond, 2 * time.Second, 2 * time.Second}, times)
	assert.Equal(t, 10*time.Second, s.Now().Sub(begin))
}

func TestWallClockRunsAndCanBeAdvanced(t *testing.T) {
	s := start(t, Config{SlotTime: time.Millisecond})
	fired := make(chan time.Time, 1)
	s.mu.Lock()
	s.after(20*time.Millisecond, func() { fired <- s.now() })
	begin, slot := s.now(), s.slot()
	s.mu.Unlock()
	at := <-fired
	assert.GreaterOrEqual(t, at.Sub(begin), 20*time.Millisecond)
	assert.GreaterOrEqual(t, s.Ledger().Slot(), slot+20)
	assert.Less(t, time.Until(at).Abs(), time.Minute)
	s.Advance(time.Hour)
	assert.GreaterOrEqual(t, s.Now().Sub(begin), time.Hour)
	assert.GreaterOrEqual(t, s.Ledger().Slot(), slot+3_600_000)
}

func TestDeliveriesAreTriedAgainOnSchedule(t *testing.T) {
	var calls atomic.Int32
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer receiver.Close()
	s := start(t, Config{ManualClock: true})
	begin := s.Now()
	var outcome []bool
	send := func(url string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.deliver(delivery{
			service: Webhooks, id: "wh_1", url: url, schedule: []time.Duration{0, time.Minute, 5 * time.Minute},
			compose: func(attempt int) (http.Header, []byte) {
				return http.Header{"X-Attempt": {string(rune('0' + attempt))}}, []byte("{}")
			},
			done: func(landed bool) { outcome = append(outcome, landed) },
		})
	}
	send(receiver.URL)
	s.Settle(5 * time.Second)
	s.Advance(time.Hour)
	var at []time.Duration
	for i, d := range s.Deliveries() {
		at = append(at, d.At.Sub(begin))
		assert.Equal(t, i+1, d.Attempt)
		assert.Equal(t, string(rune('1'+i)), d.Header.Get("X-Attempt"))
		assert.Equal(t, i == 2, d.Landed)
	}
	assert.Equal(t, []time.Duration{0, time.Minute, 6 * time.Minute}, at)
	assert.Equal(t, []bool{true}, outcome)

	send("http://127.0.0.1:1/")
	s.Settle(5 * time.Second)
	s.Advance(time.Hour)
	assert.Equal(t, []bool{true, false}, outcome)
	last := s.Deliveries()[5]
	assert.Equal(t, 3, last.Attempt)
	assert.Zero(t, last.Status)
	assert.NotEmpty(t, last.Err)
}

func TestAttackReplacesTheTransaction(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	thief := publicKey(s.keypair("thief")).String()
	drain, err := s.Drain(thief)
	require.NoError(t, err)
	var asked []string
	s.Attack(func(service string, honest []byte, owner [32]byte) []byte {
		asked = append(asked, service+" "+solana.PublicKey(owner).String())
		_, err := ledger.Parse(honest)
		assert.NoError(t, err)
		return drain(service, honest, owner)
	})
	a := s.do(t, Lending, "POST", lendingDepositPath, s.lendingDepositBody("USDC", "protected", 5))
	assert.Equal(t, []string{"lending " + s.WalletAddress()}, asked)
	before := s.Ledger().Balance(s.WalletAddress())
	require.Nil(t, s.signAndSubmit(t, a.text("transaction")).Err)
	assert.Equal(t, before-5000, s.Ledger().Balance(thief))
	assert.Zero(t, s.Ledger().Balance(s.WalletAddress()))

	s.Attack(nil)
	honest := s.do(t, Lending, "POST", lendingDepositPath, s.lendingDepositBody("USDC", "protected", 5))
	raw, err := base64.StdEncoding.DecodeString(honest.text("transaction"))
	require.NoError(t, err)
	tx, err := ledger.Parse(raw)
	require.NoError(t, err)
	assert.Equal(t, ledger.V0, tx.Version)
	assert.Len(t, tx.Lookups, 1)
	_, err = s.Drain("nowhere")
	assert.Error(t, err)
}

func TestWaitUntilLetsOthersIn(t *testing.T) {
	s := start(t, Config{SlotTime: time.Millisecond})
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "GET", "/", nil)
	c := &call{Sandbox: s.Sandbox, request: r}
	slot := s.slot()
	assert.True(t, c.waitUntil(time.Minute, func() bool { return s.slot() > slot+5 }))
	assert.False(t, c.waitUntil(10*time.Millisecond, func() bool { return false }))
	cancel()
	assert.False(t, c.waitUntil(time.Hour, func() bool { return false }))
}

func TestFundingAndTokens(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	other := publicKey(s.keypair("other")).String()
	require.NoError(t, s.FundWallet(other, 7))
	require.NoError(t, s.FundToken(other, s.Mint("TAXED"), 9))
	assert.EqualValues(t, 7, s.Ledger().Balance(other))
	assert.EqualValues(t, 9, s.Ledger().TokenBalance(other, s.Mint("TAXED")))
	account, ok := s.Ledger().TokenAccount(s.Ledger().AssociatedAccount(other, s.Mint("TAXED")))
	require.True(t, ok)
	assert.Equal(t, TokenAccount{Mint: s.Mint("TAXED"), Owner: other, Amount: 9}, account)
	assert.Error(t, s.FundWallet("x", 1))
	assert.Error(t, s.FundToken("x", s.Mint("USDC"), 1))
	assert.Error(t, s.FundToken(other, other, 1))

	assert.EqualValues(t, 150_000_000, worth(s.token("SOL"), 1_000_000_000, s.token("USDC")))
	assert.EqualValues(t, 6_666_666_666, worth(s.token("USDC"), 1_000_000_000, s.token("SOL")))
	assert.EqualValues(t, uint64(1<<64-1), worth(s.token("SOL"), 1<<64-1, s.token("DUST")))
	assert.Empty(t, s.Mint("NONE"))
	assert.Equal(t, "SOL", s.Tokens()[0].Symbol)
}
