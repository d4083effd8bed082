package signer_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
)

func parsed(t *testing.T, text string) *signer.Policy {
	policy, err := signer.ParsePolicy([]byte(text))
	require.NoError(t, err)
	return policy
}

// signs has approvers sign the change to a policy.
func (r *rig) signs(to *signer.Policy, names ...string) (all []string) {
	c := r.Change(to)
	for _, name := range names {
		signature, err := c.Sign(approver(name), grant.Approves)
		require.NoError(r.t, err)
		all = append(all, signature)
	}
	return all
}

// change ends the process and begins another one with a policy.
func (r *rig) change(to *signer.Policy, approvals ...string) error {
	require.NoError(r.t, r.Signer.Close())
	was := r.cfg
	r.cfg.Policy, r.cfg.Accept, r.cfg.Approvals = to, to.Fingerprint(), approvals
	s, err := signer.Open(r.t.Context(), r.cfg)
	if err != nil {
		r.cfg = was
		r.open()
		return err
	}
	r.Signer = s
	require.NoError(r.t, s.Settle(r.t.Context()))
	return nil
}

func TestApproversChangeTheirPolicy(t *testing.T) {
	r := newApproved(t, 2)
	first := r.cfg.Policy
	second := parsed(t, strings.Replace(approvedText(), "unapproved = 100_000_000", "unapproved = 200_000_000", 1))
	third := parsed(t, policyText())
	require.ErrorContains(t, r.change(second), "is changed by 2 of its approvers, and 0 have signed")
	signatures := r.signs(second, "ann", "cid")
	require.ErrorContains(t, r.change(second, signatures[0]), "1 have signed")
	require.ErrorContains(t, r.change(second, signatures[0], signatures[0]), "1 have signed")
	require.ErrorContains(t, r.change(second, r.signs(second, "eve", "ann")...), "no approver")
	require.Error(t, r.change(third, signatures...), "they signed another change")
	denied, err := r.deny(second)
	require.NoError(t, err)
	require.ErrorContains(t, r.change(second, signatures[0], denied), "1 have signed")
	r.signed(r.pay(payee, 1)) // all along the first policy is in force
	require.NoError(t, r.change(second, signatures...))
	r.signed(r.pay(payee, 150_000_000))

	require.NoError(t, r.change(first, r.signs(first, "ann", "bob")...))
	require.Error(t, r.change(second, signatures...), "they signed the change of before")
	require.NoError(t, r.change(third, r.signs(third, "ann", "bob")...))
	require.NoError(t, r.change(first), "the third has no approvers")
	var approved [][]string
	require.NoError(t, r.Each(t.Context(), func(e signer.Entry) error {
		if e.Kind != "policy" {
			return nil
		}
		var body struct{ Approved []string }
		err := json.Unmarshal(e.Body, &body)
		approved = append(approved, body.Approved)
		return err
	}))
	assert.Equal(t, [][]string{nil, {"ann", "cid"}, {"ann", "bob"}, {"ann", "bob"}, nil}, approved)
}

func (r *rig) deny(to *signer.Policy) (string, error) {
	c := r.Change(to)
	return c.Sign(approver("bob"), grant.Denies)
}

// TestNewPayeesWait adds addresses, by one change after the other: each waits, by the policy before.
func TestNewPayeesWait(t *testing.T) {
	text := strings.Replace(policyText(), "admins = [0]", "admins = [0]\npayees_wait = \"24h\"", 1)
	r := newRig(t, 2, under(t, text))
	r.signed(r.pay(payee, 1)) // what the first policy lists is paid at once
	wider := text + fmt.Sprintf("\n[[payee]]\nname = \"new\"\naddress = %q\n", thief)
	require.NoError(t, r.change(parsed(t, wider)))
	refusal := r.refused("trader", r.pay(thief, 1), signer.CodePayee)
	assert.True(t, refusal.Waits)
	assert.WithinDuration(t, begin.Add(24*time.Hour), refusal.RetryAt, time.Minute)
	r.signed(r.pay(payee, 2))

	r.pass(12 * time.Hour)
	require.NoError(t, r.Settle(t.Context()))
	hurried := strings.Replace(wider, "payees_wait = \"24h\"", "", 1)
	hurried = strings.Replace(hurried, "rescue = [", fmt.Sprintf("rescue = [%q, ", program), 1)
	require.NoError(t, r.change(parsed(t, hurried)))
	r.refused("trader", r.pay(thief, 2), signer.CodePayee)
	r.refused("trader", r.pay(program, 2), signer.CodePayee)
	r.reopen()
	r.refused("trader", r.pay(thief, 2), signer.CodePayee)
	r.pass(13 * time.Hour)
	require.NoError(t, r.Settle(t.Context()))
	r.signed(r.pay(thief, 2))
	r.refused("trader", r.pay(program, 3), signer.CodePayee)
	r.pass(12 * time.Hour)
	require.NoError(t, r.Settle(t.Context()))
	r.signed(r.pay(program, 3))
	require.NoError(t, r.change(parsed(t, hurried+fmt.Sprintf("\n[[payee]]\nname = \"n\"\naddress = %q\n", nonce))))
	r.signed(r.pay(nonce, 4)) // the policy before asked for no wait
}

