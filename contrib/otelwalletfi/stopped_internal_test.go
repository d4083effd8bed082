package otelwalletfi

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestStoppedIsToldFirst: of a set that stopped a part is paid, whatever stopped it.
func TestStoppedIsToldFirst(t *testing.T) {
	for _, by := range []error{nil, wallet.ErrExpired, wallet.ErrFailed, walletfi.ErrRejected} {
		require.Equal(t, "stopped", kindOf(errors.Join(by, wallet.ErrStopped)))
	}
	require.Equal(t, "outcome_unknown", kindOf(errors.Join(wallet.ErrStopped, walletfi.ErrOutcomeUnknown)))
}
