package sandbox

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// The offers in the order in which they are listed.
const (
	leverageLong = iota
	leverageSmallLong
	leverageShort
	leverageTether
	leverageMeme
)

// leverageAsk posts a request of the wallet's; more are name, value, ....
func (s *started) leverageAsk(t *testing.T, path string, more ...any) answer {
	t.Helper()
	body := map[string]any{"userPublicKey": s.WalletAddress()}
	for i := 0; i < len(more); i += 2 {
		body[more[i].(string)] = more[i+1]
	}
	return s.do(t, Leverage, "POST", "/api/v1"+path, body)
}

// leverageOK is leverageAsk where the answer has to be good.
func (s *started) leverageOK(t *testing.T, path string, more ...any) answer {
	t.Helper()
	a := s.leverageAsk(t, path, more...)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

func (s *started) leverageGet(t *testing.T, path string) answer {
	t.Helper()
	a := s.do(t, Leverage, "GET", "/api/v1"+path, nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

// leverageSigned signs what a builder answered.
func (s *started) leverageSigned(t *testing.T, text string) []byte {
	t.Helper()
	return sign(t, burnCloseBase64(t, text), s.Wallet())
}

// leverageRun builds, signs and executes, past the relay.
func (s *started) leverageRun(t *testing.T, path string, more ...any) *ledger.Receipt {
	t.Helper()
	a := s.leverageOK(t, path, more...)
	height := s.Ledger().BlockHeight()
	assert.Equal(t, strconv.FormatUint(height+150, 10), a.text("lastValidBlockHeight"))
	r := s.leverageLand(t, a.text("transaction"))
	s.Advance(time.Second) // the same request again gets another blockhash
	return r
}

func (s *started) leverageLand(t *testing.T, text string) *ledger.Receipt {
	t.Helper()
	return s.signAndSubmit(t, burnCloseBase64(t, text))
}

func (s *started) leverageOffer(t *testing.T, index int) string {
	t.Helper()
	return s.leverageGet(t, "/offers").text(index, "address")
}

func (s *started) leverageLiquidity(t *testing.T, index int) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(s.leverageGet(t, "/offers").text(index, "totalLiquidity"), 10, 64)
	require.NoError(t, err)
	return n
}

// leverageOpen opens a position and returns its address. The sandbox has to
// serve its first shapes.
func (s *started) leverageOpen(t *testing.T, offer int, collateral string, leverage float64) string {
	t.Helper()
	r := s.leverageRun(t, "/positions/open", "offerPublicKey", s.leverageOffer(t, offer), "collateralAmount", collateral, "leverage", leverage)
	require.Nil(t, r.Err, "%v", r.Logs)
	open := s.leveragePositions(t, "EXECUTED")
	return open.text(len(open.JSON.([]any))-1, "address")
}

func (s *started) leveragePositions(t *testing.T, status string) answer {
	t.Helper()
	return s.leverageGet(t, "/positions?owner="+s.WalletAddress()+"&status="+status)
}

// leverageFloat reads a figure.
func leverageFloat(t *testing.T, a answer, path ...any) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(a.text(path...), 64)
	require.NoError(t, err, "%v of %s", path, a.Raw)
	return x
}

func TestLeverageOffers(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	all := s.leverageGet(t, "/offers")
	require.Len(t, all.JSON, 5)
	assert.Equal(t, "LONG", all.text(0, "side"))
	assert.Equal(t, "500000000000", all.text(0, "totalLiquidity"))
	assert.Equal(t, "5", all.text(0, "maxLeverage"))
	assert.Equal(t, "12", all.text(0, "interestRate"))
	assert.Nil(t, all.at(0, "baseToken"))
	for query, n := range map[string]int{
		"?side=SHORT": 1, "?side=LONG": 4, "?search=usdt": 1, "?search=Wrapped": 5, "?search=" + s.Mint("DUST"): 1, "?search=none": 0,
		"?quoteToken=" + s.Mint("USDC"): 3, "?tags=meme": 1, "?tags=meme,cheap": 2, "?limit=2": 2, "?limit=0": 0, "?offset=4": 1, "?offset=9": 0,
	} {
		assert.Len(t, s.leverageGet(t, "/offers"+query).JSON, n, query)
	}
	with := s.leverageGet(t, "/offers?includeTokens=true&limit=1")
	assert.Equal(t, "150", with.text(0, "baseToken", "priceUsd"))
	assert.Equal(t, "9", with.text(0, "baseToken", "decimals"))
	assert.Equal(t, "USD Coin", with.text(0, "quoteToken", "name"))
	assert.NotEmpty(t, with.text(0, "quoteToken", "logoUri"))

	list := s.leverageGet(t, "/tokens?search=sol")
	assert.Equal(t, s.Mint("SOL"), list.text(0, "address"))
	object := s.leverageGet(t, "/tokens")
	assert.Equal(t, "4", object.text("total"))
	assert.Equal(t, s.Mint("SOL"), object.text("tokens", 0, "mint"))
	assert.Equal(t, "150", object.text("tokens", 0, "metadata", "priceUsd"))
}

func TestLeverageRoutes(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	n := 0
	for _, r := range s.Routes() {
		if r.Service == Leverage {
			n++
			assert.Contains(t, r.Pattern, "/api/v1/")
		}
	}
	assert.Equal(t, 20, n)
}

func TestLeverageCredentials(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	for path, needed := range map[string]bool{
		"/offers": false, "/tokens": false, "/bundle/tip": false,
		"/positions?owner=" + s.WalletAddress(): true, "/positions/trade-history?owner=" + s.WalletAddress(): true,
	} {
		want := 200
		if needed {
			want = 401
		}
		assert.Equal(t, want, s.do(t, Leverage, "GET", "/api/v1"+path, nil, "X-Api-Key", "").Status, path)
		assert.Equal(t, needed, len(s.takeViolations()) > 0, path)
		assert.Equal(t, 401, s.do(t, Leverage, "GET", "/api/v1"+path, nil, "X-Api-Key", "wrong").Status, path)
	}
	open := map[string]bool{"/positions/quote": true, "/positions/close-quote": true, "/bundle/submit": true, "/bundle": true}
	for _, r := range s.Routes() {
		if r.Service != Leverage || r.Method != "POST" {
			continue
		}
		status := s.do(t, Leverage, "POST", r.Pattern, map[string]any{}, "X-Api-Key", "").Status
		if open[r.Pattern[len("/api/v1"):]] {
			assert.Equal(t, 400, status, r.Pattern)
		} else {
			assert.Equal(t, 401, status, r.Pattern)
		}
	}
	s.takeViolations()
}

func TestLeverageLongIsWhatWasQuoted(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	owner, usdc, offer := s.WalletAddress(), s.Mint("USDC"), s.leverageOffer(t, leverageLong)
	request := []any{"offerPublicKey", offer, "collateralAmount", "1000000000", "leverage", 3, "slippageBps", 100}
	quote := s.leverageOK(t, "/positions/quote", request...)
	assert.Equal(t, "2000000000", quote.text("borrowAmount"))
	assert.Equal(t, "3000000", quote.text("fees", "openFee"), "a thousandth of 3,000")
	assert.Equal(t, "19980000000", quote.text("expectedOutput"), "2,997 at 150")
	assert.Equal(t, "19780200000", quote.text("minimumOutput"))
	assert.InDelta(t, 2000/2997.0, leverageFloat(t, quote, "risk", "ltv"), 1e-9)
	assert.InDelta(t, 2000/(19.98*0.9), leverageFloat(t, quote, "risk", "liquidationPrice"), 1e-9)

	before := s.Ledger().TokenBalance(owner, usdc)
	require.Nil(t, s.leverageRun(t, "/positions/open", append(request, "relayTipLamports", 12_345)...).Err)
	assert.Equal(t, before-1_000_000_000, s.Ledger().TokenBalance(owner, usdc))
	s.mu.Lock()
	tips := s.leverage.tipAccount()
	s.mu.Unlock()
	assert.EqualValues(t, lamportsPerSOL+12_345, s.Ledger().Balance(tips.String()))
	assert.EqualValues(t, 498_000_000_000, s.leverageLiquidity(t, leverageLong))

	p := s.leveragePositions(t, "EXECUTED")
	require.Len(t, p.JSON, 1)
	assert.Equal(t, "1000000000", p.text(0, "collateralAmount"))
	assert.Equal(t, "2000000000", p.text(0, "borrowedAmount"))
	assert.Equal(t, "150", p.text(0, "entryPrice"))
	assert.Equal(t, "150", p.text(0, "currentPrice"))
	assert.Equal(t, "657534", p.text(0, "dailyInterestCost"), "12 % a year")
	assert.InDelta(t, leverageFloat(t, quote, "risk", "liquidationPrice"), leverageFloat(t, p, 0, "liquidationPrice"), 1e-4)
	assert.InDelta(t, 2997/997.0, leverageFloat(t, p, 0, "effectiveLeverage"), 1e-6)
	assert.InDelta(t, -3, leverageFloat(t, p, 0, "unrealizedPnlUsd"), 1e-3, "the fee")
	assert.Equal(t, "SOL", p.text(0, "baseToken", "symbol"))

	require.NoError(t, s.SetPrice(s.Mint("SOL"), 165_000_000))
	p = s.leveragePositions(t, "ALL")
	assert.InDelta(t, 19.98*165-2000-1000, leverageFloat(t, p, 0, "unrealizedPnlUsd"), 1e-3)
	assert.InDelta(t, 29.67, leverageFloat(t, p, 0, "roiPercent"), 1e-3)
	assert.Equal(t, "165", p.text(0, "currentPrice"))
}

func TestLeverageShortWinsWhenThePriceFalls(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	position := s.leverageOpen(t, leverageShort, "1000000000", 2)
	p := s.leveragePositions(t, "EXECUTED")
	assert.Equal(t, "SHORT", p.text(0, "side"))
	assert.Equal(t, "6666666666", p.text(0, "borrowedAmount"), "a thousand dollars of SOL")
	assert.Greater(t, leverageFloat(t, p, 0, "liquidationPrice"), 150.0)
	require.NoError(t, s.SetPrice(s.Mint("SOL"), 120_000_000))
	p = s.leveragePositions(t, "EXECUTED")
	gain := leverageFloat(t, p, 0, "unrealizedPnlUsd")
	assert.InDelta(t, 1998-800-1000, gain, 1e-3)

	before := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	quote := s.leverageOK(t, "/positions/close-quote", "positionAddress", position)
	assert.InDelta(t, gain-0.8, leverageFloat(t, quote, "pnlUsd"), 1e-3, "less the fee")
	require.Nil(t, s.leverageRun(t, "/positions/close", "positionAddress", position).Err)
	paid := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")) - before
	assert.InDelta(t, leverageFloat(t, quote, "proceeds"), float64(paid), 1)
	assert.GreaterOrEqual(t, s.leverageLiquidity(t, leverageShort), uint64(2_000_000_000_000))
	assert.Len(t, s.leveragePositions(t, "EXECUTED").JSON, 0)
	closed := s.leveragePositions(t, "CLOSED")
	assert.Equal(t, position, closed.text(0, "address"))
	assert.Equal(t, "0", closed.text(0, "borrowedAmount"))
	assert.NotNil(t, closed.at(0, "closedAt"))
	again := s.leverageAsk(t, "/positions/close", "positionAddress", position)
	assert.Contains(t, string(again.Raw), "the position is CLOSED")
}

func TestLeverageLiquidityRunsOut(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	offer := s.leverageOffer(t, leverageSmallLong)
	ask := func(collateral string) answer {
		return s.leverageAsk(t, "/positions/open", "offerPublicKey", offer, "collateralAmount", collateral, "leverage", 3.5)
	}
	first, second := ask("6000000000"), ask("6000000001")
	require.Equal(t, 200, second.Status, "both could be had when they were built")
	require.Nil(t, s.leverageLand(t, first.text("transaction")).Err)
	assert.EqualValues(t, 10_000_000_000, s.leverageLiquidity(t, leverageSmallLong))
	late := s.leverageLand(t, second.text("transaction"))
	require.NotNil(t, late.Err)
	assert.Equal(t, ledger.Custom(6001), late.Err.Cause)
	require.Nil(t, s.leverageLand(t, ask("4000000000").text("transaction")).Err)
	assert.Zero(t, s.leverageLiquidity(t, leverageSmallLong))
	assert.Contains(t, string(s.leverageAsk(t, "/positions/quote", "offerPublicKey", offer, "collateralAmount", "1000", "leverage", 2).Raw), "0 left to lend")

	position := s.leveragePositions(t, "EXECUTED").text(0, "address")
	s.Advance(24 * time.Hour)
	require.Nil(t, s.leverageRun(t, "/positions/close", "positionAddress", position).Err)
	assert.Greater(t, s.leverageLiquidity(t, leverageSmallLong), uint64(15_000_000_000), "and the interest")
}

func TestLeverageSlippage(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	sol := s.Mint("SOL")
	request := []any{"offerPublicKey", s.leverageOffer(t, leverageLong), "collateralAmount", "1000000000", "leverage", 2, "slippageBps", 0}
	a := s.leverageOK(t, "/positions/open", request...)
	require.NoError(t, s.SetPrice(sol, 150_000_001))
	r := s.leverageLand(t, a.text("transaction"))
	require.NotNil(t, r.Err)
	assert.Equal(t, ledger.Custom(6004), r.Err.Cause)
	assert.Len(t, s.leveragePositions(t, "ALL").JSON, 0)

	position := s.leverageOpen(t, leverageLong, "1000000000", 2)
	for _, step := range []struct {
		price uint64
		fails bool // beyond 0.2 percent of the proceeds
	}{{149_000_000, true}, {149_950_000, false}} {
		require.NoError(t, s.SetPrice(sol, 150_000_000))
		a = s.leverageOK(t, "/positions/close", "positionAddress", position, "slippageBps", 20)
		require.NoError(t, s.SetPrice(sol, step.price))
		r := s.leverageLand(t, a.text("transaction"))
		assert.Equal(t, step.fails, r.Err != nil, "%v", r.Logs)
		s.Advance(time.Second)
	}
	assert.Len(t, s.leveragePositions(t, "CLOSED").JSON, 1)
}

func TestLeverageClosePaysThePriceAtExecution(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	position := s.leverageOpen(t, leverageLong, "1000000000", 2)
	a := s.leverageOK(t, "/positions/close", "positionAddress", position)
	before := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	require.NoError(t, s.SetPrice(s.Mint("SOL"), 300_000_000))
	require.Nil(t, s.leverageLand(t, a.text("transaction")).Err)
	paid := float64(s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")) - before)
	assert.InDelta(t, 1998*2*0.999-1000, paid/1e6, 1e-3, "not what it was worth when it was built")
}

func TestLeverageLiquidation(t *testing.T) {
	for _, test := range []struct {
		name   string
		offer  int
		safe   float64 // of the liquidation price
		beyond float64
	}{{"long", leverageLong, 1.001, 0.999}, {"short", leverageShort, 0.999, 1.001}} {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, Config{ManualClock: true, Shape: 1})
			position := s.leverageOpen(t, test.offer, "1000000000", 3)
			liquidity := s.leverageLiquidity(t, test.offer)
			limit := leverageFloat(t, s.leveragePositions(t, "EXECUTED"), 0, "liquidationPrice") * 1e6
			require.NoError(t, s.SetPrice(s.Mint("SOL"), uint64(limit*test.safe)))
			p := s.leveragePositions(t, "EXECUTED")
			require.Len(t, p.JSON, 1)
			assert.InDelta(t, 0.9, leverageFloat(t, p, 0, "currentLtv"), 0.001)

			require.NoError(t, s.SetPrice(s.Mint("SOL"), uint64(limit*test.beyond)))
			lost := s.leveragePositions(t, "LIQUIDATED")
			require.Len(t, lost.JSON, 1)
			assert.Equal(t, position, lost.text(0, "address"))
			assert.Len(t, s.leveragePositions(t, "EXECUTED").JSON, 0)
			event := s.leverageGet(t, "/positions/trade-history?eventType=LIQUIDATION&owner="+s.WalletAddress())
			assert.Equal(t, position, event.text(0, "positionAddress"))
			assert.InDelta(t, -1000, leverageFloat(t, event, 0, "pnlUsd"), 0.01, "all that was put in")
			assert.Greater(t, s.leverageLiquidity(t, test.offer), liquidity)
			require.NoError(t, s.SetPrice(s.Mint("SOL"), 150_000_000))
			assert.Len(t, s.leveragePositions(t, "EXECUTED").JSON, 0, "lost for good")
		})
	}
	s := start(t, Config{ManualClock: true})
	assert.Error(t, s.SetPrice("nothing", 1))
	assert.Error(t, s.SetPrice(s.Mint("SOL"), 0))
}

