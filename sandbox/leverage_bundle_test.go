package sandbox

import (
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func (s *started) leverageBundle(t *testing.T, texts ...string) answer {
	t.Helper()
	return s.do(t, Leverage, "POST", "/api/v1/bundle", map[string]any{"transactions": append([]string{}, texts...)})
}

// leverageText signs what a builder answered, for the relay.
func (s *started) leverageText(t *testing.T, built string) string {
	t.Helper()
	return base58.Encode(s.leverageSigned(t, built))
}

func TestLeverageTip(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	first := leverageFloat(t, s.leverageGet(t, "/bundle/tip"), "tipLamports")
	assert.Positive(t, first)
	s.Advance(100 * time.Second)
	assert.NotEqual(t, first, leverageFloat(t, s.leverageGet(t, "/bundle/tip"), "tipLamports"))
}

func TestLeverageSubmit(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	offer := s.leverageOffer(t, leverageLong)
	built := func() string {
		s.Advance(time.Second)
		a := s.leverageOK(t, "/positions/open", "offerPublicKey", offer, "collateralAmount", "1000000", "leverage", 2)
		return a.text("transaction")
	}
	send := func(body map[string]any) answer { return s.do(t, Leverage, "POST", "/api/v1/bundle/submit", body) }
	text := s.leverageText(t, built())
	one := send(map[string]any{"transaction": text, "mevProtect": false})
	require.Equal(t, 200, one.Status, "%s", one.Raw)
	assert.True(t, s.Ledger().TransactionStatus(one.text("signature")).Found)
	other := send(map[string]any{"transaction": s.leverageText(t, built()), "mevProtect": true})
	require.Equal(t, 200, other.Status, "%s", other.Raw)
	assert.True(t, s.Ledger().TransactionStatus(other.text("signatures", 0)).Found)
	assert.NotEmpty(t, other.text("bundleId"))

	assert.Contains(t, string(send(map[string]any{"transaction": text}).Raw), "already been processed")
	assert.Contains(t, string(send(map[string]any{"transaction": built()}).Raw), "not signed")
	assert.Contains(t, string(send(map[string]any{"transaction": "0OIl"}).Raw), "not base58")
	assert.Empty(t, s.takeViolations())
	for _, body := range []map[string]any{{}, {"transaction": 5}, {"transaction": text, "mevProtect": "yes"}, {"transaction": text, "encoding": "base58"}} {
		assert.Equal(t, 400, send(body).Status)
		assert.Len(t, s.takeViolations(), 1)
	}
}

func TestLeverageBundleOfAPartialSell(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	position := s.leverageOpen(t, leverageLong, "1000000000", 2)
	a := s.leverageOK(t, "/positions/partial-sell", "positionAddress", position, "splitRatioBps", 5000)
	split, closing := s.leverageText(t, a.text("splitTransaction")), s.leverageText(t, a.text("closeTransaction"))
	before, balance := s.leveragePositions(t, "ALL"), s.Ledger().Balance(s.WalletAddress())
	wrong := s.leverageBundle(t, closing, split)
	assert.Equal(t, 400, wrong.Status, "the closing is of what the split makes")
	assert.Equal(t, before.Raw, s.leveragePositions(t, "ALL").Raw)
	assert.Equal(t, balance, s.Ledger().Balance(s.WalletAddress()))

	right := s.leverageBundle(t, split, closing)
	require.Equal(t, 200, right.Status, "%s", right.Raw)
	assert.Len(t, right.at("signatures"), 2)
	assert.True(t, s.Ledger().TransactionStatus(right.text("signatures", 1)).Found)
	left := s.leveragePositions(t, "EXECUTED")
	require.Len(t, left.JSON, 1)
	assert.Equal(t, a.text("newPositionAddresses", 1), left.text(0, "address"))
}

func TestLeverageBundleAllOrNothing(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	require.NoError(t, s.FundToken(s.WalletAddress(), s.Mint("USDC"), 10_000_000_000))
	position := s.leverageOpen(t, leverageLong, "1000000000", 2)
	closeOnce := s.leverageText(t, s.leverageOK(t, "/positions/close", "positionAddress", position).text("transaction"))
	closeTwice := s.leverageText(t, s.leverageOK(t, "/positions/close", "positionAddress", position, "relayTipLamports", 1).text("transaction"))
	small := s.leverageOffer(t, leverageSmallLong)
	open := func(collateral string) string {
		return s.leverageText(t, s.leverageOK(t, "/positions/open", "offerPublicKey", small, "collateralAmount", collateral, "leverage", 3.5).text("transaction"))
	}
	greedy := []string{open("4000000000"), open("4000000001"), open("3000000000")}
	state := func() []any {
		return []any{
			s.leveragePositions(t, "ALL").JSON, s.leverageGet(t, "/offers").JSON, s.leverageGet(t, "/positions/trade-history?owner="+s.WalletAddress()).JSON,
			s.Ledger().Balance(s.WalletAddress()), s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")),
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
		a := s.leverageBundle(t, test.bundle...)
		assert.Equal(t, 400, a.Status, name)
		assert.Contains(t, string(a.Raw), test.message, name)
		assert.Equal(t, before, state(), name)
	}
	landed := s.leverageBundle(t, greedy[0], closeOnce)
	require.Equal(t, 200, landed.Status, "%s", landed.Raw)
	assert.Len(t, s.leveragePositions(t, "EXECUTED").JSON, 1)
	assert.Equal(t, 400, s.leverageBundle(t, closeTwice).Status)

	assert.Empty(t, s.takeViolations())
	assert.Equal(t, 400, s.leverageBundle(t).Status)
	assert.Len(t, s.takeViolations(), 1)
	s2 := start(t, Config{ManualClock: true, Shape: 2})
	one := s2.leverageText(t, s2.leverageOK(t, "/positions/open", "offerPublicKey", s2.leverageOffer(t, leverageLong), "collateralAmount", "1000", "leverage", 2).text("transaction"))
	a := s2.leverageBundle(t, one)
	assert.Equal(t, "landed", a.text("status"))
	assert.Len(t, a.at("transactions"), 1)
}
