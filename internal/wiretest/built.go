package wiretest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// Built holds what a builder answered against want, which does not repeat what was asked
// for: package wallet's tests hold that against the table of docs/keys.md.
func Built(t testing.TB, want, got walletfi.Unsigned, why ...any) {
	t.Helper()
	require.NotEmpty(t, got.Intent.Asked)
	got.Intent.Asked = nil
	require.Equal(t, want, got, why...)
}

// Intent is Built for an intent alone.
func Intent(t testing.TB, want, got walletfi.Intent) {
	t.Helper()
	Built(t, walletfi.Unsigned{Intent: want}, walletfi.Unsigned{Intent: got})
}
