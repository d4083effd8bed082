package leverage_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestSplitAndMerge(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	position := s.open(t, long, "1000000001", 3)
	s.Advance(time.Hour)
	before := s.positions(t, "EXECUTED")
	require.Nil(t, s.run(t, "/positions/split", "positionAddress", position, "splitRatioBps", 2500).Err)
	assert.Equal(t, position, s.positions(t, "CLOSED").Text(0, "address"))
	parts := s.positions(t, "EXECUTED")
	require.Len(t, parts.JSON, 2)
	assert.Equal(t, "250000000", parts.Text(0, "collateralAmount"))
	assert.Equal(t, "750000001", parts.Text(1, "collateralAmount"), "no unit is lost")
	for i := range 2 {
		assert.InDelta(t, float(t, before, 0, "currentLtv"), float(t, parts, i, "currentLtv"), 1e-7)
		assert.InDelta(t, float(t, before, 0, "liquidationPrice"), float(t, parts, i, "liquidationPrice"), 1e-4)
		assert.InDelta(t, float(t, before, 0, "roiPercent"), float(t, parts, i, "roiPercent"), 1e-3)
	}

	require.Nil(t, s.run(t, "/positions/merge",
		"firstPositionAddress", parts.Text(0, "address"), "secondPositionAddress", parts.Text(1, "address")).Err)
	whole := s.positions(t, "EXECUTED")
	require.Len(t, whole.JSON, 1)
	assert.Equal(t, "1000000001", whole.Text(0, "collateralAmount"))
	assert.Equal(t, before.Text(0, "borrowedAmount"), whole.Text(0, "borrowedAmount"))
	assert.InDelta(t, 150, float(t, whole, 0, "entryPrice"), 1e-9)
	assert.Len(t, s.positions(t, "ALL").JSON, 4)
	assert.EqualValues(t, int64(500_000_000_000-2_000_000_002), s.liquidity(t, long))
}

func TestMergeOfTwoOffers(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	first := s.open(t, smallLong, "1000000000", 2)
	require.NoError(t, s.Pools.SetPrice(s.Mint("SOL"), 180_000_000))
	second := s.open(t, long, "1000000000", 2)
	short := s.open(t, short, "1000000000", 2)
	bad := s.ask(t, "/positions/merge", "firstPositionAddress", first, "secondPositionAddress", short)
	assert.Contains(t, string(bad.Raw), "pair and side")
	require.Nil(t, s.run(t, "/positions/merge", "firstPositionAddress", first, "secondPositionAddress", second).Err)
	assert.EqualValues(t, int64(23_000_000_000), s.liquidity(t, smallLong), "took over what the other had lent")
	assert.EqualValues(t, int64(500_000_000_000), s.liquidity(t, long))
	p := s.positions(t, "EXECUTED")
	require.Len(t, p.JSON, 2)
	holdings := [2]float64{1998 / 150.0, 1998 / 180.0}
	mean := (holdings[0]*150 + holdings[1]*180) / (holdings[0] + holdings[1])
	assert.InDelta(t, mean, float(t, p, 1, "entryPrice"), 1e-6)
	merged := s.get(t, "/positions/trade-history?eventType=MERGE&owner="+s.WalletAddress())
	assert.Equal(t, p.Text(1, "address"), merged.Text(0, "positionAddress"))
}

func TestPartialSellInOrder(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	position := s.open(t, long, "1000000000", 2)
	a := s.ok(t, "/positions/partial-sell", "positionAddress", position, "splitRatioBps", 4000)
	assert.Nil(t, a.At("lastValidBlockHeight"))
	require.Len(t, a.At("newPositionAddresses"), 2)
	premature := s.land(t, a.Text("closeTransaction"))
	require.NotNil(t, premature.Err, "there is nothing to be closed yet")
	s.Advance(time.Second)

	a = s.ok(t, "/positions/partial-sell", "positionAddress", position, "splitRatioBps", 4000)
	before := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	require.Nil(t, s.land(t, a.Text("splitTransaction")).Err)
	assert.Len(t, s.positions(t, "EXECUTED").JSON, 2)
	require.Nil(t, s.land(t, a.Text("closeTransaction")).Err)
	left := s.positions(t, "EXECUTED")
	require.Len(t, left.JSON, 1)
	assert.Equal(t, a.Text("newPositionAddresses", 1), left.Text(0, "address"))
	assert.Equal(t, "600000000", left.Text(0, "collateralAmount"))
	assert.Equal(t, a.Text("newPositionAddresses", 0), s.positions(t, "CLOSED").Text(1, "address"))
	paid := float64(s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))-before) / 1e6
	assert.InDelta(t, 0.4*(1998*0.999-1000), paid, 1e-2)
}

