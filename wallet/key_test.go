package wallet_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestForce overrides what is in doubt, and only what the caller names.
func TestForce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, unproven)
		r.submit = func(int, walletfi.Signed) error { return errLost }
		u := r.pay(t, 1)
		result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		answersTo(t, err, walletfi.ErrOutcomeUnknown)
		r.submit = nil
		u.Transactions[0] = r.transfer(t, 1, 99)
		for _, force := range [][]string{nil, {}, {"another"}} {
			_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Force: force})
			answersTo(t, err, walletfi.ErrOutcomeUnknown)
			var open *wallet.UnsettledError
			require.ErrorAs(t, err, &open)
			require.Equal(t, result.Signatures(), open.Signatures)
			require.Zero(t, r.submissions())
		}
		_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Force: result.Signatures()})
		require.NoError(t, err)
		require.Equal(t, 1, r.submissions())
	})
}

func TestSameIntentRunsOnceAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		held := make(chan struct{})
		r.submit = func(int, walletfi.Signed) error { <-held; return nil }
		u := r.pay(t, 1)
		done := make(chan error)
		go func() { _, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{}); done <- err }()
		synctest.Wait()
		for range 2 {
			_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Force: []string{"anything"}})
			var open *wallet.UnsettledError
			require.ErrorAs(t, err, &open)
			require.True(t, open.Running)
			require.True(t, r.open(t)[0].Running, "what runs is listed")
		}
		close(held)
		require.NoError(t, <-done)
		require.Empty(t, r.open(t))
		u.Transactions[0] = r.transfer(t, 1, 99)
		_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		require.NoError(t, err, "paying the same again, on purpose, stays possible")
		require.Equal(t, 2, r.submissions())
	})
}

// TestKeyThatAJournalCannotHold: JSON makes one key of two that are not UTF-8, and
// after a restart such a key was not found again, so that it paid twice.
func TestKeyThatAJournalCannotHold(t *testing.T) {
	journal, err := wallet.OpenFileJournal(filepath.Join(t.TempDir(), "journal"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, journal.Close()) })
	r := newRigWith(t, func(c *wallet.Config) { c.Journal = journal })
	for _, key := range []string{"\xff", "order \xc3", "\xed\xa0\x80", "a\x00b", strings.Repeat("k", 251)} {
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: key})
		answersTo(t, err, walletfi.ErrNotSent)
		var invalid *walletfi.ValidationError
		require.ErrorAs(t, err, &invalid, "%.20q", key)
		require.Equal(t, "key", invalid.Field)
	}
	require.Zero(t, r.submissions())
	_, err = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: strings.Repeat("\u00e9", 125)})
	require.NoError(t, err)
}

// TestSameBytesForTwoPayments: a service that builds two equal payments on one
// blockhash builds the same bytes. The ledger executes them once, so that the
// second payment must not be called confirmed.
func TestSameBytesForTwoPayments(t *testing.T) {
	r := newRig(t)
	_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "order 1"})
	require.NoError(t, err)
	_, err = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "order 2"})
	answersTo(t, err, walletfi.ErrNotSent)
	require.ErrorContains(t, err, `key "order 1"`)
	require.Equal(t, 1, r.submissions())

	anew := r.pay(t, 1)
	anew.Transactions[0] = r.transfer(t, 1, 77)
	_, err = r.wallet.Execute(soon(t), anew, wallet.ExecuteOptions{Key: "order 2"})
	require.NoError(t, err)

	twice := r.pay(t, 2)
	twice.Transactions[1] = twice.Transactions[0]
	_, err = r.wallet.Execute(soon(t), twice, wallet.ExecuteOptions{Key: "order 3"})
	answersTo(t, err, walletfi.ErrNotSent)
	require.Equal(t, 2, r.submissions())
}
