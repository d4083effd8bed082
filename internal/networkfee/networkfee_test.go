package networkfee_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/networkfee"
)

func TestCap(t *testing.T) {
	require.Equal(t, walletfi.Amount(20_000), networkfee.Cap(0))
	require.Equal(t, walletfi.Amount(20_002), networkfee.Cap(1))
	require.Equal(t, walletfi.Amount(90_000), networkfee.Cap(50_000))
	require.Equal(t, walletfi.Amount(math.MaxUint64), networkfee.Cap(math.MaxUint64))
}

func TestTimes(t *testing.T) {
	require.Equal(t, walletfi.Amount(60_000), networkfee.Times(20_000, 3))
	require.Equal(t, walletfi.Amount(0), networkfee.Times(20_000, 0))
	require.Equal(t, walletfi.Amount(math.MaxUint64), networkfee.Times(math.MaxUint64, 2))
}
