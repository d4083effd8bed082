package slippage_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/slippage"
)

const most = walletfi.Amount(1<<64 - 1)

func TestEdges(t *testing.T) {
	for _, row := range []struct {
		quoted      walletfi.Amount
		bps         int
		least, most walletfi.Amount
	}{
		{152_340_000, 50, 151_578_300, 153_101_700},
		{0, 0, 0, 0},
		{0, 10_000, 0, 0},
		{1, 0, 1, 1},
		{1, 1, 0, 2},
		{1, 10_000, 0, 2},
		{9_999, 1, 9_998, 10_000},
		{10_000, 1, 9_999, 10_001},
		{1_001, 50, 995, 1_007},
		{most, 0, most, most},
		{most, 1, 18_444_899_399_302_180_659, most},
		{most, 10_000, 0, most},
		{most / 2, 10_000, 0, most - 1},
		{most/2 + 1, 10_000, 0, most},
		{5, -1, 5, 5},
		{5, 10_001, 0, 11},
	} {
		require.Equal(t, row.least, slippage.Least(row.quoted, walletfi.SlippageBps(row.bps)), "least of %d at %d", row.quoted, row.bps)
		require.Equal(t, row.most, slippage.Most(row.quoted, walletfi.SlippageBps(row.bps)), "most of %d at %d", row.quoted, row.bps)
	}
}

// FuzzExact holds the bounds to exact arithmetic.
func FuzzExact(f *testing.F) {
	f.Add(uint64(152_340_000), uint16(50))
	f.Add(uint64(most), uint16(9_999))
	f.Fuzz(func(t *testing.T, quoted uint64, tolerance uint16) {
		bps := int(tolerance % (slippage.Whole + 1))
		whole := big.NewInt(slippage.Whole)
		product := func(share int) *big.Int {
			return new(big.Int).Mul(new(big.Int).SetUint64(quoted), big.NewInt(int64(share)))
		}
		least := new(big.Int).Div(product(slippage.Whole-bps), whole)
		require.Equal(t, least.Uint64(), uint64(slippage.Least(walletfi.Amount(quoted), walletfi.SlippageBps(bps))))
		largest := product(slippage.Whole + bps)
		largest.Add(largest, big.NewInt(slippage.Whole-1)).Div(largest, whole)
		want := uint64(most)
		if largest.IsUint64() {
			want = largest.Uint64()
		}
		require.Equal(t, want, uint64(slippage.Most(walletfi.Amount(quoted), walletfi.SlippageBps(bps))))
	})
}
