package leverage_test

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

// The offers in the order in which they are listed.
const (
	long = iota
	smallLong
	short
	tether
	meme
)

// leverageAsk posts a request of the wallet's; more are name, value, ....
func (s *started) ask(t *testing.T, path string, more ...any) answer {
	t.Helper()
	body := map[string]any{"userPublicKey": s.WalletAddress()}
	for i := 0; i < len(more); i += 2 {
		body[more[i].(string)] = more[i+1]
	}
	return s.Do(t, play.Leverage, "POST", "/api/v1"+path, body)
}

// leverageOK is leverageAsk where the answer has to be good.
func (s *started) ok(t *testing.T, path string, more ...any) answer {
	t.Helper()
	a := s.ask(t, path, more...)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

func (s *started) get(t *testing.T, path string) answer {
	t.Helper()
	a := s.Do(t, play.Leverage, "GET", "/api/v1"+path, nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

// leverageSigned signs what a builder answered.
func (s *started) signed(t *testing.T, text string) []byte {
	t.Helper()
	return worldtest.Sign(t, worldtest.Base64(t, text), s.Wallet())
}

// leverageRun builds, signs and executes, past the relay.
func (s *started) run(t *testing.T, path string, more ...any) *ledger.Receipt {
	t.Helper()
	a := s.ok(t, path, more...)
	assert.Equal(t, s.LastValid(), a.Text("lastValidBlockHeight"))
	r := s.land(t, a.Text("transaction"))
	s.Advance(time.Second) // the same request again gets another blockhash
	return r
}

func (s *started) land(t *testing.T, text string) *ledger.Receipt {
	t.Helper()
	return s.SignAndSubmit(t, worldtest.Base64(t, text))
}

func (s *started) offer(t *testing.T, index int) string {
	t.Helper()
	return s.get(t, "/offers").Text(index, "address")
}

func (s *started) liquidity(t *testing.T, index int) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(s.get(t, "/offers").Text(index, "totalLiquidity"), 10, 64)
	require.NoError(t, err)
	return n
}

// leverageOpen opens a position and returns its address. The sandbox has to
// serve its first shapes.
func (s *started) open(t *testing.T, offer int, collateral string, leverage float64) string {
	t.Helper()
	r := s.run(t, "/positions/open", "offerPublicKey", s.offer(t, offer), "collateralAmount", collateral, "leverage", leverage)
	require.Nil(t, r.Err, "%v", r.Logs)
	open := s.positions(t, "EXECUTED")
	return open.Text(len(open.JSON.([]any))-1, "address")
}

func (s *started) positions(t *testing.T, status string) answer {
	t.Helper()
	return s.get(t, "/positions?owner="+s.WalletAddress()+"&status="+status)
}

// float reads a figure.
func float(t *testing.T, a answer, path ...any) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(a.Text(path...), 64)
	require.NoError(t, err, "%v of %s", path, a.Raw)
	return x
}

func TestOffers(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	all := s.get(t, "/offers")
	require.Len(t, all.JSON, 5)
	assert.Equal(t, "LONG", all.Text(0, "side"))
	assert.Equal(t, "500000000000", all.Text(0, "totalLiquidity"))
	assert.Equal(t, "5", all.Text(0, "maxLeverage"))
	assert.Equal(t, "12", all.Text(0, "interestRate"))
	assert.Nil(t, all.At(0, "baseToken"))
	for query, n := range map[string]int{
		"?side=SHORT": 1, "?side=LONG": 4, "?search=usdt": 1, "?search=Wrapped": 5, "?search=" + s.Mint("DUST"): 1, "?search=none": 0,
		"?quoteToken=" + s.Mint("USDC"): 3, "?tags=meme": 1, "?tags=meme,cheap": 2, "?limit=2": 2, "?limit=0": 0, "?offset=4": 1, "?offset=9": 0,
	} {
		assert.Len(t, s.get(t, "/offers"+query).JSON, n, query)
	}
	with := s.get(t, "/offers?includeTokens=true&limit=1")
	assert.Equal(t, "150", with.Text(0, "baseToken", "priceUsd"))
	assert.Equal(t, "9", with.Text(0, "baseToken", "decimals"))
	assert.Equal(t, "USD Coin", with.Text(0, "quoteToken", "name"))
	assert.NotEmpty(t, with.Text(0, "quoteToken", "logoUri"))

	list := s.get(t, "/tokens?search=sol")
	assert.Equal(t, s.Mint("SOL"), list.Text(0, "address"))
	object := s.get(t, "/tokens")
	assert.Equal(t, "4", object.Text("total"))
	assert.Equal(t, s.Mint("SOL"), object.Text("tokens", 0, "mint"))
	assert.Equal(t, "150", object.Text("tokens", 0, "metadata", "priceUsd"))
}

func TestRoutes(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	n := 0
	for _, r := range s.Routes() {
		if r.Service == play.Leverage {
			n++
			assert.Contains(t, r.Pattern, "/api/v1/")
		}
	}
	assert.Equal(t, 20, n)
}

func TestCredentials(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	for path, needed := range map[string]bool{
		"/offers": false, "/tokens": false, "/bundle/tip": false,
		"/positions?owner=" + s.WalletAddress(): true, "/positions/trade-history?owner=" + s.WalletAddress(): true,
	} {
		want := 200
		if needed {
			want = 401
		}
		assert.Equal(t, want, s.Do(t, play.Leverage, "GET", "/api/v1"+path, nil, "X-Api-Key", "").Status, path)
		assert.Equal(t, needed, len(s.TakeProblems()) > 0, path)
		assert.Equal(t, 401, s.Do(t, play.Leverage, "GET", "/api/v1"+path, nil, "X-Api-Key", "wrong").Status, path)
	}
	open := map[string]bool{"/positions/quote": true, "/positions/close-quote": true, "/bundle/submit": true, "/bundle": true}
	posts := 0
	for _, r := range s.Routes() {
		if r.Service != play.Leverage || r.Method != "POST" {
			continue
		}
		posts++
		status := s.Do(t, play.Leverage, "POST", r.Pattern, map[string]any{}, "X-Api-Key", "").Status
		if open[r.Pattern[len("/api/v1"):]] {
			assert.Equal(t, 400, status, r.Pattern)
		} else {
			assert.Equal(t, 401, status, r.Pattern)
		}
	}
	assert.Greater(t, posts, len(open))
	s.TakeProblems()
}

func TestLongIsWhatWasQuoted(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	owner, usdc, offer := s.WalletAddress(), s.Mint("USDC"), s.offer(t, long)
	request := []any{"offerPublicKey", offer, "collateralAmount", "1000000000", "leverage", 3, "slippageBps", 100}
	quote := s.ok(t, "/positions/quote", request...)
	assert.Equal(t, "2000000000", quote.Text("borrowAmount"))
	assert.Equal(t, "3000000", quote.Text("fees", "openFee"), "a thousandth of 3,000")
	assert.Equal(t, "19980000000", quote.Text("expectedOutput"), "2,997 at 150")
	assert.Equal(t, "19780200000", quote.Text("minimumOutput"))
	assert.InDelta(t, 2000/2997.0, float(t, quote, "risk", "ltv"), 1e-9)
	assert.InDelta(t, 2000/(19.98*0.9), float(t, quote, "risk", "liquidationPrice"), 1e-9)

	before := s.View().TokenBalance(owner, usdc)
	require.Nil(t, s.run(t, "/positions/open", append(request, "relayTipLamports", 12_345)...).Err)
	assert.Equal(t, before-1_000_000_000, s.View().TokenBalance(owner, usdc))
	s.Lock()
	tips := s.Leverage.TipAccount()
	s.Unlock()
	assert.EqualValues(t, build.LamportsPerSOL+12_345, s.View().Balance(tips.String()))
	assert.EqualValues(t, int64(498_000_000_000), s.liquidity(t, long))

	p := s.positions(t, "EXECUTED")
	require.Len(t, p.JSON, 1)
	assert.Equal(t, "1000000000", p.Text(0, "collateralAmount"))
	assert.Equal(t, "2000000000", p.Text(0, "borrowedAmount"))
	assert.Equal(t, "150", p.Text(0, "entryPrice"))
	assert.Equal(t, "150", p.Text(0, "currentPrice"))
	assert.Equal(t, "657534", p.Text(0, "dailyInterestCost"), "12 % a year")
	assert.InDelta(t, float(t, quote, "risk", "liquidationPrice"), float(t, p, 0, "liquidationPrice"), 1e-4)
	assert.InDelta(t, 2997/997.0, float(t, p, 0, "effectiveLeverage"), 1e-6)
	assert.InDelta(t, -3, float(t, p, 0, "unrealizedPnlUsd"), 1e-3, "the fee")
	assert.Equal(t, "SOL", p.Text(0, "baseToken", "symbol"))

	require.NoError(t, s.Pools.SetPrice(s.Mint("SOL"), 165_000_000))
	p = s.positions(t, "ALL")
	assert.InDelta(t, 19.98*165-2000-1000, float(t, p, 0, "unrealizedPnlUsd"), 1e-3)
	assert.InDelta(t, 29.67, float(t, p, 0, "roiPercent"), 1e-3)
	assert.Equal(t, "165", p.Text(0, "currentPrice"))
}

func TestShortWinsWhenThePriceFalls(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	position := s.open(t, short, "1000000000", 2)
	p := s.positions(t, "EXECUTED")
	assert.Equal(t, "SHORT", p.Text(0, "side"))
	assert.Equal(t, "6666666666", p.Text(0, "borrowedAmount"), "a thousand dollars of SOL")
	assert.Greater(t, float(t, p, 0, "liquidationPrice"), 150.0)
	require.NoError(t, s.Pools.SetPrice(s.Mint("SOL"), 120_000_000))
	p = s.positions(t, "EXECUTED")
	gain := float(t, p, 0, "unrealizedPnlUsd")
	assert.InDelta(t, 1998-800-1000, gain, 1e-3)

	before := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	quote := s.ok(t, "/positions/close-quote", "positionAddress", position)
	assert.InDelta(t, gain-0.8, float(t, quote, "pnlUsd"), 1e-3, "less the fee")
	require.Nil(t, s.run(t, "/positions/close", "positionAddress", position).Err)
	paid := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")) - before
	assert.InDelta(t, float(t, quote, "proceeds"), float64(paid), 1)
	assert.GreaterOrEqual(t, s.liquidity(t, short), uint64(2_000_000_000_000))
	assert.Len(t, s.positions(t, "EXECUTED").JSON, 0)
	closed := s.positions(t, "CLOSED")
	assert.Equal(t, position, closed.Text(0, "address"))
	assert.Equal(t, "0", closed.Text(0, "borrowedAmount"))
	assert.NotNil(t, closed.At(0, "closedAt"))
	again := s.ask(t, "/positions/close", "positionAddress", position)
	assert.Contains(t, string(again.Raw), "the position is CLOSED")
}

func TestLiquidityRunsOut(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	offer := s.offer(t, smallLong)
	ask := func(collateral string) answer {
		return s.ask(t, "/positions/open", "offerPublicKey", offer, "collateralAmount", collateral, "leverage", 3.5)
	}
	first, second := ask("6000000000"), ask("6000000001")
	require.Equal(t, 200, second.Status, "both could be had when they were built")
	require.Nil(t, s.land(t, first.Text("transaction")).Err)
	assert.EqualValues(t, int64(10_000_000_000), s.liquidity(t, smallLong))
	late := s.land(t, second.Text("transaction"))
	require.NotNil(t, late.Err)
	assert.Equal(t, ledger.Custom(6001), late.Err.Cause)
	require.Nil(t, s.land(t, ask("4000000000").Text("transaction")).Err)
	assert.Zero(t, s.liquidity(t, smallLong))
	assert.Contains(t, string(s.ask(t, "/positions/quote", "offerPublicKey", offer, "collateralAmount", "1000", "leverage", 2).Raw), "0 left to lend")

	position := s.positions(t, "EXECUTED").Text(0, "address")
	s.Advance(24 * time.Hour)
	require.Nil(t, s.run(t, "/positions/close", "positionAddress", position).Err)
	assert.Greater(t, s.liquidity(t, smallLong), uint64(15_000_000_000), "and the interest")
}

func TestSlippage(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	sol := s.Mint("SOL")
	request := []any{"offerPublicKey", s.offer(t, long), "collateralAmount", "1000000000", "leverage", 2, "slippageBps", 0}
	a := s.ok(t, "/positions/open", request...)
	require.NoError(t, s.Pools.SetPrice(sol, 150_000_001))
	r := s.land(t, a.Text("transaction"))
	require.NotNil(t, r.Err)
	assert.Equal(t, ledger.Custom(6004), r.Err.Cause)
	assert.Len(t, s.positions(t, "ALL").JSON, 0)

	position := s.open(t, long, "1000000000", 2)
	for _, step := range []struct {
		price uint64
		fails bool // beyond 0.2 percent of the proceeds
	}{{149_000_000, true}, {149_950_000, false}} {
		require.NoError(t, s.Pools.SetPrice(sol, 150_000_000))
		a = s.ok(t, "/positions/close", "positionAddress", position, "slippageBps", 20)
		require.NoError(t, s.Pools.SetPrice(sol, step.price))
		r := s.land(t, a.Text("transaction"))
		assert.Equal(t, step.fails, r.Err != nil, "%v", r.Logs)
		s.Advance(time.Second)
	}
	assert.Len(t, s.positions(t, "CLOSED").JSON, 1)
}

func TestClosePaysThePriceAtExecution(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	position := s.open(t, long, "1000000000", 2)
	a := s.ok(t, "/positions/close", "positionAddress", position)
	before := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	require.NoError(t, s.Pools.SetPrice(s.Mint("SOL"), 300_000_000))
	require.Nil(t, s.land(t, a.Text("transaction")).Err)
	paid := float64(s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")) - before)
	assert.InDelta(t, 1998*2*0.999-1000, paid/1e6, 1e-3, "not what it was worth when it was built")
}

func TestLiquidation(t *testing.T) {
	for _, test := range []struct {
		name   string
		offer  int
		safe   float64 // of the liquidation price
		beyond float64
	}{{"long", long, 1.001, 0.999}, {"short", short, 0.999, 1.001}} {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, play.Config{ManualClock: true, Shape: 1})
			position := s.open(t, test.offer, "1000000000", 3)
			liquidity := s.liquidity(t, test.offer)
			limit := float(t, s.positions(t, "EXECUTED"), 0, "liquidationPrice") * 1e6
			require.NoError(t, s.Pools.SetPrice(s.Mint("SOL"), uint64(limit*test.safe)))
			p := s.positions(t, "EXECUTED")
			require.Len(t, p.JSON, 1)
			assert.InDelta(t, 0.9, float(t, p, 0, "currentLtv"), 0.001)

			require.NoError(t, s.Pools.SetPrice(s.Mint("SOL"), uint64(limit*test.beyond)))
			lost := s.positions(t, "LIQUIDATED")
			require.Len(t, lost.JSON, 1)
			assert.Equal(t, position, lost.Text(0, "address"))
			assert.Len(t, s.positions(t, "EXECUTED").JSON, 0)
			event := s.get(t, "/positions/trade-history?eventType=LIQUIDATION&owner="+s.WalletAddress())
			assert.Equal(t, position, event.Text(0, "positionAddress"))
			assert.InDelta(t, -1000, float(t, event, 0, "pnlUsd"), 0.01, "all that was put in")
			assert.Greater(t, s.liquidity(t, test.offer), liquidity)
			require.NoError(t, s.Pools.SetPrice(s.Mint("SOL"), 150_000_000))
			assert.Len(t, s.positions(t, "EXECUTED").JSON, 0, "lost for good")
		})
	}
	s := start(t, play.Config{ManualClock: true})
	assert.Error(t, s.Pools.SetPrice("nothing", 1))
	assert.Error(t, s.Pools.SetPrice(s.Mint("SOL"), 0))
}

