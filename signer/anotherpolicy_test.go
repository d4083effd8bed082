package signer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
)

// TestASignerOfAnotherPolicyFreezesNobody by a heartbeat that the policy in force does not want.
func TestASignerOfAnotherPolicyFreezesNobody(t *testing.T) {
	r := newRig(t, 2)
	is := r.cfg.Policy
	r.cfg.Policy = parsed(t, strings.Replace(policyText(), "admins = [0]", "admins = [0]\nheartbeat = \"1m\"", 1))
	r.reopen()
	r.pass(2 * time.Minute)
	require.NoError(t, r.Settle(t.Context()))
	r.cfg.Policy = is
	r.reopen()
	health, err := r.Health(t.Context())
	require.NoError(t, err)
	require.Equal(t, signer.ModeOpen, health.Mode)
}

// TestApprovalsOfAChangeServeOnceAlsoAfterARestore: a copy from before a change takes its approvals again, also
// if the approvers have taken the change back since.
func TestApprovalsOfAChangeServeOnceAlsoAfterARestore(t *testing.T) {
	r := newApproved(t, 2)
	first := r.cfg.Policy
	second := parsed(t, strings.Replace(approvedText(), "unapproved = 100_000_000", "unapproved = 200_000_000", 1))
	path := r.backup()
	signatures := r.signs(second, "ann", "cid")
	require.NoError(t, r.change(second, signatures...))
	require.NoError(t, r.change(first, r.signs(first, "ann", "bob")...))
	r.restore(path)
	require.Error(t, r.change(second, signatures...))
	require.NoError(t, r.change(second, r.signs(second, "ann", "cid")...))
	require.NoError(t, r.Signer.Close())
	_, err := signer.Audit(t.Context(), r.cfg.Store, r.cfg.Anchor, public)
	require.NoError(t, err)
	r.open()
}
