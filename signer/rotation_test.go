package signer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

var nextKey = signingtest.Key("next")

// TestAKeyIsChanged: approvers read of the sweep in the policy's change and in its grant. The old owner
// signs that alone, without a window in its way, and once it is closed nothing. The new one may do what
// the old one did.
func TestAKeyIsChanged(t *testing.T) {
	r := newApproved(t, 2)
	r.signed(r.pay(payee, 50_000_000))
	text, err := r.cfg.Policy.Rotate("bot", "bot-2", nextKey.PublicKey())
	require.NoError(t, err)
	next := parsed(t, text)
	lines := r.Change(next).Lines
	assert.Contains(t, lines, `+ Sweep of owner "bot" to owner "bot-2": owner "bot" signs nothing else.`)
	assert.Contains(t, lines, `+ Owner "bot-2" signs with `+nextKey.PublicKey().String()+".")
	keys := []signing.Signer{ownerKey, nextKey}
	require.ErrorContains(t, r.changeKeys(next, keys), "and 0 have signed")
	require.NoError(t, r.changeKeys(next, keys, r.signs(next, "ann", "bob")...))

	r.refused("trader", r.pay(payee, 1), signer.CodeClosed)
	r.refused("trader", r.pay(rescue, 1), signer.CodeClosed)
	all := r.pay(nextKey.PublicKey(), 20*sol)
	r.refused("trader", all, signer.CodeApproval)
	g := r.ask(all)
	assert.Contains(t, g.Grant.Text(), "It is the sweep of owner \"bot\" to owner \"bot-2\", whose key is changed: it goes there alone.\n")
	all.Grant = r.approved(r.pay(nextKey.PublicKey(), 20*sol)).Grant.ID
	r.signed(all)
	both := r.pay(nextKey.PublicKey(), 2)
	both.Unsigned.Intent.PayTo = append(both.Unsigned.Intent.PayTo, payee.String())
	both.Unsigned.Transactions[0] = signingtest.Transaction{FeePayer: owner, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{
		signingtest.Transfer(owner, nextKey.PublicKey(), 1), signingtest.Transfer(owner, payee, 1),
	}}.Unsigned(t)
	r.refused("trader", both, signer.CodeClosed)
	r.pays(nextKey.PublicKey(), 60_000_000)

	closed := parsed(t, strings.Replace(text, `successor = "bot-2"`, "closed = true", 1))
	assert.Contains(t, r.Change(closed).Lines, `+ Owner "bot" is closed: it signs nothing.`)
	require.NoError(t, r.changeKeys(closed, keys[1:], r.signs(closed, "ann", "cid")...))
	for _, to := range []signing.PublicKey{payee, nextKey.PublicKey(), rescue} {
		r.refused("trader", r.pay(to, 1), signer.CodeClosed)
	}
	require.NoError(t, r.Freeze(t.Context(), "uid 0", signer.ModeExit, "leave"))
	r.refused("trader", r.pay(nextKey.PublicKey(), 1), signer.CodeClosed)
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "back"))
	r.refused("trader", r.pay(nextKey.PublicKey(), 1), signer.CodeClosed)
	r.pays(nextKey.PublicKey(), 10_000_000)
}

// changeKeys ends the process and begins another one, with a policy and keys.
func (r *rig) changeKeys(to *signer.Policy, keys []signing.Signer, approvals ...string) error {
	require.NoError(r.t, r.Signer.Close())
	cfg := r.cfg
	cfg.Policy, cfg.Accept, cfg.Approvals, cfg.Keys = to, to.Fingerprint(), approvals, keys
	s, err := signer.Open(r.t.Context(), cfg)
	if err != nil {
		r.open()
		return err
	}
	r.cfg, r.Signer = cfg, s
	require.NoError(r.t, s.Settle(r.t.Context()))
	return nil
}

// TestTheSweepWaitsForItsAddress: a change may not hurry money out to a key that it adds.
func TestTheSweepWaitsForItsAddress(t *testing.T) {
	text := strings.Replace(policyText(), "admins = [0]", "admins = [0]\npayees_wait = \"24h\"", 1)
	r := newRig(t, 2, under(t, text))
	changed, err := r.cfg.Policy.Rotate("bot", "bot-2", nextKey.PublicKey())
	require.NoError(t, err)
	require.NoError(t, r.changeKeys(parsed(t, changed), []signing.Signer{ownerKey, nextKey}))
	assert.True(t, r.refused("trader", r.pay(nextKey.PublicKey(), sol), signer.CodePayee).Waits)
	r.pass(25 * time.Hour)
	require.NoError(t, r.Settle(t.Context()))
	r.signed(r.pay(nextKey.PublicKey(), 30*sol))
}

// TestWhatIsNoRotation is refused when the policy is loaded, or made.
func TestWhatIsNoRotation(t *testing.T) {
	policy := parsed(t, policyText())
	text, err := policy.Rotate("bot", "bot-2", nextKey.PublicKey())
	require.NoError(t, err)
	_, err = policy.Rotate("nobody", "bot-2", nextKey.PublicKey())
	require.ErrorContains(t, err, "no owner")
	_, err = policy.Rotate("bot", "bot-2", owner)
	require.Error(t, err)
	_, err = policy.Rotate("bot", "bot", nextKey.PublicKey())
	require.Error(t, err)
	_, err = parsed(t, text).Rotate("bot", "bot-3", thief)
	require.ErrorContains(t, err, "no owner", "it is swept already")
	for name, change := range map[string][2]string{
		"to nobody":      {`successor = "bot-2"`, `successor = "bot-3"`},
		"to itself":      {`successor = "bot-2"`, `successor = "bot"`},
		"not in rescue":  {`, "` + nextKey.PublicKey().String() + `"]`, `]`},
		"without limits": {"version = 1", "version = 1\nreport_only = true"},
	} {
		changed := strings.Replace(text, change[0], change[1], 1)
		require.NotEqual(t, text, changed, name)
		_, err := signer.ParsePolicy([]byte(changed))
		require.Error(t, err, name)
	}
}
