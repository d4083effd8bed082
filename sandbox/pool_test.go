package sandbox

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// poolPair is a pool of a venue, by its tokens, and which side the first is.
func (s *started) poolPair(t *testing.T, venue, from, to string) poolHop {
	t.Helper()
	for _, p := range s.pools.pools {
		for side := range 2 {
			if h := (poolHop{p, side}); p.venue.slug == venue && h.from().Symbol == from && h.to().Symbol == to {
				return h
			}
		}
	}
	require.Failf(t, "no such pool", "%s %s %s", venue, from, to)
	return poolHop{}
}

// poolAmounts are sizes from one unit to more than most pools hold.
var poolTestAmounts = []uint64{1, 2, 7, 99, 1000, 123_457, 10_000_019, 999_999_937, 77_777_777_777, 5_000_000_000_003, 1 << 50}

func TestPoolInputAndOutputAgree(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	checked := 0
	for _, p := range s.pools.pools {
		for side := range 2 {
			h := poolHop{p, side}
			for _, amount := range poolTestAmounts {
				bought, ok := s.pools.buy(h, amount)
				if !ok {
					continue
				}
				checked++
				sold, ok := s.pools.sell(h, bought.in)
				require.True(t, ok)
				require.GreaterOrEqual(t, sold.arrives, amount, "%s: what buying asks for is enough", p.venue.slug)
				if less, ok := s.pools.sell(h, bought.in-1); ok {
					require.Less(t, less.arrives, amount, "%s: and a unit less is not", p.venue.slug)
				}
			}
		}
	}
	assert.Greater(t, checked, 200)
}

func TestPoolInvariantNeverFalls(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	for _, p := range s.pools.pools {
		product := func() *big.Int {
			if c, ok := p.curve.(poolProduct); ok {
				x, y := c.sides(p.reserves, 0)
				return x.Mul(x, y)
			}
			return p.curve.(poolStable).invariant(new(big.Int).SetUint64(p.reserves[0]), new(big.Int).SetUint64(p.reserves[1]))
		}
		for i, amount := range poolTestAmounts {
			before := product()
			l, ok := s.pools.sell(poolHop{p, i % 2}, amount)
			if !ok {
				continue
			}
			l.apply()
			require.True(t, product().Cmp(before) >= 0, "%s after %d", p.venue.slug, amount)
		}
	}
}

func TestPoolProductByHand(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	h := s.poolPair(t, "atlas", "USDC", "SOL")
	x, y := float64(h.pool.reserves[h.side]), float64(h.pool.reserves[1-h.side])
	assert.EqualValues(t, 20_000_000_000_000, x)
	l, ok := s.pools.sell(h, 200_000_000_000)
	require.True(t, ok)
	assert.EqualValues(t, 500_000_000, l.fee, "a quarter of a percent")
	net := float64(l.in - l.fee)
	assert.InDelta(t, y*net/(x+net), float64(l.out), 1)
	assert.InDelta(t, net/(x+net), l.impact, 1e-9, "the trade's own share of the pool")
}

func TestPoolStableIsNearlyConstantSum(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	stable, product := s.poolPair(t, "plateau", "USDC", "USDT"), s.poolPair(t, "atlas", "USDC", "USDT")
	amount := uint64(1_500_000_000_000) // a tenth of the stable pool
	a, ok := s.pools.sell(stable, amount)
	require.True(t, ok)
	assert.Less(t, a.impact, 0.001)
	assert.InEpsilon(t, float64(amount), float64(a.out), 0.001)
	b, ok := s.pools.sell(product, amount)
	require.True(t, ok)
	assert.Greater(t, b.impact, 0.1)
	_, ok = s.pools.buy(stable, stable.pool.reserves[1])
	assert.False(t, ok, "the last unit cannot be had")
	_, ok = s.pools.sell(stable, 10*amount)
	assert.True(t, ok)
}

func TestPoolRangeRunsOut(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	h := s.poolPair(t, "prism", "USDC", "SOL")
	_, ok := s.pools.sell(h, 100*h.pool.reserves[h.side])
	assert.False(t, ok, "a range has no more than it holds")
	_, ok = s.pools.sell(s.poolPair(t, "ember", "SOL", "DUST"), math.MaxUint64)
	assert.False(t, ok)
	_, ok = s.pools.buy(h, math.MaxUint64)
	assert.False(t, ok)
}

func TestPoolDynamicFeeRisesWithVolumeAndFallsWithTime(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	h := s.poolPair(t, "tidal", "SOL", "USDC")
	assert.EqualValues(t, 1000, h.pool.feeRate())
	l, ok := s.pools.sell(h, h.pool.reserves[0]/20)
	require.True(t, ok)
	l.apply()
	raised := h.pool.feeRate()
	assert.Greater(t, raised, uint64(5000))
	h.pool.volume = math.MaxUint64
	assert.EqualValues(t, 11_000, h.pool.feeRate(), "at most one percent more")
	h.pool.volume = l.received
	s.Advance(5 * time.Minute)
	s.pools.drift()
	assert.Less(t, h.pool.feeRate(), uint64(2000))
}

