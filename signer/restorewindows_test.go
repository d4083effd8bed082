package signer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// TestARestoreUsesUpWhatThePolicyInForceAllows, also if the copy is first opened with another policy, under
// which nothing is signed.
func TestARestoreUsesUpWhatThePolicyInForceAllows(t *testing.T) {
	r := templates(t)
	ann := r.makeUser("ann")
	path := r.backup()
	r.signed(r.pay(payee, 3*sol/2))
	r.pays(ann, 800_000_000)
	is := r.cfg.Policy
	small := strings.NewReplacer("5_000_000_000", "2_000_000_000", "_500_000_000}]", "_000_000_000}]",
		"900_000_000, window = [{length = \"1h\", most = 1_000_000_000", "1000, window = [{length = \"1h\", most = 1000")
	text := small.Replace(strings.Replace(policyText(templateText), `owners = ["bot"]`,
		"owners = [\"bot\"]\ntemplates = [\"user\"]", 1))
	r.cfg.Policy = parsed(t, text)
	require.NotEqual(t, is.Fingerprint(), r.cfg.Policy.Fingerprint())
	r.restore(path)
	r.cfg.Policy = is
	r.reopen()
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "restored"))
	used, err := r.Ledger(t.Context())
	require.NoError(t, err)
	require.Len(t, used, 3)
	for _, u := range used {
		assert.Zero(t, u.Left, "owner %q, %q", u.Owner, u.Payee)
	}
}

// TestAnOwnerWhomTheCopyLacksWaitsToo, as long as his own windows are, which may be longer than those of the
// template's sum.
func TestAnOwnerWhomTheCopyLacksWaitsToo(t *testing.T) {
	r := newRig(t, 2, func(cfg *signer.Config) {
		text := strings.Replace(policyText(templateText), `owners = ["bot"]`, "owners = [\"bot\"]\ntemplates = [\"user\"]", 1)
		text = strings.Replace(text, `length = "1h", most = 1_000_000_000`, `length = "24h", most = 1_000_000_000`, 1)
		cfg.Policy, cfg.Seed = parsed(t, text), signingtest.Key("seed")
	})
	path := r.backup()
	key := r.makeUser("ann")
	r.pays(key, 800_000_000)
	kept, err := r.ImportOwner(t.Context(), "user", imported("kept"))
	require.NoError(t, err)
	r.pays(kept, 600_000_000)
	r.restore(path)
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "restored"))
	r.pass(80 * time.Minute)
	require.NoError(t, r.Settle(t.Context()))
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "restored"))
	require.Equal(t, key, r.makeUser("ann"))
	r.refused("trader", r.payFrom(key, 800_000_000), signer.CodeWindow)
	again, err := r.ImportOwner(t.Context(), "user", imported("kept"))
	require.NoError(t, err)
	require.Equal(t, kept, again)
	r.reopen()
	r.refused("trader", r.payFrom(kept, 600_000_000), signer.CodeWindow)
	r.pass(24 * time.Hour)
	require.NoError(t, r.Settle(t.Context()))
	r.pays(key, 800_000_000)
	require.NoError(t, r.Signer.Close())
	_, err = signer.Audit(t.Context(), r.cfg.Store, r.cfg.Anchor, public)
	require.NoError(t, err)
	r.open()
}

// TestAChangeAfterARestoreFreesNothing: the policy that takes the place of the copy's may be the one under
// which more was signed than the copy's allows.
func TestAChangeAfterARestoreFreesNothing(t *testing.T) {
	r := newRig(t, 2)
	path := r.backup()
	r.restore(path)
	next := parsed(t, strings.Replace(policyText(), "5_000_000_000", "50_000_000_000", 1))
	require.NoError(t, r.change(next))
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "restored"))
	assert.Zero(t, r.left())
	r.refused("trader", r.pay(payee, 1), signer.CodeWindow)
	r.pass(80 * time.Minute)
	require.NoError(t, r.Settle(t.Context()))
	r.signed(r.pay(payee, 1))
}