func TestInterestLiquidatesToo(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	sol := s.View().Balance(s.WalletAddress())
	s.open(t, meme, "2000000000", 2)
	assert.EqualValues(t, sol-2_000_000_000-5000, s.View().Balance(s.WalletAddress()), "wrapped, paid, and the account closed again")
	s.Advance(100 * 24 * time.Hour)
	p := s.positions(t, "EXECUTED")
	assert.InDelta(t, 2e9*0.9*100/365, float(t, p, 0, "interestAccrued"), 1e4)
	s.Advance(300 * 24 * time.Hour)
	lost := s.positions(t, "LIQUIDATED")
	require.Len(t, lost.JSON, 1)
	days := (float(t, lost, 0, "closedAt") - float(t, lost, 0, "openedAt")) / 86400
	assert.InDelta(t, (0.9*0.999*2-1)/0.9*365, days, 0.2, "by the clock, not when somebody looked")
}

func TestRefusals(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	offer, position := s.offer(t, long), s.open(t, long, "1000000000", 2)
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
		"bad user":           {"/positions/quote", quote("userPublicKey", "x"), 400, true},
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
		"bad position":       {"/positions/close-quote", of("positionAddress", "x"), 400, true},
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
		"preview of nothing": {"/positions/add-collateral-quote", of(), 200, false},
		"preview of no mode": {"/positions/increase-borrow-quote", of("additionalBorrowAmount", "5"), 200, false},
		"preview of number":  {"/positions/increase-borrow-quote", of("additionalBorrowAmount", 5), 200, false},
		"preview of nobody":  {"/positions/increase-borrow-quote", []any{"positionAddress", "x"}, 400, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.ask(t, test.path, test.more...)
			assert.Equal(t, test.status, a.Status, "%s", a.Raw)
			assert.Equal(t, test.violation, len(s.TakeProblems()) > 0, "%s", a.Raw)
		})
	}
	for path, status := range map[string]int{
		"/positions": 400, "/positions?owner=x": 400, "/positions?owner=" + nobody + "&status=OPEN": 400,
		"/positions/trade-history?owner=" + nobody + "&eventType=SWAP": 400, "/offers?side=long": 400,
	} {
		assert.Equal(t, status, s.Do(t, play.Leverage, "GET", "/api/v1"+path, nil).Status, path)
	}
	assert.Len(t, s.TakeProblems(), 5)
}

