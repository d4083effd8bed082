package transport

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/race"
)

// TestBodyTakesTwiceTheCap at most, past the cap and just under it, for caps of any
// size.
func TestBodyTakesTwiceTheCap(t *testing.T) {
	for _, most := range []int64{1 << 20, 2 << 20, 4 << 20, 8 << 20} {
		for _, expected := range []int64{-1, 100, 1 << 40} {
			past := allocated(func() {
				body, err := readWithin(endless{}, most, expected)
				assert.Equal(t, errTooLarge, err)
				assert.LessOrEqual(t, len(body), 4<<10)
			})
			require.LessOrEqual(t, past, uint64(2*most*race.Factor), "past a cap of %d", most)
			under := allocated(func() {
				body, err := readWithin(zeros(most), most, expected)
				assert.NoError(t, err)
				assert.Len(t, body, int(most))
			})
			require.LessOrEqual(t, under, uint64((2*most+most/4)*race.Factor), "of %d", most)
		}
	}
}
