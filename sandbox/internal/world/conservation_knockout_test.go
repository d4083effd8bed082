package world_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signing"
)

// TestConservationKnockout: without one of these rules, a guard would sign sets
// of the grammar that cost the owner more than the caps. A set that no other rule
// refuses is carried out as if the rule were not there.
func TestConservationKnockout(t *testing.T) {
	needed := []signing.Rule{
		signing.RuleSystemTransfer, signing.RuleLookup, signing.RuleTokenTransfer, signing.RuleTokenApprove, signing.RuleTokenAuthority,
		signing.RuleTokenClose, signing.RuleTokenBurn, signing.RuleTip, signing.RuleSet, signing.RuleSystemAssign,
	}
	c := newConservation(t, 7, nil)
	draws, found, missing := 0, map[signing.Rule]string{}, len(needed)
	for ; missing > 0 && draws < 60_000; draws++ {
		drawn, _, report, err := c.judged(t)
		if err == nil || len(report.Also) > 0 || report.Transactions == nil {
			continue
		}
		rule := report.Refusal.Rule
		if _, ok := found[rule]; ok {
			continue
		}
		txs, err := signing.DecodeAll(drawn.Unsigned)
		require.NoError(t, err)
		loss, _, _ := c.world.carryOut(txs)
		if why := above(drawn, report, loss); why != "" {
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
