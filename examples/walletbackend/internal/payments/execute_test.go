package payments

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestEnds: what is tried again, and what the user is told at once.
func TestEnds(t *testing.T) {
	refused := func(code string, waits bool) error {
		return fmt.Errorf("%w: %w", walletfi.ErrNotSent, &signing.SetRefusal{Code: code, Waits: waits})
	}
	for _, c := range []struct {
		err   error
		state store.State // empty if it may still land
		soon  bool
	}{
		{nil, store.Confirmed, false},
		{walletfi.ErrOutcomeUnknown, "", false},
		{fmt.Errorf("%w: %w", walletfi.ErrOutcomeUnknown, walletfi.ErrUnavailable), "", true},
		{wallet.ErrExpired, store.Expired, false},
		{wallet.ErrFailed, store.Failed, false},
		{errors.New("refused"), store.NotSent, false},
		{fmt.Errorf("%w: %w", walletfi.ErrNotSent, walletfi.ErrUnavailable), store.NotSent, true},
		{refused(signer.CodeBusy, true), store.NotSent, true},
		{refused(signer.CodeBackend, true), store.NotSent, true},
		{refused(signer.CodeBackend, false), store.NotSent, false},
		{refused(signer.CodeWindow, true), store.NotSent, false},
		{refused(signer.CodeApproval, true), store.NotSent, false},
		{refused(signer.CodeFrozen, true), store.NotSent, false},
		{refused(signer.CodeCeiling, false), store.NotSent, false},
	} {
		state, known := ended(c.err)
		require.Equal(t, c.state, state, c.err)
		require.Equal(t, c.state != "", known, c.err)
		require.Equal(t, c.soon, soon(c.err), c.err)
	}
}