func TestLeverageInterestLiquidatesToo(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	sol := s.Ledger().Balance(s.WalletAddress())
	s.leverageOpen(t, leverageMeme, "2000000000", 2)
	assert.EqualValues(t, sol-2_000_000_000-5000, s.Ledger().Balance(s.WalletAddress()), "wrapped, paid, and the account closed again")
	s.Advance(100 * 24 * time.Hour)
	p := s.leveragePositions(t, "EXECUTED")
	assert.InDelta(t, 2e9*0.9*100/365, leverageFloat(t, p, 0, "interestAccrued"), 1e4)
	s.Advance(300 * 24 * time.Hour)
	lost := s.leveragePositions(t, "LIQUIDATED")
	require.Len(t, lost.JSON, 1)
	days := (leverageFloat(t, lost, 0, "closedAt") - leverageFloat(t, lost, 0, "openedAt")) / 86400
	assert.InDelta(t, (0.9*0.999*2-1)/0.9*365, days, 0.2, "by the clock, not when somebody looked")
}

func TestLeverageRefusals(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	offer, position := s.leverageOffer(t, leverageLong), s.leverageOpen(t, leverageLong, "1000000000", 2)
	nobody := solana.PublicKey{5}.String()
	quote := func(more ...any) []any {
		return append([]any{"offerPublicKey", offer, "collateralAmount", "1000000", "leverage", 2}, more...)
	}
	of := func(more ...any) []any { return append([]any{"positionAddress", position}, more...) }
	for name, test := range map[string]struct {
		path      string
		more      []any
		status    int
		violation bool
	}{
		"unknown offer":      {"/positions/quote", quote("offerPublicKey", nobody), 404, false},
		"bad user":           {"/positions/quote", quote("userPublicKey", "x"), 400, false},
		"amount as number":   {"/positions/quote", quote("collateralAmount", 1000000), 400, true},
		"amount zero":        {"/positions/quote", quote("collateralAmount", "0"), 400, true},
		"amount in words":    {"/positions/open", quote("collateralAmount", "1.5"), 400, true},
		"no leverage":        {"/positions/quote", quote("leverage", 1), 400, false},
		"too much leverage":  {"/positions/quote", quote("leverage", 5.01), 400, false},
		"slippage":           {"/positions/quote", quote("slippageBps", 10001), 400, true},
		"tip of a quote":     {"/positions/quote", quote("relayTipLamports", 1), 400, true},
		"too poor":           {"/positions/open", quote("collateralAmount", "10000000001"), 400, false},
		"too little":         {"/positions/open", quote("collateralAmount", "1", "leverage", 1.1), 400, false},
		"unknown position":   {"/positions/close", of("positionAddress", nobody), 404, false},
		"bad position":       {"/positions/close-quote", of("positionAddress", "x"), 400, false},
		"not his":            {"/positions/close", of("userPublicKey", nobody), 400, false},
		"no ratio":           {"/positions/split", of(), 400, true},
		"all of it":          {"/positions/split", of("splitRatioBps", 10000), 400, true},
		"none of it":         {"/positions/partial-sell", of("splitRatioBps", 0), 400, true},
		"tip of a split":     {"/positions/split", of("splitRatioBps", 1, "relayTipLamports", 1), 400, true},
		"more than all":      {"/positions/partial-repay", of("repaymentBps", 10001), 400, true},
		"with itself":        {"/positions/merge", []any{"firstPositionAddress", position, "secondPositionAddress", position}, 400, false},
		"mode":               {"/positions/increase-borrow", of("additionalBorrowAmount", "1", "mode", "hold"), 400, true},
		"no mode":            {"/positions/increase-borrow", of("additionalBorrowAmount", "1"), 400, true},
		"beyond its means":   {"/positions/increase-borrow", of("additionalBorrowAmount", "900000000", "mode", "withdraw"), 400, false},
		"beyond the offer":   {"/positions/increase-borrow", of("additionalBorrowAmount", "900000000000", "mode", "compound"), 400, false},
		"adding too much":    {"/positions/add-collateral", of("collateralAmount", "10000000001"), 400, false},
		"preview of nothing": {"/positions/add-collateral-quote", of(), 400, false},
		"preview of no mode": {"/positions/increase-borrow-quote", of("additionalBorrowAmount", "5"), 400, false},
		"preview unreadable": {"/positions/increase-borrow-quote", of("additionalBorrowAmount", 5), 400, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.leverageAsk(t, test.path, test.more...)
			assert.Equal(t, test.status, a.Status, "%s", a.Raw)
			assert.Equal(t, test.violation, len(s.takeViolations()) > 0, "%s", a.Raw)
		})
	}
	for path, status := range map[string]int{
		"/positions": 400, "/positions?owner=x": 400, "/positions?owner=" + nobody + "&status=OPEN": 400,
		"/positions/trade-history?owner=" + nobody + "&eventType=SWAP": 400, "/offers?side=long": 400,
	} {
		assert.Equal(t, status, s.do(t, Leverage, "GET", "/api/v1"+path, nil).Status, path)
	}
	assert.Len(t, s.takeViolations(), 4)
}

