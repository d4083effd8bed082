package signer_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

func (r *rig) late() []string {
	h, err := r.Health(r.t.Context())
	require.NoError(r.t, err)
	return h.Late
}

// lateEntries are what the log says of late comparisons.
func (r *rig) lateEntries() (all []bool) {
	require.NoError(r.t, r.Each(r.t.Context(), func(e signer.Entry) error {
		if e.Kind != "compare" {
			return nil
		}
		var body struct {
			Owner string
			Late  bool
		}
		require.Equal(r.t, "signer", e.Client)
		all = append(all, body.Late)
		err := json.Unmarshal(e.Body, &body)
		all[len(all)-1] = body.Late
		return err
	}))
	return all
}

// TestALateComparisonIsSaid: health and log say that chain and log cannot be compared, nothing is frozen,
// and the next comparison begins where the last whole one ended.
func TestALateComparisonIsSaid(t *testing.T) {
	var nodes []*teller
	r := newRig(t, 2, tellers(&nodes))
	require.NoError(t, r.hour())
	require.Empty(t, r.late())
	lists := func([]string) []string { return []string{signing.Signature{1}.String()} }
	nodes[1].lists = lists // which is not there
	require.Error(t, r.hour())
	require.Empty(t, r.late(), "it is due")
	require.Empty(t, r.lateEntries())
	nodes[1].lists = func([]string) []string { return nil }
	nodes[0].lists = lists
	r.stolen() // which the other one does not list
	require.Error(t, r.hour())
	require.Error(t, r.hour())
	require.Len(t, r.late(), 1)
	require.Contains(t, r.late()[0], `what the key of owner "bot" signed was not compared with the log since 2026-11-27T1`)
	require.Contains(t, r.late()[0], "1 of 2 nodes showed it")
	require.Equal(t, []bool{true}, r.lateEntries(), "once")
	require.Empty(t, r.frozen())
	r.signed(r.pay(payee, 1))

	nodes[0].lists, nodes[1].lists = nil, nil
	require.NoError(t, r.hour())
	require.Empty(t, r.late())
	require.Equal(t, []bool{true, false}, r.lateEntries())
	require.Equal(t, []string{owner.String()}, r.frozen())
}

// TestLateBalancesAreSaid: so it is with balances.
func TestLateBalancesAreSaid(t *testing.T) {
	r := newRig(t, 1)
	require.NoError(t, r.hour())
	shown := r.accounts[owner]
	r.chain.unshown = true
	require.Error(t, r.hour())
	require.Error(t, r.hour())
	require.Len(t, r.late(), 1)
	require.True(t, strings.HasPrefix(r.late()[0], "what the owners have was not compared with the log since"))
	require.Equal(t, []bool{true}, r.lateEntries())
	require.Empty(t, r.frozen())
	r.chain.unshown = false
	require.Equal(t, shown, r.accounts[owner])
	require.NoError(t, r.hour())
	require.Empty(t, r.late())
	require.Equal(t, []bool{true, false}, r.lateEntries())
}

// TestAnIndexThatIsLate: what a node lists some minutes late freezes all the same, and once.
func TestAnIndexThatIsLate(t *testing.T) {
	var nodes []*teller
	r := newRig(t, 1, tellers(&nodes))
	hidden := ""
	nodes[0].lists = func(all []string) []string {
		return slices.DeleteFunc(all, func(s string) bool { return s == hidden })
	}
	for range 55 { // to just before it is looked at
		r.pass(time.Minute)
		require.NoError(t, r.Settle(t.Context()))
	}
	hidden = r.stolen()
	for range 8 {
		r.pass(time.Minute)
		require.NoError(t, r.Settle(t.Context()))
	}
	require.Empty(t, r.frozen())
	hidden = ""
	require.NoError(t, r.hour())
	require.Equal(t, []string{owner.String()}, r.frozen())
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "looked"))
	r.reopen()
	require.NoError(t, r.hour())
	require.Empty(t, r.frozen(), "what was told once is not told again")
}

// TestWhatIsOlderThanTheSigner: a node cannot freeze an owner by what his key signed before the signer
// had him, unless most nodes say the same.
func TestWhatIsOlderThanTheSigner(t *testing.T) {
	for liars, frozen := range [][]string{nil, nil, {owner.String()}} {
		var nodes []*teller
		r := newRig(t, 3, tellers(&nodes))
		old := r.older()
		for _, n := range nodes[:liars] {
			n.lists = func(all []string) []string { return append(all, old) }
			n.recent = old
		}
		require.NoError(t, r.hour())
		require.Equal(t, frozen, r.frozen(), "%d liars", liars)
	}
}

// older executes what the key signed before the signer began.
func (r *rig) older() string {
	tx := signingtest.Transaction{FeePayer: owner, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{
		signingtest.Transfer(owner, payee, 1),
	}}
	signature := r.lands(tx, ownerKey)
	r.chain.mu.Lock()
	defer r.chain.mu.Unlock()
	r.executed[signature] = execution{slot: 9_000}
	return signature
}
