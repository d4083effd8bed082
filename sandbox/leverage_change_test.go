package sandbox

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLeverageSplitAndMerge(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	position := s.leverageOpen(t, leverageLong, "1000000001", 3)
	s.Advance(time.Hour)
	before := s.leveragePositions(t, "EXECUTED")
	require.Nil(t, s.leverageRun(t, "/positions/split", "positionAddress", position, "splitRatioBps", 2500).Err)
	assert.Equal(t, position, s.leveragePositions(t, "CLOSED").text(0, "address"))
	parts := s.leveragePositions(t, "EXECUTED")
	require.Len(t, parts.JSON, 2)
	assert.Equal(t, "250000000", parts.text(0, "collateralAmount"))
	assert.Equal(t, "750000001", parts.text(1, "collateralAmount"), "no unit is lost")
	for i := range 2 {
		assert.InDelta(t, leverageFloat(t, before, 0, "currentLtv"), leverageFloat(t, parts, i, "currentLtv"), 1e-7)
		assert.InDelta(t, leverageFloat(t, before, 0, "liquidationPrice"), leverageFloat(t, parts, i, "liquidationPrice"), 1e-4)
		assert.InDelta(t, leverageFloat(t, before, 0, "roiPercent"), leverageFloat(t, parts, i, "roiPercent"), 1e-3)
	}

	require.Nil(t, s.leverageRun(t, "/positions/merge",
		"firstPositionAddress", parts.text(0, "address"), "secondPositionAddress", parts.text(1, "address")).Err)
	whole := s.leveragePositions(t, "EXECUTED")
	require.Len(t, whole.JSON, 1)
	assert.Equal(t, "1000000001", whole.text(0, "collateralAmount"))
	assert.Equal(t, before.text(0, "borrowedAmount"), whole.text(0, "borrowedAmount"))
	assert.InDelta(t, 150, leverageFloat(t, whole, 0, "entryPrice"), 1e-9)
	assert.Len(t, s.leveragePositions(t, "ALL").JSON, 4)
	assert.EqualValues(t, 500_000_000_000-2_000_000_002, s.leverageLiquidity(t, leverageLong))
}

func TestLeverageMergeOfTwoOffers(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	first := s.leverageOpen(t, leverageSmallLong, "1000000000", 2)
	require.NoError(t, s.SetPrice(s.Mint("SOL"), 180_000_000))
	second := s.leverageOpen(t, leverageLong, "1000000000", 2)
	short := s.leverageOpen(t, leverageShort, "1000000000", 2)
	bad := s.leverageAsk(t, "/positions/merge", "firstPositionAddress", first, "secondPositionAddress", short)
	assert.Contains(t, string(bad.Raw), "pair and side")
	require.Nil(t, s.leverageRun(t, "/positions/merge", "firstPositionAddress", first, "secondPositionAddress", second).Err)
	assert.EqualValues(t, 23_000_000_000, s.leverageLiquidity(t, leverageSmallLong), "took over what the other had lent")
	assert.EqualValues(t, 500_000_000_000, s.leverageLiquidity(t, leverageLong))
	p := s.leveragePositions(t, "EXECUTED")
	require.Len(t, p.JSON, 2)
	holdings := [2]float64{1998 / 150.0, 1998 / 180.0}
	mean := (holdings[0]*150 + holdings[1]*180) / (holdings[0] + holdings[1])
	assert.InDelta(t, mean, leverageFloat(t, p, 1, "entryPrice"), 1e-6)
	merged := s.leverageGet(t, "/positions/trade-history?eventType=MERGE&owner="+s.WalletAddress())
	assert.Equal(t, p.text(1, "address"), merged.text(0, "positionAddress"))
}

func TestLeveragePartialSellInOrder(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	position := s.leverageOpen(t, leverageLong, "1000000000", 2)
	a := s.leverageOK(t, "/positions/partial-sell", "positionAddress", position, "splitRatioBps", 4000)
	assert.Nil(t, a.at("lastValidBlockHeight"))
	require.Len(t, a.at("newPositionAddresses"), 2)
	premature := s.leverageLand(t, a.text("closeTransaction"))
	require.NotNil(t, premature.Err, "there is nothing to be closed yet")
	s.Advance(time.Second)

	a = s.leverageOK(t, "/positions/partial-sell", "positionAddress", position, "splitRatioBps", 4000)
	before := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	require.Nil(t, s.leverageLand(t, a.text("splitTransaction")).Err)
	assert.Len(t, s.leveragePositions(t, "EXECUTED").JSON, 2)
	require.Nil(t, s.leverageLand(t, a.text("closeTransaction")).Err)
	left := s.leveragePositions(t, "EXECUTED")
	require.Len(t, left.JSON, 1)
	assert.Equal(t, a.text("newPositionAddresses", 1), left.text(0, "address"))
	assert.Equal(t, "600000000", left.text(0, "collateralAmount"))
	assert.Equal(t, a.text("newPositionAddresses", 0), s.leveragePositions(t, "CLOSED").text(1, "address"))
	paid := float64(s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))-before) / 1e6
	assert.InDelta(t, 0.4*(1998*0.999-1000), paid, 1e-2)
}

