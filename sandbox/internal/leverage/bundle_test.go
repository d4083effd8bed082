package leverage_test

import (
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

func (s *started) bundle(t *testing.T, texts ...string) answer {
	t.Helper()
	return s.Do(t, play.Leverage, "POST", "/api/v1/bundle", map[string]any{"transactions": append([]string{}, texts...)})
}

// leverageText signs what a builder answered, for the relay.
func (s *started) text(t *testing.T, built string) string {
	t.Helper()
	return base58.Encode(s.signed(t, built))
}

func TestTip(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	first := float(t, s.get(t, "/bundle/tip"), "tipLamports")
	assert.Positive(t, first)
	s.Advance(100 * time.Second)
	assert.NotEqual(t, first, float(t, s.get(t, "/bundle/tip"), "tipLamports"))
}

func TestSubmit(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	offer := s.offer(t, long)
	built := func() string {
		s.Advance(time.Second)
		a := s.ok(t, "/positions/open", "offerPublicKey", offer, "collateralAmount", "1000000", "leverage", 2)
		return a.Text("transaction")
	}
	send := func(body map[string]any) answer { return s.Do(t, play.Leverage, "POST", "/api/v1/bundle/submit", body) }
	text := s.text(t, built())
	one := send(map[string]any{"transaction": text, "mevProtect": false})
	require.Equal(t, 200, one.Status, "%s", one.Raw)
	assert.True(t, s.View().TransactionStatus(one.Text("signature")).Found)
	other := send(map[string]any{"transaction": s.text(t, built()), "mevProtect": true})
	require.Equal(t, 200, other.Status, "%s", other.Raw)
	assert.True(t, s.View().TransactionStatus(other.Text("signatures", 0)).Found)
	assert.NotEmpty(t, other.Text("bundleId"))

	assert.Contains(t, string(send(map[string]any{"transaction": text}).Raw), "already been processed")
	assert.Contains(t, string(send(map[string]any{"transaction": built()}).Raw), "not signed")
	assert.Contains(t, string(send(map[string]any{"transaction": "0OIl"}).Raw), "not base58")
	assert.Len(t, s.TakeProblems(), 1)
	for _, body := range []map[string]any{{}, {"transaction": 5}, {"transaction": text, "mevProtect": "yes"}, {"transaction": text, "encoding": "base58"}} {
		assert.Equal(t, 400, send(body).Status)
		assert.Len(t, s.TakeProblems(), 1)
	}
}

func TestBundleOfAPartialSell(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	position := s.open(t, long, "1000000000", 2)
	a := s.ok(t, "/positions/partial-sell", "positionAddress", position, "splitRatioBps", 5000)
	split, closing := s.text(t, a.Text("splitTransaction")), s.text(t, a.Text("closeTransaction"))
	before, balance := s.positions(t, "ALL"), s.View().Balance(s.WalletAddress())
	wrong := s.bundle(t, closing, split)
	assert.Equal(t, 400, wrong.Status, "the closing is of what the split makes")
	assert.Equal(t, before.Raw, s.positions(t, "ALL").Raw)
	assert.Equal(t, balance, s.View().Balance(s.WalletAddress()))

	right := s.bundle(t, split, closing)
	require.Equal(t, 200, right.Status, "%s", right.Raw)
	assert.Len(t, right.At("signatures"), 2)
	assert.True(t, s.View().TransactionStatus(right.Text("signatures", 1)).Found)
	left := s.positions(t, "EXECUTED")
	require.Len(t, left.JSON, 1)
	assert.Equal(t, a.Text("newPositionAddresses", 1), left.Text(0, "address"))
}

func TestBundleAllOrNothing(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	require.NoError(t, s.FundToken(s.WalletAddress(), s.Mint("USDC"), 10_000_000_000))
	position := s.open(t, long, "1000000000", 2)
	closeOnce := s.text(t, s.ok(t, "/positions/close", "positionAddress", position).Text("transaction"))
	closeTwice := s.text(t, s.ok(t, "/positions/close", "positionAddress", position, "relayTipLamports", 1).Text("transaction"))
	small := s.offer(t, smallLong)
	open := func(collateral string) string {
		return s.text(t, s.ok(t, "/positions/open", "offerPublicKey", small, "collateralAmount", collateral, "leverage", 3.5).Text("transaction"))
	}
	greedy := []string{open("4000000000"), open("4000000001"), open("3000000000")}
	state := func() []any {
		return []any{
			s.positions(t, "ALL").JSON, s.get(t, "/offers").JSON, s.get(t, "/positions/trade-history?owner="+s.WalletAddress()).JSON,
			s.View().Balance(s.WalletAddress()), s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")),
		}
	}
	before := state()
	for name, test := range map[string]struct {
		bundle  []string
		message string
	}{
		"closed twice":          {[]string{closeOnce, closeTwice}, "transaction 1: Error processing Instruction 2: custom program error: 0x1773"},
		"the same twice":        {[]string{closeOnce, closeOnce}, "transaction 1: This transaction has already been processed"},
		"one is malformed":      {[]string{closeOnce, "1111"}, "transaction 1: the transaction is malformed"},
		"more than can be lent": {greedy, "transaction 2: Error processing Instruction 1: custom program error: 0x1771"},
		"with another between":  {[]string{closeOnce, greedy[0], closeTwice}, "transaction 2"},
	} {
		a := s.bundle(t, test.bundle...)
		assert.Equal(t, 400, a.Status, name)
		assert.Contains(t, string(a.Raw), test.message, name)
		assert.Equal(t, before, state(), name)
	}
	landed := s.bundle(t, greedy[0], closeOnce)
	require.Equal(t, 200, landed.Status, "%s", landed.Raw)
	assert.Len(t, s.positions(t, "EXECUTED").JSON, 1)
	assert.Equal(t, 400, s.bundle(t, closeTwice).Status)

	assert.Equal(t, []string{"transaction 1: the transaction is malformed: ledger: the transaction ends early"}, s.TakeProblems())
	assert.Equal(t, 400, s.bundle(t).Status)
	assert.Len(t, s.TakeProblems(), 1)
	s2 := start(t, play.Config{ManualClock: true, Shape: 2})
	one := s2.text(t, s2.ok(t, "/positions/open", "offerPublicKey", s2.offer(t, long), "collateralAmount", "1000", "leverage", 2).Text("transaction"))
	a := s2.bundle(t, one)
	assert.Equal(t, "landed", a.Text("status"))
	assert.Len(t, a.At("transactions"), 1)
}