// TestAnotherListWaitsToo: who got fees until now is no payee at once.
func TestAnotherListWaitsToo(t *testing.T) {
	text := strings.Replace(policyText(), "admins = [0]", "admins = [0]\npayees_wait = \"24h\"", 1)
	text = strings.Replace(text, "rescue = [", fmt.Sprintf("fee_receivers = [%q]\nrescue = [", thief), 1)
	r := newRig(t, 2, under(t, text))
	require.NoError(t, r.change(parsed(t, text+fmt.Sprintf("\n[[payee]]\nname = \"new\"\naddress = %q\n", thief))))
	assert.True(t, r.refused("trader", r.pay(thief, 1), signer.CodePayee).Waits)
	r.signed(r.pay(payee, 1))
}

// TestNewPinsWait: a call that a change lets through waits as a new payee does, and also one of which the
// change lets more happen.
func TestNewPinsWait(t *testing.T) {
	text := strings.Replace(policyText(), "admins = [0]", "admins = [0]\npayees_wait = \"24h\"", 1)
	r := newRig(t, 2, under(t, text))
	r.takes(3*sol, sol/2)
	r.judged(r.call(1, owner))
	more := strings.Replace(text, `instructions = ["01"]`, `instructions = ["01", "02"]`, 1)
	require.NoError(t, r.change(parsed(t, more)))
	refusal := r.refused("trader", r.call(2, owner), signer.CodePin)
	assert.True(t, refusal.Waits)
	assert.WithinDuration(t, begin.Add(24*time.Hour), refusal.RetryAt, time.Minute)
	r.judged(r.call(1, owner))

	wider := strings.Replace(text, `may_write = ["owner"]`, `may_write = ["owner", "spent"]`, 1)
	require.NoError(t, r.change(parsed(t, wider)))
	r.refused("trader", r.call(1, owner), signer.CodePin)
	loose := strings.Replace(text, "must_be_ours = [1]", "must_be_ours = []", 1)
	require.NoError(t, r.change(parsed(t, loose)))
	r.refused("trader", r.call(1, owner), signer.CodePin)
	r.reopen()
	r.refused("trader", r.call(1, owner), signer.CodePin)
	r.pass(25 * time.Hour)
	require.NoError(t, r.Settle(t.Context()))
	r.judged(r.call(1, owner))
}

// TestAStoreWithoutThePolicysText is of a version that wrote none: it is opened with its policy before another one
// takes its place, by its approvers.
func TestAStoreWithoutThePolicysText(t *testing.T) {
	r := newApproved(t, 2)
	require.NoError(t, r.Signer.Close())
	(&page{rig: r}).rewrites(t, `UPDATE log SET body = json_remove(body, '$.text') WHERE kind = 'policy'`)
	require.NoError(t, os.Remove(r.cfg.Anchor))
	was, next := r.cfg.Policy, parsed(t, approvedText()+"\n")
	r.cfg.Policy, r.cfg.Accept = next, next.Fingerprint()
	_, err := signer.Open(t.Context(), r.cfg)
	require.ErrorContains(t, err, "open it with that policy first")
	r.cfg.Policy, r.cfg.Accept = was, ""
	r.open()
	require.ErrorContains(t, r.change(next), "is changed by 2 of its approvers, and 0 have signed")
	r.signed(r.pay(payee, 1))
	r.audited(t)
	require.NoError(t, r.change(next, r.signs(next, "ann", "bob")...))
}
