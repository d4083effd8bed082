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
