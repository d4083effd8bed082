package signer_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// TestSweepsAreFew: who takes a client over while its owner is swept would burn what is left in fees, as the
// ceilings let everything leave.
func TestSweepsAreFew(t *testing.T) {
	next := signingtest.Key("next owner")
	r := newRig(t, 2, func(c *signer.Config) {
		rotated, err := c.Policy.Rotate("bot", "bot-2", next.PublicKey())
		require.NoError(t, err)
		c.Policy = parsed(t, rotated)
		c.Keys = append(c.Keys, next)
	})
	for range 100 {
		r.signed(r.pay(next.PublicKey(), 1))
	}
	refusal := r.refused("trader", r.pay(next.PublicKey(), 1), signer.CodeWindow)
	assert.True(t, refusal.Waits)
	r.reopen()
	r.refused("trader", r.pay(next.PublicKey(), 1), signer.CodeWindow)
	r.pass(61 * time.Minute)
	require.NoError(t, r.Settle(t.Context()))
	r.signed(r.pay(next.PublicKey(), 1))
}
