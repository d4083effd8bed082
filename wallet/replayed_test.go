package wallet_test

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestReplayed: the result of a call that signed does not say so, and one that is the
// journal's does, in the same process and in the next one.
func TestReplayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file, ledger := filepath.Join(t.TempDir(), "journal"), newChain(t, 1001)
		var u walletfi.Unsigned
		for _, process := range [][]bool{{false, true}, {true}} {
			journal, err := wallet.OpenFileJournal(file)
			require.NoError(t, err)
			r := newRigWith(t, func(c *wallet.Config) {
				c.Submitter, c.Confirmer, c.Heights, c.Journal = ledger, ledger, ledger, journal
			})
			r.chain = ledger
			if u.Transactions == nil {
				u = r.pay(t, 1)
			}
			for _, replayed := range process {
				result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "executed"})
				require.NoError(t, err)
				require.Equal(t, replayed, result.Replayed)
				placed, err := r.wallet.Place(soon(t), &builder{r: r, t: t}, wallet.PlaceOptions{Key: "placed"})
				require.NoError(t, err)
				require.Equal(t, replayed, placed.Replayed)
				text, err := json.Marshal(placed)
				require.NoError(t, err)
				var read wallet.Placed
				require.NoError(t, json.Unmarshal(text, &read))
				require.Equal(t, []bool{replayed, replayed}, []bool{read.Replayed, read.Result.Replayed})
			}
			require.NoError(t, r.wallet.Close())
			require.NoError(t, journal.Close())
		}
		require.Equal(t, 2, ledger.submissions())
	})
}

// TestReplayedAfterDoubt: what the process before left in doubt is found out by Place, which
// signs nothing.
func TestReplayedAfterDoubt(t *testing.T) {
	for name, sent := range map[string]walletfi.SignatureStatus{
		"confirmed": {Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 7},
		"failed":    {Found: true, Err: "Custom", Commitment: walletfi.CommitmentFinalized, Slot: 7},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				journal, signature := leftInDoubt(t)
				r := newRigWith(t, func(c *wallet.Config) { c.Journal = unlisted{journal} })
				r.tells(func(int, string) (walletfi.SignatureStatus, error) { return sent, nil })
				placed, err := r.wallet.Place(soon(t), &builder{r: r, t: t}, wallet.PlaceOptions{Key: "a"})
				require.Equal(t, sent.Err == "", err == nil, "%v", err)
				require.Equal(t, []string{signature}, placed.Result.Signatures())
				require.True(t, placed.Replayed)
			})
		})
	}
}
