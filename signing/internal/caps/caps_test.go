package caps

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddStaysAtTheMost(t *testing.T) {
	const most = ^uint64(0)
	require.EqualValues(t, 5, Add(uint64(2), 3))
	require.Equal(t, most, Add(most-1, 1))
	require.Equal(t, most, Add(most, 1))
	require.Equal(t, most, Add(most, most))
}

func TestMost(t *testing.T) {
	limits := []Limit{{native, 3}, {usdc, 5}}
	require.EqualValues(t, 3, Most(limits, native))
	require.EqualValues(t, 5, Most(limits, usdc))
	require.Zero(t, Most(limits[:1], usdc))
}

func bigOf(s Sum) *big.Int {
	return new(big.Int).Add(new(big.Int).Lsh(new(big.Int).SetUint64(s.high), 64), new(big.Int).SetUint64(s.low))
}

func uintOf(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// Sums are held against numbers without a bound.
func TestSumEqualsBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() uint64 {
		return []uint64{0, 1, 2, 1 << 63, ^uint64(0) - 1, ^uint64(0), r.Uint64()}[r.IntN(7)]
	}
	sum := func() Sum { return Sum{number() >> 1, number()} }
	for range 5000 {
		s, u, n := sum(), sum(), number()
		if r.IntN(3) == 0 {
			u.high = s.high
		}
		require.Equal(t, new(big.Int).Add(bigOf(s), uintOf(n)), bigOf(s.Plus(n)))
		require.Equal(t, bigOf(s), bigOf(s.Plus(n).minus(n)))
		require.Equal(t, bigOf(s).Cmp(uintOf(n)) > 0, s.Exceeds(n))
		require.Equal(t, s.low, s.Low())
		want := new(big.Int).Sub(bigOf(s), bigOf(u))
		switch {
		case want.Sign() < 0:
			want = uintOf(0)
		case !want.IsUint64():
			want = uintOf(^uint64(0))
		}
		require.Equal(t, want.Uint64(), s.Over(u), "%v over %v", s, u)
	}
}
