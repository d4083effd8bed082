package walletfi_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestFeePolicy: what is wrong is named, and the zero value is no policy.
func TestFeePolicy(t *testing.T) {
	good := walletfi.FeePolicy{Percentile: 75, MaxPerTransaction: 10_000, MaxPerKey: 10_000, Growth: 1000}
	require.NoError(t, good.Validate())
	require.False(t, good.IsZero())
	require.NoError(t, walletfi.FeePolicy{}.Validate())
	require.True(t, walletfi.FeePolicy{}.IsZero())
	for field, change := range map[string]func(*walletfi.FeePolicy){
		"fees.percentile":        func(p *walletfi.FeePolicy) { p.Percentile = 0 },
		"fees.maxPerTransaction": func(p *walletfi.FeePolicy) { p.MaxPerTransaction = 0 },
		"fees.maxPerKey":         func(p *walletfi.FeePolicy) { p.MaxPerKey = 9_999 },
		"fees.growth":            func(p *walletfi.FeePolicy) { p.Growth = 1001 },
	} {
		p := good
		change(&p)
		requireFieldOf(t, field, p.Validate())
	}
	for _, change := range []func(*walletfi.FeePolicy){
		func(p *walletfi.FeePolicy) { p.Percentile = 101 }, func(p *walletfi.FeePolicy) { p.Growth = -1 },
		func(p *walletfi.FeePolicy) { *p = walletfi.FeePolicy{Floor: 1} },
	} {
		p := good
		change(&p)
		require.ErrorIs(t, p.Validate(), walletfi.ErrInvalidRequest)
	}
	for _, p := range []walletfi.FeePolicy{{Percentile: 1, MaxPerTransaction: 1}, {Percentile: 100, MaxPerTransaction: 1}} {
		require.NoError(t, p.Validate())
	}
}

func requireFieldOf(t *testing.T, field string, err error) {
	t.Helper()
	invalid, ok := errors.AsType[*walletfi.ValidationError](err)
	require.True(t, ok, "%s: %v", field, err)
	require.Equal(t, field, invalid.Field)
}
