package market_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

// amounts are sizes from one unit to more than most pools hold.
var testAmounts = []uint64{1, 2, 7, 99, 1000, 123_457, 10_000_019, 999_999_937, 77_777_777_777, 5_000_000_000_003, 1 << 50}

func TestInputAndOutputAgree(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	checked := 0
	for _, p := range s.Pools.Pools {
		for side := range 2 {
			h := market.Hop{Pool: p, Side: side}
			for _, amount := range testAmounts {
				bought, ok := s.Pools.Buy(h, amount)
				if !ok {
					continue
				}
				checked++
				sold, ok := s.Pools.Sell(h, bought.In)
				require.True(t, ok)
				require.GreaterOrEqual(t, sold.Arrives, amount, "%s: what buying asks for is enough", p.Venue.Slug)
				if less, ok := s.Pools.Sell(h, bought.In-1); ok {
					require.Less(t, less.Arrives, amount, "%s: and a unit less is not", p.Venue.Slug)
				}
			}
		}
	}
	assert.Greater(t, checked, 200)
}

func TestInvariantNeverFalls(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	for _, p := range s.Pools.Pools {
		product := func() *big.Int {
			if c, ok := p.Curve.(market.Product); ok {
				x, y := c.Sides(p.Reserves, 0)
				return x.Mul(x, y)
			}
			return p.Curve.(market.Stable).Invariant(new(big.Int).SetUint64(p.Reserves[0]), new(big.Int).SetUint64(p.Reserves[1]))
		}
		for i, amount := range testAmounts {
			before := product()
			l, ok := s.Pools.Sell(market.Hop{Pool: p, Side: i % 2}, amount)
			if !ok {
				continue
			}
			l.Apply()
			require.True(t, product().Cmp(before) >= 0, "%s after %d", p.Venue.Slug, amount)
		}
	}
}

func TestProductByHand(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	h := s.PoolPair(t, "atlas", "USDC", "SOL")
	x, y := float64(h.Pool.Reserves[h.Side]), float64(h.Pool.Reserves[1-h.Side])
	assert.EqualValues(t, int64(20_000_000_000_000), x)
	l, ok := s.Pools.Sell(h, 200_000_000_000)
	require.True(t, ok)
	assert.EqualValues(t, 500_000_000, l.Fee, "a quarter of a percent")
	net := float64(l.In - l.Fee)
	assert.InDelta(t, y*net/(x+net), float64(l.Out), 1)
	assert.InDelta(t, net/(x+net), l.Impact, 1e-9, "the trade's own share of the pool")
}

func TestStableIsNearlyConstantSum(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	stable, product := s.PoolPair(t, "plateau", "USDC", "USDT"), s.PoolPair(t, "atlas", "USDC", "USDT")
	amount := uint64(1_500_000_000_000) // a tenth of the stable pool
	a, ok := s.Pools.Sell(stable, amount)
	require.True(t, ok)
	assert.Less(t, a.Impact, 0.001)
	assert.InEpsilon(t, float64(amount), float64(a.Out), 0.001)
	b, ok := s.Pools.Sell(product, amount)
	require.True(t, ok)
	assert.Greater(t, b.Impact, 0.1)
	_, ok = s.Pools.Buy(stable, stable.Pool.Reserves[1])
	assert.False(t, ok, "the last unit cannot be had")
	_, ok = s.Pools.Sell(stable, 10*amount)
	assert.True(t, ok)
}

func TestRangeRunsOut(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	h := s.PoolPair(t, "prism", "USDC", "SOL")
	_, ok := s.Pools.Sell(h, 100*h.Pool.Reserves[h.Side])
	assert.False(t, ok, "a range has no more than it holds")
	_, ok = s.Pools.Sell(s.PoolPair(t, "ember", "SOL", "DUST"), math.MaxUint64)
	assert.False(t, ok)
	_, ok = s.Pools.Buy(h, math.MaxUint64)
	assert.False(t, ok)
}