func TestLeverageRepay(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	position := s.leverageOpen(t, leverageLong, "1000000000", 2)
	s.Advance(365 * 24 * time.Hour)
	usdc, lamports := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")), s.Ledger().Balance(s.WalletAddress())
	require.Nil(t, s.leverageRun(t, "/positions/partial-repay", "positionAddress", position, "repaymentBps", 5000).Err)
	p := s.leveragePositions(t, "EXECUTED")
	assert.InDelta(t, 1120e6/2, float64(usdc-s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))), 1e3, "half of what is owed, interest and all")
	assert.InDelta(t, 560e6, leverageFloat(t, p, 0, "borrowedAmount"), 1e3)
	assert.Less(t, leverageFloat(t, p, 0, "interestAccrued"), 10.0, "interest is paid first; a second has passed since")
	assert.InDelta(t, 560/1998.0, leverageFloat(t, p, 0, "currentLtv"), 1e-5)
	assert.InDelta(t, -122, leverageFloat(t, p, 0, "unrealizedPnlUsd"), 0.01, "the interest and the fee")

	require.Nil(t, s.leverageRun(t, "/positions/repay", "positionAddress", position).Err)
	assert.InDelta(t, 1120e6, float64(usdc-s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))), 1e3)
	assert.EqualValues(t, lamports+13_320_000_000-2*5000, s.Ledger().Balance(s.WalletAddress()), "the SOL is handed over")
	assert.Len(t, s.leveragePositions(t, "EXECUTED").JSON, 0)
	assert.Equal(t, position, s.leveragePositions(t, "CLOSED").text(0, "address"))
	events := s.leverageGet(t, "/positions/trade-history?eventType=REPAY&owner="+s.WalletAddress())
	require.Len(t, events.JSON, 2)
	assert.InDelta(t, 1e3, float64(s.leverageLiquidity(t, leverageLong)-500_120_000_000), 1e3, "with the interest")
}

