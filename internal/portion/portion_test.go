package portion

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPortion(t *testing.T) {
	const most = math.MaxUint64
	for _, row := range []struct{ amount, part, whole, down, up uint64 }{
		{0, 5, 10, 0, 0}, {5, 1, 0, most, most}, {5, 0, 10, 0, 0}, {10, 5, 10, 5, 5}, {1, 1, 10_000, 0, 1}, {9_999, 1, 10_000, 0, 1}, {10_001, 1, 10_000, 1, 2},
		{most, 9_999, 10_000, 18444899399302180659, 18444899399302180660},
		{most, 3, 3, most, most}, {most, 4, 3, most, most}, {most, most, most, most, most}, {most, most, 1, most, most}, {most, 2, 1, most, most},
		{6148914691236517206, 3, 1, most, most}, // 2^64 + 2
		{1 << 63, 2, 1, most, most}, {1 << 63, 4, 3, 12297829382473034410, 12297829382473034411},
		{13835058055282163713, 4, 3, most, most},           // 2^64 + 4/3
		{13835058055282163711, 4, 3, most - 1, most},       // 2^64 - 4/3
		{18446744073709551614, most, most - 1, most, most}, // exact
		{most, most - 1, most, most - 1, most - 1},
	} {
		require.Equal(t, row.down, Down(row.amount, row.part, row.whole), "%v", row)
		require.Equal(t, row.up, Up(row.amount, row.part, row.whole), "%v", row)
	}
}
