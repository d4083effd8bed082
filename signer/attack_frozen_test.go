package signer_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
)

// TestARenamedOwnerIsFrozenTwice: the log names owners and the store has their keys; a signer whose policy
// gives a frozen owner another name opens its store, and again after it was frozen once more.
func TestARenamedOwnerIsFrozenTwice(t *testing.T) {
	r := newRig(t, 1)
	r.stolen()
	require.NoError(t, r.hour())
	require.Equal(t, []string{owner.String()}, r.frozen())
	next, err := signer.ParsePolicy([]byte(strings.ReplaceAll(policyText(), `"bot"`, `"robot"`)))
	require.NoError(t, err)
	r.cfg.Policy, r.cfg.Accept = next, next.Fingerprint()
	r.reopen()
	r.stolen()
	require.NoError(t, r.hour())
	require.Equal(t, []string{owner.String()}, r.frozen())
	r.reopen()
	require.Equal(t, []string{owner.String()}, r.frozen())
}

// TestWhoIsFrozenIsAudited: the audit finds that another owner than the log's is frozen in the store.
func TestWhoIsFrozenIsAudited(t *testing.T) {
	r := newRig(t, 1)
	r.stolen()
	require.NoError(t, r.hour())
	require.NoError(t, r.Signer.Close())
	db, err := sql.Open("sqlite", r.cfg.Store)
	require.NoError(t, err)
	_, err = db.Exec("UPDATE meta SET name = ? WHERE name = ?", "frozen:"+payee.String(), "frozen:"+owner.String())
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = signer.Audit(t.Context(), r.cfg.Store, r.cfg.Anchor, public)
	require.ErrorIs(t, err, signer.ErrAltered)
	db, err = sql.Open("sqlite", r.cfg.Store)
	require.NoError(t, err)
	_, err = db.Exec("UPDATE meta SET name = ? WHERE name = ?", "frozen:"+owner.String(), "frozen:"+payee.String())
	require.NoError(t, err)
	require.NoError(t, db.Close())
	r.open()
}