func TestLeverageAttack(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	position := s.leverageOpen(t, leverageLong, "1000000000", 2)
	s.Attack(func(string, []byte, [32]byte) []byte { return []byte("evil") })
	evil := base58.Encode([]byte("evil"))
	a := s.leverageOK(t, "/positions/partial-sell", "positionAddress", position, "splitRatioBps", 5000)
	assert.Equal(t, evil, a.text("splitTransaction"))
	assert.Equal(t, evil, a.text("closeTransaction"))
	assert.Equal(t, evil, s.leverageOK(t, "/positions/repay", "positionAddress", position).text("transaction"))
}

func TestLeverageShapes(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	one := Config{ManualClock: true, Shape: 2}
	other := start(t, one)
	offer := other.leverageOffer(t, leverageLong)
	quote := other.leverageOK(t, "/positions/quote", "offerPublicKey", offer, "collateralAmount", "1000000000", "leverage", 3)
	assert.Equal(t, "19980000000", quote.text("quote", "expectedOutput"))
	assert.IsType(t, "", quote.at("quote", "entryPrice"), "text")
	require.Nil(t, other.leverageRun(t, "/positions/open", "offerPublicKey", offer, "collateralAmount", "1000000000", "leverage", 3).Err)
	listed := other.leverageGet(t, "/positions?owner="+other.WalletAddress()+"&limit=1&offset=0")
	assert.Equal(t, "1", listed.text("total"))
	assert.IsType(t, "", listed.at("positions", 0, "currentLtv"))
	position := listed.text("positions", 0, "positionAddress")
	closing := other.leverageOK(t, "/positions/close-quote", "positionAddress", position)
	assert.Equal(t, other.Mint("USDC"), closing.text("output", "mint"))
	assert.NotEmpty(t, closing.text("pnl", "usd"))
	history := other.leverageGet(t, "/positions/trade-history?owner="+other.WalletAddress()+"&positionAddress="+position)
	assert.Equal(t, "OPEN", history.text("events", 0, "type"))
	assert.Equal(t, position, history.text("events", 0, "position"))

	bare, object := s.leverageGet(t, "/positions?owner="+s.WalletAddress()), s.leverageGet(t, "/positions?owner="+s.WalletAddress())
	assert.JSONEq(t, "[]", string(bare.Raw))
	var envelope struct{ Positions []json.RawMessage }
	require.NoError(t, json.Unmarshal(object.Raw, &envelope))
	assert.NotNil(t, envelope.Positions)
}
