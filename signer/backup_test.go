package signer_test

import (
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
)

// backup writes a copy of the rig's store to a file.
func (r *rig) backup() string {
	c, err := r.Backup(r.t.Context())
	require.NoError(r.t, err)
	path := filepath.Join(r.t.TempDir(), "copy")
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(r.t, err)
	_, err = io.Copy(out, c)
	require.NoError(r.t, err)
	require.NoError(r.t, out.Close())
	require.NoError(r.t, c.Close())
	assert.NoFileExists(r.t, r.cfg.Store+".copy")
	return path
}

// restore ends the process and begins another one on a copy.
func (r *rig) restore(path string) {
	require.NoError(r.t, r.Signer.Close())
	_, err := signer.Restore(r.t.Context(), signer.Restoration{From: path, Store: r.cfg.Store, LogKey: public})
	require.ErrorContains(r.t, err, "move it away")
	for _, left := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(r.cfg.Store + left)
	}
	_, err = signer.Restore(r.t.Context(), signer.Restoration{From: path, Store: r.cfg.Store, LogKey: public})
	require.NoError(r.t, err)
	r.open()
}

// TestNothingCountsLessAfterARestore: what was signed after the copy was made is not in it. It is found
// on chain, which freezes, or waits the window, with and without the anchor.
func TestNothingCountsLessAfterARestore(t *testing.T) {
	for name, lose := range map[string]bool{"the anchor is there": false, "the machine is lost": true} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 2)
			require.True(t, r.land(r.signed(r.pay(payee, 1*sol)), ""))
			r.settle()
			open := r.signed(r.pay(payee, 1*sol)) // counts in the copy
			path := r.backup()
			after := r.signed(r.pay(payee, 3*sol/2)) // does not
			if lose {
				require.NoError(t, os.Remove(r.cfg.Anchor))
			}
			r.restore(path)
			r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
			require.NoError(t, r.Thaw(t.Context(), "uid 0", "restored"))
			assert.Zero(t, r.left(), "what the copy does not have may have used it up")
			r.refused("trader", r.pay(payee, 1), signer.CodeWindow)
			r.reopen()
			r.refused("trader", r.pay(payee, 1), signer.CodeWindow)

			require.True(t, r.land(open, ""))
			require.True(t, r.land(after, ""))
			r.pass(61 * time.Minute)
			require.NoError(t, r.Settle(t.Context()))
			refusal := r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
			assert.Contains(t, refusal.Text, "signed what is not in the log")
			require.NoError(t, r.Thaw(t.Context(), "uid 0", "it was signed after the copy"))
			r.refused("trader", r.pay(payee, 1), signer.CodeWindow)
			r.pass(15 * time.Minute)
			require.NoError(t, r.Settle(t.Context()))
			assert.Equal(t, int64(4*sol-baseFee), r.left(), "the copy saw one land within the hour")
			r.signed(r.pay(payee, 3*sol/2))
			require.NoError(t, r.Signer.Close())
			_, err := signer.Audit(t.Context(), r.cfg.Store, r.cfg.Anchor, public)
			require.NoError(t, err)
			altered(t, r, map[string]string{
				"what counts for the loss":  `DELETE FROM debit WHERE id GLOB 'restored:*'`,
				"from when on that is aged": `UPDATE debit SET at = 1 WHERE id GLOB 'restored:*'`,
			})
			r.open()
		})
	}
}

// TestTheOwnersOfATemplateWaitToo: also an owner whose making the copy does not have.
func TestTheOwnersOfATemplateWaitToo(t *testing.T) {
	r := templates(t)
	path := r.backup()
	key := r.makeUser("ann")
	r.pays(key, 800_000_000)
	r.restore(path)
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "restored"))
	assert.Equal(t, key, r.makeUser("ann"))
	r.refused("trader", r.payFrom(key, 800_000_000), signer.CodeWindow)
	r.pass(80 * time.Minute)
	require.NoError(t, r.Settle(t.Context()))
	r.pays(key, 800_000_000)
}

// TestWhatIsNoCopyIsNotRestored, nor a copy that was changed.
func TestWhatIsNoCopyIsNotRestored(t *testing.T) {
	r := newRig(t, 2)
	r.signed(r.pay(payee, 1000))
	path, dir := r.backup(), t.TempDir()
	_, err := signer.Restore(t.Context(), signer.Restoration{From: path, Store: filepath.Join(dir, "a"), LogKey: make([]byte, 32)})
	require.ErrorIs(t, err, signer.ErrAltered, "of another log key")
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE debit SET amount = 1")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = signer.Restore(t.Context(), signer.Restoration{From: path, Store: filepath.Join(dir, "a"), LogKey: public})
	require.ErrorIs(t, err, signer.ErrAltered)
	require.NoError(t, r.Signer.Close())
	_, err = signer.Restore(t.Context(), signer.Restoration{From: r.cfg.Store, Store: filepath.Join(dir, "a"), LogKey: public})
	require.ErrorContains(t, err, "no copy that a signer has made")
	_, err = signer.Restore(t.Context(), signer.Restoration{From: filepath.Join(dir, "none"), Store: filepath.Join(dir, "a"), LogKey: public})
	require.ErrorIs(t, err, os.ErrNotExist)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	r.open()
}

// TestOnlyAnAdminGetsACopy, and whole, while the signer signs on.
func TestOnlyAnAdminGetsACopy(t *testing.T) {
	_, socket := served(t, false)
	c := client.Connect(socket)
	defer c.Close()
	require.ErrorContains(t, c.Backup(t.Context(), io.Discard), "may not ask")
	r, socket := served(t, true)
	admin := client.Connect(socket)
	defer admin.Close()
	path := filepath.Join(t.TempDir(), "copy")
	for range 2 {
		r.signed(r.pay(payee, 1000))
		out, err := os.Create(path)
		require.NoError(t, err)
		require.NoError(t, admin.Backup(t.Context(), out))
		require.NoError(t, out.Close())
		has, err := signer.CheckCopy(t.Context(), path, "", public)
		require.NoError(t, err)
		health, err := r.Health(t.Context())
		require.NoError(t, err)
		assert.Equal(t, health.Entries, has.Entries)
		assert.Equal(t, r.cfg.Policy.Fingerprint(), has.Policy)
	}
}
