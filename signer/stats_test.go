package signer_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signing"
)

func (r *rig) stats() signer.Stats {
	r.t.Helper()
	s, err := r.Stats(r.t.Context())
	require.NoError(r.t, err)
	return s
}

// TestStatsOfManyOwners: those of a template have one number, of the one who has used the most.
func TestStatsOfManyOwners(t *testing.T) {
	r := templates(t)
	ann, bob := r.makeUser("ann"), r.makeUser("bob")
	r.pays(ann, 100_000_000-baseFee)
	r.pays(bob, 500_000_000-baseFee)
	of := map[string]float64{}
	for _, w := range r.stats().Windows {
		of[w.Owner+w.Payee] += w.Ratio
		if w.Owner == "" {
			of["sum"] = w.Ratio
		}
	}
	assert.InDelta(t, 0.5, of["template:user"]-of["sum"], 1e-9, fmt.Sprint(of))
	assert.InDelta(t, 0.4, of["sum"], 1e-9)
	assert.Zero(t, of["bot"])
	assert.NotContains(t, of, "ann")
}

// TestStatsOfApprovals: what waits, until it is decided on.
func TestStatsOfApprovals(t *testing.T) {
	r := newApproved(t, 2)
	assert.Zero(t, r.stats().Waiting)
	g := r.ask(r.pay(payee, 500_000_000))
	assert.Equal(t, 1, r.stats().Waiting)
	_, err := r.says(g, "ann", grant.Denies)
	require.NoError(t, err)
	assert.Zero(t, r.stats().Waiting)
}

// away is a key that does not answer.
type away struct{ signing.Signer }

func (away) Sign(context.Context, []byte) (signing.Signature, error) {
	return signing.Signature{}, errors.New("the token was removed")
}

// TestStatsOfCare: whether the keys answer, and since when nothing was compared or nobody was there.
func TestStatsOfCare(t *testing.T) {
	r := newRig(t, 1)
	r.signed(r.pay(payee, 1*sol))
	s := r.stats()
	assert.Equal(t, signer.KeyStats{Asked: 1, Took: s.Keys.Took, Up: true}, s.Keys)
	assert.Equal(t, map[string]int64{"signed": 1}, s.Decisions)
	assert.Equal(t, map[signer.Mint]int64{walletfi.NativeMint: sol + baseFee}, s.Debits)
	require.False(t, s.Compared.IsZero())
	r.unshown = true
	r.pass(2 * time.Hour)
	require.Error(t, r.Settle(t.Context()))
	s = r.stats()
	assert.Greater(t, s.Time.Sub(s.Compared), 110*time.Minute)
	assert.Greater(t, s.Time.Sub(s.Beat), 110*time.Minute)
	assert.False(t, s.Anchored.IsZero())

	require.NoError(t, r.Signer.Close())
	r.unshown, r.cfg.Keys = false, []signing.Signer{away{ownerKey}}
	r.open()
	r.refused("trader", r.pay(payee, 1), signer.CodeBackend)
	s = r.stats()
	assert.Equal(t, signer.KeyStats{Asked: 1, Failed: 1, Took: s.Keys.Took}, s.Keys)
	assert.Equal(t, map[string]int64{signer.CodeBackend: 1}, s.Decisions)
}
