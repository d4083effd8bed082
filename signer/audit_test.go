package signer_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

func copyFile(t *testing.T, from, to string) {
	b, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, b, 0o600))
}

// TestAuditFindsWhatWasChanged: any change of the log or of the debits is found.
func TestAuditFindsWhatWasChanged(t *testing.T) {
	changes := map[string]string{
		"an entry's body":          `UPDATE log SET body = replace(body, 'bot', 'bat') WHERE kind = 'sign'`,
		"an entry's kind":          `UPDATE log SET kind = 'thaw' WHERE seq = 2`,
		"an entry's client":        `UPDATE log SET client = 'other' WHERE seq = 3`,
		"an entry's time":          `UPDATE log SET at = at + 1 WHERE seq = 2`,
		"an entry is gone":         `DELETE FROM log WHERE seq = 3`,
		"the first entry is gone":  `DELETE FROM log WHERE seq = 1`,
		"the newest is gone":       `DELETE FROM log WHERE seq = (SELECT MAX(seq) FROM log)`,
		"all are gone":             `DELETE FROM log`,
		"two are in another order": `UPDATE log SET seq = CASE seq WHEN 3 THEN -4 WHEN 4 THEN -3 ELSE seq END; UPDATE log SET seq = abs(seq)`,
		"a hash":                   `UPDATE log SET hash = (SELECT hash FROM log WHERE seq = 1) WHERE seq = 2`,
		"a signature":              `UPDATE log SET signature = (SELECT signature FROM log WHERE seq = 1) WHERE seq = 2`,
		"a debit's amount":         `UPDATE debit SET amount = 0 WHERE rowid = 1`,
		"a debit's time":           `UPDATE debit SET at = 0 WHERE rowid = 1`,
		"a debit's mint":           `UPDATE debit SET mint = 'x' WHERE rowid = 1`,
		"a debit is gone":          `DELETE FROM debit WHERE rowid = 1`,
		"a debit more":             `INSERT INTO debit VALUES ('x', 'bot', '', 'm', '', -5, 0, 0, 0)`,
		"a message's state":        `UPDATE signed SET state = 'dead'`,
		"a message is gone":        `DELETE FROM signed; DELETE FROM debit`,
	}
	r := newRig(t, 2)
	landed := r.signed(r.pay(payee, 1000))
	require.True(t, r.land(landed, ""))
	r.settle()
	failed := r.signed(r.pay(payee, 1000))
	require.True(t, r.land(failed, "Custom"))
	r.settle()
	r.signed(r.pay(payee, 1000))
	r.refused("trader", r.pay(thief, 1), signer.CodePayee)
	require.NoError(t, r.Signer.Close())

	entries, err := signer.Audit(t.Context(), r.cfg.Store, r.cfg.Anchor, public)
	require.NoError(t, err)
	assert.Equal(t, int64(11), entries) // policy, open; sign and signature of three; end of two; refuse
	whole := r.cfg.Store
	altered(t, r, changes)
	other := make([]byte, 32)
	other[0] = 9
	_, err = signer.Audit(t.Context(), whole, r.cfg.Anchor, other)
	require.ErrorIs(t, err, signer.ErrAltered)
	_, err = signer.Audit(t.Context(), whole+"x", r.cfg.Anchor, public)
	require.ErrorIs(t, err, os.ErrNotExist)
	r.open()
}

// altered makes each change in a copy of a closed signer's store, which an audit must find.
func altered(t *testing.T, r *rig, changes map[string]string) {
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir() + "/store.db"
			copyFile(t, r.cfg.Store, path)
			db, err := sql.Open("sqlite", path)
			require.NoError(t, err)
			_, err = db.Exec(change)
			require.NoError(t, err)
			require.NoError(t, db.Close())
			_, err = signer.Audit(t.Context(), path, r.cfg.Anchor, public)
			require.ErrorIs(t, err, signer.ErrAltered)
		})
	}
}

// TestARestoredCopyFreezes: what was signed since the copy is not counted in it.
func TestARestoredCopyFreezes(t *testing.T) {
	r := newRig(t, 2)
	r.signed(r.pay(payee, 1000))
	require.NoError(t, r.Signer.Close())
	copied := t.TempDir() + "/copy.db"
	copyFile(t, r.cfg.Store, copied)
	r.open()
	r.signed(r.pay(payee, 2000))
	require.NoError(t, r.Signer.Close())
	require.NoError(t, os.Remove(r.cfg.Store))
	copyFile(t, copied, r.cfg.Store)
	_, err := signer.Audit(t.Context(), r.cfg.Store, r.cfg.Anchor, public)
	require.ErrorIs(t, err, signer.ErrAltered)
	r.open()
	r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
	r.reopen()
	r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "we know what was signed"))
	r.refused("trader", r.pay(payee, 1), signer.CodeWindow) // what the copy does not have may have filled it
	r.pass(80 * time.Minute)
	require.NoError(t, r.Settle(t.Context()))
	r.signed(r.pay(payee, 1))
}

// TestTheLogHasEveryDecision: each decision is an entry, and refusals beyond a rate, which is
// that of the signer's clock, are counted in one, also of a signer that ends.
func TestTheLogHasEveryDecision(t *testing.T) {
	r := newRig(t, 2)
	tell := func() (kinds map[string]int, unlogged int) {
		kinds = map[string]int{}
		require.NoError(t, r.Each(t.Context(), func(e signer.Entry) error {
			kinds[e.Kind]++
			var body struct{ Unlogged int }
			if e.Kind == "refusals" {
				assert.Equal(t, "trader", e.Client)
				require.NoError(t, json.Unmarshal(e.Body, &body))
				unlogged += body.Unlogged
			}
			return nil
		}))
		return kinds, unlogged
	}
	r.signed(r.pay(payee, 1))
	refuse := func(times int) {
		for range times {
			r.refused("trader", r.pay(thief, 1), signer.CodePayee)
		}
	}
	refuse(100)
	kinds, unlogged := tell()
	assert.Equal(t, 1, kinds["sign"])
	assert.Equal(t, 1, kinds["signature"])
	assert.Equal(t, 20, kinds["refuse"], "the clock stands")
	assert.Zero(t, unlogged)
	require.NoError(t, r.Settle(t.Context()))
	_, unlogged = tell()
	assert.Equal(t, 80, unlogged)
	r.pass(10 * time.Second)
	refuse(15)
	r.reopen()
	kinds, unlogged = tell()
	assert.Equal(t, 115, kinds["refuse"]+unlogged)
	assert.Equal(t, 30, kinds["refuse"])
	assert.Equal(t, 2, kinds["refusals"])
	r.signed(r.pay(payee, 1))
	stop := errors.New("enough")
	require.ErrorIs(t, r.Each(t.Context(), func(signer.Entry) error { return stop }), stop)
}

var _ signing.Signer = (*badKey)(nil)