func TestDynamicFeeRisesWithVolumeAndFallsWithTime(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	h := s.PoolPair(t, "tidal", "SOL", "USDC")
	assert.EqualValues(t, 1000, h.Pool.FeeRate())
	l, ok := s.Pools.Sell(h, h.Pool.Reserves[0]/20)
	require.True(t, ok)
	l.Apply()
	raised := h.Pool.FeeRate()
	assert.Greater(t, raised, uint64(5000))
	h.Pool.Volume = math.MaxUint64
	assert.EqualValues(t, 11_000, h.Pool.FeeRate(), "at most one percent more")
	h.Pool.Volume = l.Received
	s.Advance(5 * time.Minute)
	s.Pools.Drift()
	assert.Less(t, h.Pool.FeeRate(), uint64(2000))
}

func TestMarketMovesWithTheClock(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	h := s.PoolPair(t, "atlas", "SOL", "USDC")
	before := h.Pool.Reserves
	s.Advance(59 * time.Second)
	s.Pools.Drift()
	assert.Equal(t, before, h.Pool.Reserves, "nobody trades within a minute")
	l, ok := s.Pools.Sell(h, h.Pool.Reserves[0]/10)
	require.True(t, ok)
	l.Apply()
	moved := h.Pool.Curve.Spot(h.Pool.Reserves, 0)
	s.Advance(time.Minute)
	s.Pools.Drift()
	market, _ := h.Pool.Market(60).Float64()
	assert.InEpsilon(t, market, h.Pool.Curve.Spot(h.Pool.Reserves, 0), 1e-6)
	assert.Less(t, moved, 0.9*market)

	s.Advance(365 * 24 * time.Hour)
	s.Pools.Drift()
	assert.InEpsilon(t, 0.15, h.Pool.Curve.Spot(h.Pool.Reserves, 0), 0.01, "a lamport is worth 0.15 millionths of a dollar")
	other := start(t, play.Config{ManualClock: true})
	other.Advance(59*time.Second + time.Minute + 365*24*time.Hour)
	other.Pools.Drift()
	assert.InEpsilon(t, h.Pool.Curve.Spot(h.Pool.Reserves, 0), other.PoolPair(t, "atlas", "SOL", "USDC").Pool.Curve.Spot(other.PoolPair(t, "atlas", "SOL", "USDC").Pool.Reserves, 0), 1e-3)
}

func TestRoutes(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	request := market.Request{From: s.Token("DUST"), To: s.Token("USDT"), Amount: 1_000_000_000, Hops: 3}
	q, ok := s.Pools.Quote(request)
	require.True(t, ok)
	assert.Greater(t, len(q.Legs()), 1, "no pool trades the pair")
	for i, l := range q.Legs()[1:] {
		assert.Equal(t, q.Legs()[i].Arrives, l.In)
	}
	request.Hops = 1
	_, ok = s.Pools.Quote(request)
	assert.False(t, ok)

	exact, ok := s.Pools.Quote(market.Request{From: s.Token("DUST"), To: s.Token("USDT"), Amount: q.Out, ExactOut: true, Hops: 3})
	require.True(t, ok)
	assert.LessOrEqual(t, exact.In, q.In)

	circle, ok := s.Pools.Quote(market.Request{From: s.Token("SOL"), To: s.Token("SOL"), Amount: 1_000_000_000, Hops: 3})
	require.True(t, ok)
	assert.Less(t, circle.Out, circle.In, "a circle costs its fees")
	assert.InEpsilon(t, float64(circle.In), float64(circle.Out), 0.01)

	big := market.Request{From: s.Token("SOL"), To: s.Token("USDC"), Amount: 40_000_000_000_000, Hops: 1}
	whole, ok := s.Pools.Quote(big)
	require.True(t, ok)
	big.Split = true
	shared, ok := s.Pools.Quote(big)
	require.True(t, ok)
	require.Len(t, shared.Routes, 2)
	assert.Greater(t, shared.Out, whole.Out, "two pools are deeper than one")
	assert.EqualValues(t, 100, shared.Routes[0].Share+shared.Routes[1].Share)
	assert.Equal(t, big.Amount, shared.In)
}

