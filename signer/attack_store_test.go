package signer_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// TestAuditFindsWhatCountsElsewhere: a change of the store by which a window, an exposure, a freeze or
// a watched message is lost is found, as the log says all of it.
func TestAuditFindsWhatCountsElsewhere(t *testing.T) {
	r := newRig(t, 2)
	require.True(t, r.land(r.signed(r.pay(payee, 1000)), ""))
	r.settle()
	r.signed(r.pay(payee, 2000))
	require.NoError(t, r.Freeze(t.Context(), "uid 0", signer.ModeFrozen, "stop"))
	require.NoError(t, r.Signer.Close())
	_, err := signer.Audit(t.Context(), r.cfg.Store, r.cfg.Anchor, public)
	require.NoError(t, err)
	altered(t, r, map[string]string{
		"a debit's owner":    `UPDATE debit SET owner = 'x'`,
		"a debit's client":   `UPDATE debit SET client = 'x'`,
		"a debit's cost":     `UPDATE debit SET cost = 0`,
		"a debit's exposure": `UPDATE debit SET exposure = exposure - 1`,
		"a message's owner":  `UPDATE signed SET owner = 'x'`,
		"a message's bytes":  `UPDATE signed SET tx = substr(tx, 1, 100)`,
		"a message's grade":  `UPDATE signed SET simulated = 1 - simulated`,
		"the freeze":         `UPDATE meta SET value = 'open' WHERE name = 'mode'`,
		"the freeze is gone": `DELETE FROM meta WHERE name = 'mode'`,
		"the policy":         `UPDATE meta SET value = 'x' WHERE name = 'policy'`,
	})
	r.open()
}

// TestAFrozenOwnerIsInTheLog: the audit finds an owner who was let go on in the store, and a thaw
// names whom it frees.
func TestAFrozenOwnerIsInTheLog(t *testing.T) {
	r := newRig(t, 2)
	stolen, err := signing.Decode(r.pay(thief, 1000).Unsigned.Transactions[0])
	require.NoError(t, err)
	require.NoError(t, signing.SignUnchecked(t.Context(), stolen, ownerKey))
	require.True(t, r.land(stolen, ""))
	r.pass(2 * time.Hour)
	require.NoError(t, r.Settle(t.Context()))
	r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
	require.NoError(t, r.Signer.Close())
	altered(t, r, map[string]string{"an owner is let go on": `DELETE FROM meta WHERE name GLOB 'frozen:*'`})
	r.open()
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "we know"))
	var thawed struct{ Owners string }
	require.NoError(t, r.Each(t.Context(), func(e signer.Entry) error {
		if e.Kind == "thaw" {
			return json.Unmarshal(e.Body, &thawed)
		}
		return nil
	}))
	require.Equal(t, owner.String(), thawed.Owners)
}