func TestRepay(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	position := s.open(t, long, "1000000000", 2)
	s.Advance(365 * 24 * time.Hour)
	usdc, lamports := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")), s.View().Balance(s.WalletAddress())
	require.Nil(t, s.run(t, "/positions/partial-repay", "positionAddress", position, "repaymentBps", 5000).Err)
	p := s.positions(t, "EXECUTED")
	assert.InDelta(t, 1120e6/2, float64(usdc-s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))), 1e3, "half of what is owed, interest and all")
	assert.InDelta(t, 560e6, float(t, p, 0, "borrowedAmount"), 1e3)
	assert.Less(t, float(t, p, 0, "interestAccrued"), 10.0, "interest is paid first; a second has passed since")
	assert.InDelta(t, 560/1998.0, float(t, p, 0, "currentLtv"), 1e-5)
	assert.InDelta(t, -122, float(t, p, 0, "unrealizedPnlUsd"), 0.01, "the interest and the fee")

	require.Nil(t, s.run(t, "/positions/repay", "positionAddress", position).Err)
	assert.InDelta(t, 1120e6, float64(usdc-s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))), 1e3)
	assert.EqualValues(t, lamports+13_320_000_000-2*5000, s.View().Balance(s.WalletAddress()), "the SOL is handed over")
	assert.Len(t, s.positions(t, "EXECUTED").JSON, 0)
	assert.Equal(t, position, s.positions(t, "CLOSED").Text(0, "address"))
	events := s.get(t, "/positions/trade-history?eventType=REPAY&owner="+s.WalletAddress())
	require.Len(t, events.JSON, 2)
	assert.InDelta(t, 1e3, float64(s.liquidity(t, long)-500_120_000_000), 1e3, "with the interest")
}