func TestTaxedToken(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	taxed := s.Token("TAXED")
	assert.EqualValues(t, 10, s.Pools.Tax(taxed, 1000))
	sent, ok := s.Pools.Untaxed(taxed, 990)
	require.True(t, ok)
	assert.EqualValues(t, 1000, sent)
	_, ok = s.Pools.Untaxed(taxed, math.MaxUint64)
	assert.False(t, ok)
	gross, _ := s.Pools.Quote(market.Request{From: s.Token("USDC"), To: taxed, Amount: 1_000_000, Hops: 1, Gross: true})
	net, _ := s.Pools.Quote(market.Request{From: s.Token("USDC"), To: taxed, Amount: 1_000_000, Hops: 1})
	assert.Equal(t, gross.Out-s.Pools.Tax(taxed, gross.Out), net.Out)
}

func TestEchoIsByteExactAndBounded(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, StrictEcho: true})
	e := market.NewEchoes[int](s.Core, time.Minute)
	s.Lock()
	e.Keep([]byte(` {"a": 1} `), 7)
	got, fresh, known := e.Find([]byte("{\"a\": 1}\n"))
	assert.True(t, fresh && known, "white space around a value is not part of it")
	assert.Equal(t, 7, got)
	_, _, known = e.Find([]byte(`{"a":1}`))
	assert.False(t, known)
	s.Unlock()
	s.Advance(time.Hour)
	s.Lock()
	defer s.Unlock()
	_, fresh, known = e.Find([]byte(`{"a": 1}`))
	assert.Equal(t, []bool{false, true}, []bool{fresh, known}, "what is too old is told from what was never served")
	for i := range market.MostEchoes {
		e.Keep(kit.MustJSON(i), i)
	}
	_, _, known = e.Find([]byte(`{"a": 1}`))
	assert.False(t, known, "the oldest is forgotten")
}

// Canonical is the same for what a correct encoder makes of a value, and for
// nothing else.
func TestControlCanonical(t *testing.T) {
	same := func(a, b string) bool {
		x, ok := market.Canonical([]byte(a))
		assert.True(t, ok, a)
		y, ok := market.Canonical([]byte(b))
		assert.True(t, ok, b)
		return string(x) == string(y)
	}
	for a, b := range map[string]string{
		`1.50`: `1.5`, `1E+2`: `100.0`, `-0`: `0`, `0.00012`: `1.2e-4`, `100`: ` 1e2 `,
		`123456789012345680000000000000`: `1.2345678901234568e+29`,
		`"c\/d \u00e9\u2028<"`:           "\"c/d \u00e9\u2028\\u003c\"", `{"a":1,"b":[ ]}`: "{\"b\":[],\n\"a\":1.0}",
		`[true,null,"x"]`: `[ true, null ,"x" ]`, `9007199254740993`: `9007199254740993.0`, `1e99999999999999999999`: `1E99999999999999999999`,
	} {
		assert.True(t, same(a, b), "%s, %s", a, b)
	}
	for a, b := range map[string]string{
		`9007199254740993`: `9007199254740992`, `1`: `"1"`, `{}`: `[]`, `[1,2]`: `[2,1]`, `{"a":1}`: `{"a":1,"a":1}`,
		`0`: `null`, `-1`: `1`, `1e-1`: `1e1`, `"a"`: `"A"`, `1.2345678901234568e+29`: `123456789012345678901234567890`, `[12]`: `[1,2]`,
	} {
		assert.False(t, same(a, b), "%s, %s", a, b)
	}
	_, ok := market.Canonical([]byte(`{}x`))
	assert.False(t, ok)
}
