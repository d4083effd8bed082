package wallet_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

func TestForget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { c.Heights = nil })
		r.submit = func(int, walletfi.Signed) error { return errLost }
		u := r.pay(t, 1)
		_, err := r.wallet.Execute(soon(t), u)
		require.Error(t, err)
		r.wallet.Forget(u.Intent)
		r.submit = nil
		_, err = r.wallet.Execute(soon(t), u)
		require.NoError(t, err)
	})
}

func TestSameIntentRunsOnceAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		held := make(chan struct{})
		r.submit = func(int, walletfi.Signed) error { <-held; return nil }
		u := r.pay(t, 1)
		done := make(chan error)
		go func() { _, err := r.wallet.Execute(soon(t), u); done <- err }()
		synctest.Wait()
		_, err := r.wallet.Execute(soon(t), u)
		var open *wallet.UnsettledError
		require.ErrorAs(t, err, &open)
		require.True(t, open.Running)
		close(held)
		require.NoError(t, <-done)
	})
}

// TestRememberWhileRunning: neither Remember nor Forget lets a second Execute
// of an intent start before the first has returned.
func TestRememberWhileRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		held := make(chan struct{})
		r.submit = func(int, walletfi.Signed) error { <-held; return nil }
		u := r.pay(t, 1)
		done := make(chan error)
		go func() { _, err := r.wallet.Execute(soon(t), u); done <- err }()
		synctest.Wait()
		r.wallet.Remember(wallet.Unsettled{Intent: u.Intent})
		for range 2 {
			_, err := r.wallet.Execute(soon(t), u)
			var open *wallet.UnsettledError
			require.ErrorAs(t, err, &open)
			require.True(t, open.Running)
			r.wallet.Forget(u.Intent)
		}
		close(held)
		require.NoError(t, <-done)
		require.Len(t, r.wallet.Unsettled(), 1, "what was remembered meanwhile stays")
		r.wallet.Forget(u.Intent)
		_, err := r.wallet.Execute(soon(t), u)
		require.NoError(t, err)
	})
}
