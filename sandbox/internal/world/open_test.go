package world_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/world"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []play.Config{
		{SlotTime: -1}, {Shape: -1}, {BasePort: -1}, {WebhookTimeout: -1},
		{Tiers: map[play.Service]play.Tier{"lendign": play.TierPro}}, {Tiers: map[play.Service]play.Tier{play.Lending: "gold"}},
	} {
		_, err := world.Open(c)
		assert.Error(t, err, "%+v", c)
	}
}

func TestSeedDecidesEverything(t *testing.T) {
	a, b, c := start(t, play.Config{}), start(t, play.Config{Seed: 1}), start(t, play.Config{Seed: 2})
	assert.Equal(t, a.WalletAddress(), b.WalletAddress())
	assert.Equal(t, a.APIKey(play.Lending), b.APIKey(play.Lending))
	assert.Equal(t, a.ProgramID(play.Swap), b.ProgramID(play.Swap))
	assert.NotEqual(t, a.WalletAddress(), c.WalletAddress())
	assert.NotEqual(t, a.APIKey(play.Lending), c.APIKey(play.Lending))
	assert.NotEqual(t, a.ProgramID(play.Swap), c.ProgramID(play.Swap))
	assert.Equal(t, a.WalletAddress(), build.PublicKey(a.Wallet()).String())
	assert.Len(t, a.Wallet(), ed25519.PrivateKeySize)
	assert.Empty(t, a.ProgramID("none"))
	assert.Empty(t, a.APIKey(play.SmartAccount))
}

func TestEveryHostHasAURL(t *testing.T) {
	s := start(t, play.Config{})
	seen := map[string]bool{}
	for _, url := range []string{s.AMMDataURL(), s.OnchainProURL(), s.PredictMetaWSURL(), s.URL(play.RPC)} {
		assert.NotEmpty(t, url)
		seen[url] = true
	}
	for _, v := range play.Services() {
		assert.NotEmpty(t, s.URL(v), v)
		assert.NotEmpty(t, s.ProgramID(v), v)
		seen[s.URL(v)] = true
	}
	assert.Len(t, seen, 15)
	assert.Regexp(t, `^http://127\.0\.0\.1:\d+/api/v1$`, s.URL(play.SmartAccount))
	assert.Regexp(t, `^http://127\.0\.0\.1:\d+/api/v3/onchain$`, s.OnchainProURL())
	assert.Regexp(t, `^ws://127\.0\.0\.1:\d+$`, s.PredictMetaWSURL())
	assert.Empty(t, s.URL("none"))
}

func TestRoutesAreListedAndCounted(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	var lending int
	for _, r := range s.Routes() {
		if r.Service == play.Lending {
			lending++
		}
	}
	assert.Equal(t, 11, lending)
	assert.Empty(t, s.Hits())
	s.Do(t, play.Lending, "GET", "/v1/account/"+s.WalletAddress(), nil)
	assert.Equal(t, map[play.Route]int{{Service: play.Lending, Method: "GET", Pattern: "/v1/account/{walletAddress}"}: 1}, s.Hits())
}

func TestAdvanceRunsEventsInOrderAndAtTheirTime(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	begin := s.Time()
	var order []string
	var times []time.Duration
	note := func(name string) kit.Aside {
		return func() { order, times = append(order, name), append(times, s.Now().Sub(begin)) }
	}
	s.Lock()
	s.After(2*time.Second, note("second"))
	s.After(time.Second, kit.Aside(func() {
		note("first")()
		s.After(500*time.Millisecond, note("planned on the way"))
	}))
	s.After(2*time.Second, note("second too"))
	s.After(time.Second, note("called off")).Cancel()
	s.After(time.Hour, note("too late"))
	s.Unlock()

	s.Advance(10 * time.Second)
	assert.Equal(t, []string{"first", "planned on the way", "second", "second too"}, order)
	assert.Equal(t, []time.Duration{time.Second, 1500 * time.Millisecond, 2 * time.Second, 2 * time.Second}, times)
	assert.Equal(t, 10*time.Second, s.Time().Sub(begin))
}

func TestWallClockRunsAndCanBeAdvanced(t *testing.T) {
	s := start(t, play.Config{SlotTime: time.Millisecond})
	fired := make(chan time.Time, 1)
	s.Lock()
	begin, slot := s.Now(), s.CurrentSlot()
	s.After(20*time.Millisecond, kit.Aside(func() { fired <- s.Now() }))
	s.Unlock()
	at := <-fired
	assert.GreaterOrEqual(t, at.Sub(begin), 20*time.Millisecond)
	assert.GreaterOrEqual(t, s.View().Slot(), slot+20)
	assert.Less(t, time.Until(at).Abs(), time.Minute)
	s.Advance(time.Hour)
	assert.GreaterOrEqual(t, s.Time().Sub(begin), time.Hour)
	assert.GreaterOrEqual(t, s.View().Slot(), slot+3_600_000)
}