func TestLeverageRepayOfAShortTakesSOL(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	position := s.leverageOpen(t, leverageShort, "1000000000", 2)
	lamports, usdc := s.Ledger().Balance(s.WalletAddress()), s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	require.Nil(t, s.leverageRun(t, "/positions/partial-repay", "positionAddress", position, "repaymentBps", 10000).Err)
	require.NoError(t, s.SetPrice(s.Mint("SOL"), 900_000_000))
	p := s.leveragePositions(t, "EXECUTED")
	require.Len(t, p.JSON, 1, "without debt nothing can be lost")
	assert.Equal(t, "0", p.text(0, "liquidationPrice"))
	assert.Equal(t, "1", p.text(0, "effectiveLeverage"))
	assert.Contains(t, string(s.leverageAsk(t, "/positions/partial-repay", "positionAddress", position, "repaymentBps", 1).Raw), "nothing to repay")
	require.Nil(t, s.leverageRun(t, "/positions/close", "positionAddress", position).Err)
	assert.InDelta(t, 6_666_666_666+10_000, float64(lamports-s.Ledger().Balance(s.WalletAddress())), 100)
	assert.EqualValues(t, usdc+1_998_000_000, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
}

func TestLeverageBorrowMoreAndAddCollateral(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	position := s.leverageOpen(t, leverageLong, "1000000000", 2)
	request := []any{"positionAddress", position, "additionalBorrowAmount", "500000000"}
	quote := s.leverageOK(t, "/positions/increase-borrow-quote", append(request, "mode", "compound")...)
	assert.InDelta(t, 1500/(1998+500*0.999), leverageFloat(t, quote, "projected", "ltv"), 1e-6)
	assert.InDelta(t, 1000/1998.0, leverageFloat(t, quote, "current", "ltv"), 1e-6)
	require.Nil(t, s.leverageRun(t, "/positions/increase-borrow", append(request, "mode", "compound")...).Err)
	p := s.leveragePositions(t, "EXECUTED")
	assert.InDelta(t, leverageFloat(t, quote, "projected", "ltv"), leverageFloat(t, p, 0, "currentLtv"), 1e-6)
	assert.Equal(t, "1500000000", p.text(0, "borrowedAmount"))

	usdc := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	gain := leverageFloat(t, p, 0, "unrealizedPnlUsd")
	require.Nil(t, s.leverageRun(t, "/positions/increase-borrow", "positionAddress", position,
		"additionalBorrowAmount", "100000000", "mode", "withdraw", "relayTipLamports", 1000, "slippageBps", 10).Err)
	assert.Equal(t, usdc+100_000_000, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
	p = s.leveragePositions(t, "EXECUTED")
	assert.InDelta(t, gain, leverageFloat(t, p, 0, "unrealizedPnlUsd"), 1e-3, "taking money out is no loss")
	assert.EqualValues(t, 498_400_000_000, s.leverageLiquidity(t, leverageLong))

	before := p
	added := s.leverageOK(t, "/positions/add-collateral-quote", "positionAddress", position, "collateralAmount", "300000000")
	require.Nil(t, s.leverageRun(t, "/positions/add-collateral", "positionAddress", position, "collateralAmount", "300000000").Err)
	p = s.leveragePositions(t, "EXECUTED")
	assert.Equal(t, "1300000000", p.text(0, "collateralAmount"))
	assert.InDelta(t, leverageFloat(t, added, "projected", "liquidationPrice"), leverageFloat(t, p, 0, "liquidationPrice"), 1e-3)
	assert.Less(t, leverageFloat(t, p, 0, "liquidationPrice"), leverageFloat(t, before, 0, "liquidationPrice"))
	assert.InDelta(t, gain, leverageFloat(t, p, 0, "unrealizedPnlUsd"), 1e-3)
	assert.Equal(t, usdc-200_000_000, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
}

func TestLeverageHistory(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	first := s.leverageOpen(t, leverageLong, "1000000", 2)
	s.leverageOpen(t, leverageLong, "2000000", 2)
	r := s.leverageRun(t, "/positions/close", "positionAddress", first)
	require.Nil(t, r.Err)
	path := "/positions/trade-history?owner=" + s.WalletAddress()
	all := s.leverageGet(t, path)
	require.Len(t, all.JSON, 3)
	assert.Equal(t, "CLOSE", all.text(0, "eventType"), "the newest first")
	assert.Equal(t, r.Signature.String(), all.text(0, "signature"))
	assert.Equal(t, strconv.FormatInt(r.Time.Unix(), 10), all.text(0, "timestamp"))
	assert.Len(t, s.leverageGet(t, path+"&eventType=OPEN").JSON, 2)
	assert.Len(t, s.leverageGet(t, path+"&positionAddress="+first).JSON, 2)
	assert.Equal(t, all.at(1), s.leverageGet(t, path+"&limit=1&offset=1").at(0))
	assert.Len(t, s.leverageGet(t, path+"&offset=3").JSON, 0)
}

func TestLeverageOrdersGoStale(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	first, second := s.leverageOpen(t, leverageLong, "1000000000", 2), s.leverageOpen(t, leverageLong, "1000000000", 2)
	of := []any{"positionAddress", first}
	built := map[string]string{}
	for path, more := range map[string][]any{
		"/positions/repay": of, "/positions/partial-repay": append(of, "repaymentBps", 100),
		"/positions/increase-borrow": append(of, "additionalBorrowAmount", "1000", "mode", "compound"),
		"/positions/add-collateral":  append(of, "collateralAmount", "1000"), "/positions/split": append(of, "splitRatioBps", 100),
		"/positions/merge": {"firstPositionAddress", second, "secondPositionAddress", first}, "/positions/close": append(of, "relayTipLamports", 1),
	} {
		built[path] = s.leverageOK(t, path, more...).text("transaction")
	}
	require.Nil(t, s.leverageRun(t, "/positions/close", of...).Err)
	usdc := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	for path, text := range built {
		r := s.leverageLand(t, text)
		require.NotNil(t, r.Err, path)
		assert.Equal(t, usdc, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")), path)
	}
	left := s.leveragePositions(t, "EXECUTED")
	require.Len(t, left.JSON, 1)
	assert.Equal(t, second, left.text(0, "address"))
}

func TestLeveragePreviewsInText(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	position := s.leverageOpen(t, leverageLong, "1000000000", 2)
	path, more := "/positions/add-collateral-quote", []any{"positionAddress", position, "collateralAmount", "1998000000", "anything", true}
	assert.Contains(t, s.leverageOK(t, path, more...).at("projected"), "ltv")
	text := s.leverageOK(t, path, more...)
	assert.IsType(t, "", text.at("quote", "ltv"))
	assert.InDelta(t, 0.25, leverageFloat(t, text, "quote", "ltv"), 1e-3)
	assert.InDelta(t, 0.5, leverageFloat(t, text, "quote", "previousLtv"), 1e-3)
}