func TestAttack(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	position := s.open(t, long, "1000000000", 2)
	s.Attack(func(string, []byte, [32]byte) []byte { return []byte("evil") })
	evil := base58.Encode([]byte("evil"))
	a := s.ok(t, "/positions/partial-sell", "positionAddress", position, "splitRatioBps", 5000)
	assert.Equal(t, evil, a.Text("splitTransaction"))
	assert.Equal(t, evil, a.Text("closeTransaction"))
	assert.Equal(t, evil, s.ok(t, "/positions/repay", "positionAddress", position).Text("transaction"))
}

func TestShapes(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	one := play.Config{ManualClock: true, Shape: 2}
	other := start(t, one)
	offer := other.offer(t, long)
	quote := other.ok(t, "/positions/quote", "offerPublicKey", offer, "collateralAmount", "1000000000", "leverage", 3)
	assert.Equal(t, "19980000000", quote.Text("quote", "expectedOutput"))
	assert.IsType(t, "", quote.At("quote", "entryPrice"), "text")
	require.Nil(t, other.run(t, "/positions/open", "offerPublicKey", offer, "collateralAmount", "1000000000", "leverage", 3).Err)
	listed := other.get(t, "/positions?owner="+other.WalletAddress()+"&limit=1&offset=0")
	assert.Equal(t, "1", listed.Text("total"))
	assert.IsType(t, "", listed.At("positions", 0, "currentLtv"))
	position := listed.Text("positions", 0, "positionAddress")
	closing := other.ok(t, "/positions/close-quote", "positionAddress", position)
	assert.Equal(t, other.Mint("USDC"), closing.Text("output", "mint"))
	assert.NotEmpty(t, closing.Text("pnl", "usd"))
	history := other.get(t, "/positions/trade-history?owner="+other.WalletAddress()+"&positionAddress="+position)
	assert.Equal(t, "OPEN", history.Text("events", 0, "type"))
	assert.Equal(t, position, history.Text("events", 0, "position"))

	bare, object := s.get(t, "/positions?owner="+s.WalletAddress()), s.get(t, "/positions?owner="+s.WalletAddress())
	assert.JSONEq(t, "[]", string(bare.Raw))
	var envelope struct{ Positions []json.RawMessage }
	require.NoError(t, json.Unmarshal(object.Raw, &envelope))
	assert.NotNil(t, envelope.Positions)
}