func TestRepayOfAShortTakesSOL(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	position := s.open(t, short, "1000000000", 2)
	lamports, usdc := s.View().Balance(s.WalletAddress()), s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	require.Nil(t, s.run(t, "/positions/partial-repay", "positionAddress", position, "repaymentBps", 10000).Err)
	require.NoError(t, s.Pools.SetPrice(s.Mint("SOL"), 900_000_000))
	p := s.positions(t, "EXECUTED")
	require.Len(t, p.JSON, 1, "without debt nothing can be lost")
	assert.Equal(t, "0", p.Text(0, "liquidationPrice"))
	assert.Equal(t, "1", p.Text(0, "effectiveLeverage"))
	assert.Contains(t, string(s.ask(t, "/positions/partial-repay", "positionAddress", position, "repaymentBps", 1).Raw), "nothing to repay")
	require.Nil(t, s.run(t, "/positions/close", "positionAddress", position).Err)
	assert.InDelta(t, int64(6_666_666_666+10_000), float64(lamports-s.View().Balance(s.WalletAddress())), 100)
	assert.EqualValues(t, usdc+1_998_000_000, s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
}

func TestBorrowMoreAndAddCollateral(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	position := s.open(t, long, "1000000000", 2)
	request := []any{"positionAddress", position, "additionalBorrowAmount", "500000000"}
	quote := s.ok(t, "/positions/increase-borrow-quote", append(request, "mode", "compound")...)
	assert.InDelta(t, 1500/(1998+500*0.999), float(t, quote, "projected", "ltv"), 1e-6)
	assert.InDelta(t, 1000/1998.0, float(t, quote, "current", "ltv"), 1e-6)
	require.Nil(t, s.run(t, "/positions/increase-borrow", append(request, "mode", "compound")...).Err)
	p := s.positions(t, "EXECUTED")
	assert.InDelta(t, float(t, quote, "projected", "ltv"), float(t, p, 0, "currentLtv"), 1e-6)
	assert.Equal(t, "1500000000", p.Text(0, "borrowedAmount"))

	usdc := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	gain := float(t, p, 0, "unrealizedPnlUsd")
	require.Nil(t, s.run(t, "/positions/increase-borrow", "positionAddress", position,
		"additionalBorrowAmount", "100000000", "mode", "withdraw", "relayTipLamports", 1000, "slippageBps", 10).Err)
	assert.Equal(t, usdc+100_000_000, s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
	p = s.positions(t, "EXECUTED")
	assert.InDelta(t, gain, float(t, p, 0, "unrealizedPnlUsd"), 1e-3, "taking money out is no loss")
	assert.EqualValues(t, int64(498_400_000_000), s.liquidity(t, long))

	before := p
	added := s.ok(t, "/positions/add-collateral-quote", "positionAddress", position, "collateralAmount", "300000000")
	require.Nil(t, s.run(t, "/positions/add-collateral", "positionAddress", position, "collateralAmount", "300000000").Err)
	p = s.positions(t, "EXECUTED")
	assert.Equal(t, "1300000000", p.Text(0, "collateralAmount"))
	assert.InDelta(t, float(t, added, "projected", "liquidationPrice"), float(t, p, 0, "liquidationPrice"), 1e-3)
	assert.Less(t, float(t, p, 0, "liquidationPrice"), float(t, before, 0, "liquidationPrice"))
	assert.InDelta(t, gain, float(t, p, 0, "unrealizedPnlUsd"), 1e-3)
	assert.Equal(t, usdc-200_000_000, s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
}

func TestHistory(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	first := s.open(t, long, "1000000", 2)
	s.open(t, long, "2000000", 2)
	r := s.run(t, "/positions/close", "positionAddress", first)
	require.Nil(t, r.Err)
	path := "/positions/trade-history?owner=" + s.WalletAddress()
	all := s.get(t, path)
	require.Len(t, all.JSON, 3)
	assert.Equal(t, "CLOSE", all.Text(0, "eventType"), "the newest first")
	assert.Equal(t, r.Signature.String(), all.Text(0, "signature"))
	assert.Equal(t, strconv.FormatInt(r.Time.Unix(), 10), all.Text(0, "timestamp"))
	assert.Len(t, s.get(t, path+"&eventType=OPEN").JSON, 2)
	assert.Len(t, s.get(t, path+"&positionAddress="+first).JSON, 2)
	assert.Equal(t, all.At(1), s.get(t, path+"&limit=1&offset=1").At(0))
	assert.Len(t, s.get(t, path+"&offset=3").JSON, 0)
}

func TestOrdersGoStale(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	first, second := s.open(t, long, "1000000000", 2), s.open(t, long, "1000000000", 2)
	of := []any{"positionAddress", first}
	built := map[string]string{}
	for path, more := range map[string][]any{
		"/positions/repay": of, "/positions/partial-repay": append(of, "repaymentBps", 100),
		"/positions/increase-borrow": append(of, "additionalBorrowAmount", "1000", "mode", "compound"),
		"/positions/add-collateral":  append(of, "collateralAmount", "1000"), "/positions/split": append(of, "splitRatioBps", 100),
		"/positions/merge": {"firstPositionAddress", second, "secondPositionAddress", first}, "/positions/close": append(of, "relayTipLamports", 1),
	} {
		built[path] = s.ok(t, path, more...).Text("transaction")
	}
	require.Nil(t, s.run(t, "/positions/close", of...).Err)
	usdc := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	for path, text := range built {
		r := s.land(t, text)
		require.NotNil(t, r.Err, path)
		assert.Equal(t, usdc, s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")), path)
	}
	left := s.positions(t, "EXECUTED")
	require.Len(t, left.JSON, 1)
	assert.Equal(t, second, left.Text(0, "address"))
}

func TestPreviewsInText(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	position := s.open(t, long, "1000000000", 2)
	path, more := "/positions/add-collateral-quote", []any{"positionAddress", position, "collateralAmount", "1998000000", "anything", true}
	assert.Contains(t, s.ok(t, path, more...).At("projected"), "ltv")
	text := s.ok(t, path, more...)
	assert.IsType(t, "", text.At("quote", "ltv"))
	assert.InDelta(t, 0.25, float(t, text, "quote", "ltv"), 1e-3)
	assert.InDelta(t, 0.5, float(t, text, "quote", "previousLtv"), 1e-3)
}

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
