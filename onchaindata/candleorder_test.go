package onchaindata

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// TestSortByTime holds the sort to the library's stable one, whatever comes.
func TestSortByTime(t *testing.T) {
	for name, seconds := range map[string][]int64{
		"nothing": {}, "one": {5}, "rising": {1, 2, 3, 4}, "falling": {4, 3, 2, 1}, "the same": {7, 7, 7},
		"rising, with a pair": {1, 2, 2, 3}, "falling, with a pair": {3, 2, 2, 1}, "mixed": {2, 9, 1, 9, 4, 2},
	} {
		for _, newestFirst := range []bool{false, true} {
			var list []Candle
			for i, s := range seconds {
				// Raw tells those of the same time apart.
				list = append(list, Candle{Timestamp: walletfi.Time{Time: time.Unix(s, 0)}, Raw: walletfi.Document{byte(i)}})
			}
			want := slices.Clone(list)
			slices.SortStableFunc(want, func(a, b Candle) int {
				if newestFirst {
					return b.Timestamp.Compare(a.Timestamp.Time)
				}
				return a.Timestamp.Compare(b.Timestamp.Time)
			})
			sortByTime(list, newestFirst)
			require.Equal(t, want, list, "%s, newest first: %v", name, newestFirst)
		}
	}
}