func TestPoolMarketMovesWithTheClock(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	h := s.poolPair(t, "atlas", "SOL", "USDC")
	before := h.pool.reserves
	s.Advance(59 * time.Second)
	s.pools.drift()
	assert.Equal(t, before, h.pool.reserves, "nobody trades within a minute")
	l, ok := s.pools.sell(h, h.pool.reserves[0]/10)
	require.True(t, ok)
	l.apply()
	moved := h.pool.curve.spot(h.pool.reserves, 0)
	s.Advance(time.Minute)
	s.pools.drift()
	market, _ := h.pool.market(60).Float64()
	assert.InEpsilon(t, market, h.pool.curve.spot(h.pool.reserves, 0), 1e-6)
	assert.Less(t, moved, 0.9*market)

	s.Advance(365 * 24 * time.Hour)
	s.pools.drift()
	assert.InEpsilon(t, 0.15, h.pool.curve.spot(h.pool.reserves, 0), 0.01, "a lamport is worth 0.15 millionths of a dollar")
	other := start(t, Config{ManualClock: true})
	other.Advance(59*time.Second + time.Minute + 365*24*time.Hour)
	other.pools.drift()
	assert.InEpsilon(t, h.pool.curve.spot(h.pool.reserves, 0), other.poolPair(t, "atlas", "SOL", "USDC").pool.curve.spot(other.poolPair(t, "atlas", "SOL", "USDC").pool.reserves, 0), 1e-3)
}

func TestPoolRoutes(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	request := poolRequest{from: s.token("DUST"), to: s.token("USDT"), amount: 1_000_000_000, hops: 3}
	q, ok := s.pools.quote(request)
	require.True(t, ok)
	assert.Greater(t, len(q.legs()), 1, "no pool trades the pair")
	for i, l := range q.legs()[1:] {
		assert.Equal(t, q.legs()[i].arrives, l.in)
	}
	request.hops = 1
	_, ok = s.pools.quote(request)
	assert.False(t, ok)

	exact, ok := s.pools.quote(poolRequest{from: s.token("DUST"), to: s.token("USDT"), amount: q.out, exactOut: true, hops: 3})
	require.True(t, ok)
	assert.LessOrEqual(t, exact.in, q.in)

	circle, ok := s.pools.quote(poolRequest{from: s.token("SOL"), to: s.token("SOL"), amount: 1_000_000_000, hops: 3})
	require.True(t, ok)
	assert.Less(t, circle.out, circle.in, "a circle costs its fees")
	assert.InEpsilon(t, float64(circle.in), float64(circle.out), 0.01)

	big := poolRequest{from: s.token("SOL"), to: s.token("USDC"), amount: 40_000_000_000_000, hops: 1}
	whole, ok := s.pools.quote(big)
	require.True(t, ok)
	big.split = true
	shared, ok := s.pools.quote(big)
	require.True(t, ok)
	require.Len(t, shared.routes, 2)
	assert.Greater(t, shared.out, whole.out, "two pools are deeper than one")
	assert.EqualValues(t, 100, shared.routes[0].share+shared.routes[1].share)
	assert.Equal(t, big.amount, shared.in)
}

func TestPoolTaxedToken(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	taxed := s.token("TAXED")
	assert.EqualValues(t, 10, s.pools.tax(taxed, 1000))
	sent, ok := s.pools.untaxed(taxed, 990)
	require.True(t, ok)
	assert.EqualValues(t, 1000, sent)
	_, ok = s.pools.untaxed(taxed, math.MaxUint64)
	assert.False(t, ok)
	gross, _ := s.pools.quote(poolRequest{from: s.token("USDC"), to: taxed, amount: 1_000_000, hops: 1, gross: true})
	net, _ := s.pools.quote(poolRequest{from: s.token("USDC"), to: taxed, amount: 1_000_000, hops: 1})
	assert.Equal(t, gross.out-s.pools.tax(taxed, gross.out), net.out)
}

func TestPoolEchoIsByteExactAndBounded(t *testing.T) {
	var e poolEchoes[int]
	e.keep([]byte(` {"a": 1} `), 7)
	got, ok := e.find([]byte("{\"a\": 1}\n"))
	assert.True(t, ok, "white space around a value is not part of it")
	assert.Equal(t, 7, got)
	_, ok = e.find([]byte(`{"a":1}`))
	assert.False(t, ok)
	for i := range poolMostEchoes {
		e.keep(mustJSON(i), i)
	}
	_, ok = e.find([]byte(`{"a": 1}`))
	assert.False(t, ok, "the oldest is forgotten")
	assert.Len(t, e.served, poolMostEchoes)
}
