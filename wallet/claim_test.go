package wallet_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestProgressOfABundleThatFails: nothing is told of what did not land.
func TestProgressOfABundleThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		var sent [][]walletfi.Signed
		_, err := r.wallet.ExecuteBundle(soon(t), r.pay(t, 2), bundle{&sent, walletfi.ErrNotSent}, wallet.ExecuteOptions{
			Progress: func(confirmed, total int) { t.Errorf("told of %d of %d", confirmed, total) },
		})
		answersTo(t, err, walletfi.ErrNotSent)
		require.NotEmpty(t, sent)
	})
}
