package wallet_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestSameBytesWithoutAKey: the ledger executes the same bytes once. Whichever of two
// executions has no key, the second is refused, and is neither called confirmed by the first
// one's execution nor expired.
func TestSameBytesWithoutAKey(t *testing.T) {
	named := wallet.ExecuteOptions{Key: "order 1"}
	for what, opts := range map[string][2]wallet.ExecuteOptions{
		"neither has one":    {},
		"the first has one":  {named, {}},
		"the second has one": {{}, named},
	} {
		for _, wallets := range []int{1, 2} {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				second := r.wallet
				if wallets == 2 {
					other := newRigWith(t, func(c *wallet.Config) {
						c.Journal, c.Submitter, c.Confirmer, c.Heights = r.journal, r.chain, r.chain, r.chain
					})
					second = other.wallet
				}
				u := r.pay(t, 1)
				_, err := r.wallet.Execute(soon(t), u, opts[0])
				require.NoError(t, err, what)
				_, err = second.Execute(soon(t), u, opts[1])
				answersTo(t, err, walletfi.ErrNotSent)
				require.ErrorContains(t, err, "byte for byte", what)
				require.Equal(t, 1, r.submissions(), what)
				u.Transactions[0] = r.transfer(t, 1, 77)
				_, err = second.Execute(soon(t), u, opts[1])
				require.NoError(t, err, "%s: the same may be paid again by other bytes", what)
			})
		}
	}
}

// TestSameBytesOfTwoWallets: two payments of two wallets on one file.
func TestSameBytesOfTwoWallets(t *testing.T) {
	journal, err := wallet.OpenFileJournal(filepath.Join(t.TempDir(), "journal"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, journal.Close()) })
	var rigs []*rig
	for range 2 {
		rigs = append(rigs, newRigWith(t, func(c *wallet.Config) { c.Journal = journal }))
	}
	u := rigs[0].pay(t, 1)
	_, err = rigs[0].wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "order 1"})
	require.NoError(t, err)
	_, err = rigs[1].wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "order 2"})
	answersTo(t, err, walletfi.ErrNotSent)
	require.ErrorContains(t, err, `key "order 1"`)
	require.Zero(t, rigs[1].submissions())
}
