package world_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// TestConservationKnockout: without one of these rules, a guard would sign sets
// of the grammar that cost the owner more than the caps. A set that no other rule
// refuses is carried out as if the rule were not there.
func TestConservationKnockout(t *testing.T) {
	needed := []signing.Rule{
		signing.RuleSystemTransfer, signing.RuleLookup, signing.RuleTokenTransfer,
		signing.RuleTokenApprove, signing.RuleTokenAuthority,
		signing.RuleTokenClose, signing.RuleTokenBurn, signing.RuleTip, signing.RuleSet, signing.RuleSystemAssign,
	}
	c := newConservation(t, 7, nil)
	draws, found, missing := 0, map[signing.Rule]string{}, len(needed)
	for ; missing > 0 && draws < 60_000; draws++ {
		a := c.draw(c.r.IntN(len(c.policy)))
		a.sight, a.temper = none, idle
		_, report, err := a.guards[none].CheckSet(t.Context(), a.drawn.Unsigned, hold.Options(a.drawn)...)
		if err == nil || len(report.Also) > 0 || report.Transactions == nil {
			continue
		}
		rule := report.Refusal.Rule
		if _, ok := found[rule]; ok {
			continue
		}
		txs, err := signing.DecodeAll(a.drawn.Unsigned)
		require.NoError(t, err)
		if why := c.carriedOut(a, txs, report); why != "" {
			found[rule] = why
			if slices.Contains(needed, rule) {
				missing--
			}
			t.Logf("without %s, draw %d: %s", rule, draws, why)
		}
	}
	for _, rule := range needed {
		require.Contains(t, found, rule, "no loss without %s in %d draws", rule, draws)
	}
}

// carriedOut says what a set costs that no guard has signed, "" if that is allowed.
func (c *conservation) carriedOut(a *act, txs []*signing.Transaction, report *signing.Report) string {
	defer c.world.reset()
	p := &round{conservation: c, total: map[string]int64{}, trace: func(string, ...any) {}}
	d := &done{act: a, signed: txs, report: report, net: map[string]int64{}, out: map[string]int64{}}
	p.carryOut(d, false)
	for _, f := range d.judge(a.drawn.Unsigned.Intent.Delegates) {
		return f.why
	}
	return ""
}