// letter notes what became of it.
type letter struct{ outcome *[]bool }

func (letter) Compose(attempt int) (http.Header, []byte) {
	return http.Header{"X-Attempt": {string(rune('0' + attempt))}}, []byte("{}")
}

func (letter) Dropped() bool { return false }

func (l letter) Done(landed bool) { *l.outcome = append(*l.outcome, landed) }

func TestDeliveriesAreTriedAgainOnSchedule(t *testing.T) {
	var calls atomic.Int32
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer receiver.Close()
	s := start(t, play.Config{ManualClock: true})
	begin := s.Time()
	var outcome []bool
	send := func(url string) {
		s.Lock()
		defer s.Unlock()
		s.Deliver(kit.Outgoing{
			Service: play.Webhooks, ID: "wh_1", URL: url, Schedule: []time.Duration{0, time.Minute, 5 * time.Minute},
			Letter: letter{&outcome},
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
	s := start(t, play.Config{ManualClock: true})
	thief := build.PublicKey(s.Keypair("thief")).String()
	drain, err := s.Drain(thief)
	require.NoError(t, err)
	var asked []string
	s.Attack(func(service string, honest []byte, owner [32]byte) []byte {
		asked = append(asked, service+" "+solana.PublicKey(owner).String())
		_, err := ledger.Parse(honest)
		assert.NoError(t, err)
		return drain(service, honest, owner)
	})
	a := s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath, s.LendingDepositBody("USDC", "protected", 5))
	assert.Equal(t, []string{"lending " + s.WalletAddress()}, asked)
	before := s.View().Balance(s.WalletAddress())
	require.Nil(t, s.SignAndSubmit(t, a.Text("transaction")).Err)
	assert.Equal(t, before-5000, s.View().Balance(thief))
	assert.Zero(t, s.View().Balance(s.WalletAddress()))

	s.Attack(nil)
	honest := s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath, s.LendingDepositBody("USDC", "protected", 5))
	raw, err := base64.StdEncoding.DecodeString(honest.Text("transaction"))
	require.NoError(t, err)
	tx, err := ledger.Parse(raw)
	require.NoError(t, err)
	assert.Equal(t, ledger.V0, tx.Version)
	assert.Len(t, tx.Lookups, 1)
	_, err = s.Drain("nowhere")
	assert.Error(t, err)
}

func TestWaitUntilLetsOthersIn(t *testing.T) {
	s := start(t, play.Config{SlotTime: time.Millisecond})
	s.Lock()
	defer s.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "GET", "/", nil)
	c := &kit.Call{Core: s.Core, Request: r}
	slot := s.CurrentSlot()
	c.WaitUntil(time.Minute, time.Millisecond, func() bool { return s.CurrentSlot() > slot+5 })
	assert.Greater(t, s.CurrentSlot(), slot+5)
	assert.Less(t, s.CurrentSlot(), slot+30_000)
	looks := 0
	c.WaitUntil(10*time.Millisecond, 3*time.Millisecond, func() bool { looks++; return false })
	assert.GreaterOrEqual(t, looks, 2, "at once and at the end")
	assert.LessOrEqual(t, looks, 5, "at 0, 3, 6, 9 and 10 ms")
	before := looks
	cancel()
	c.WaitUntil(time.Hour, time.Hour, func() bool { looks++; return false })
	assert.Equal(t, before+1, looks)
}

func TestFundingAndTokens(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	other := build.PublicKey(s.Keypair("other")).String()
	require.NoError(t, s.FundWallet(other, 7))
	require.NoError(t, s.FundToken(other, s.Mint("TAXED"), 9))
	assert.EqualValues(t, 7, s.View().Balance(other))
	assert.EqualValues(t, 9, s.View().TokenBalance(other, s.Mint("TAXED")))
	account, ok := s.View().TokenAccount(s.View().AssociatedAccount(other, s.Mint("TAXED")))
	require.True(t, ok)
	assert.Equal(t, play.TokenAccount{Mint: s.Mint("TAXED"), Owner: other, Amount: 9}, account)
	assert.Error(t, s.FundWallet("x", 1))
	assert.Error(t, s.FundToken("x", s.Mint("USDC"), 1))
	assert.Error(t, s.FundToken(other, other, 1))

	assert.EqualValues(t, 150_000_000, build.Worth(s.Token("SOL"), 1_000_000_000, s.Token("USDC")))
	assert.EqualValues(t, int64(6_666_666_666), build.Worth(s.Token("USDC"), 1_000_000_000, s.Token("SOL")))
	assert.EqualValues(t, uint64(1<<64-1), build.Worth(s.Token("SOL"), 1<<64-1, s.Token("DUST")))
	assert.Empty(t, s.Mint("NONE"))
	assert.Equal(t, "SOL", s.Tokens[0].Symbol)
}

// TestMain collects garbage less often: the mutations make little that lasts.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	goleak.VerifyTestMain(m)
}

// started is a sandbox under test.
type started struct{ *worldtest.World }

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }
