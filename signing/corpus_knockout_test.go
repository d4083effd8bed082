package signing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/corpus"
	"github.com/walletfi/walletfi-go/signing/corpus/hold"
)

// passes reports whether a guard without one rule lets a case through.
func passes(t *testing.T, c corpus.Case, off signing.Rule) bool {
	t.Helper()
	txs, err := signing.DecodeAllWithout(off, c.Unsigned)
	if err != nil {
		return false
	}
	g := hold.Guard(c)
	g.TurnOff(off)
	return g.CheckDecoded(t.Context(), txs, c.Unsigned, hold.Options(c)...) == nil
}

// TestCorpusKnockout: each rule is needed. With any one rule switched off, attacks
// of that rule get through in every format that has any, and no attack of
// another rule does.
func TestCorpusKnockout(t *testing.T) {
	attacks := corpus.Attacks(corpusConfig(t))
	total, through := matrix{}, matrix{}
	unreadable, behind := 0, 0
	for _, attack := range attacks {
		require.False(t, passes(t, attack.Case, ""), attack.Name)
		total.add(attack.Rule, attack.Format)
		got := passes(t, attack.Case, signing.Rule(attack.Rule))
		switch {
		case got:
			through.add(attack.Rule, attack.Format)
			assert.False(t, attack.Unreadable, attack.Name)
		case attack.Unreadable:
			unreadable++
		default:
			behind++
			t.Logf("another rule stands behind %s: %s", attack.Rule, attack.Name)
		}
	}
	for _, rule := range signing.Rules {
		for _, format := range corpus.Formats() {
			if total[string(rule)][format] > 0 && !lastLine(rule, format) {
				assert.Positive(t, through[string(rule)][format], "without %s nothing gets through in %s", rule, format)
			}
		}
	}
	t.Logf("got through with their rule off: %s", through)
	t.Logf("of %d attacks %d cannot be read at all, and for %d another rule stands behind the first", len(attacks), unreadable, behind)
}

// lastLine: a v1 transaction of another version is read by no rule at all.
func lastLine(rule signing.Rule, format corpus.Format) bool {
	return rule == signing.RuleVersion && format == corpus.V1
}

// TestEachAttackHasOneRule: an attack is caught by its rule alone, so that
// switching off another changes nothing; but for the rules whose amounts are in
// the sum that was too much, since without them they are not counted.
func TestEachAttackHasOneRule(t *testing.T) {
	pairs := 0
	for _, attack := range corpus.Attacks(corpusConfig(t)) {
		_, report, err := hold.Guard(attack.Case).CheckSet(t.Context(), attack.Unsigned, hold.Options(attack.Case)...)
		require.ErrorIs(t, err, signing.ErrRefused)
		counted := map[signing.Rule]bool{signing.Rule(attack.Rule): true, signing.RuleTip: len(report.Leaves) > 0}
		for _, m := range report.Leaves {
			counted[m.Rule] = true
		}
		for _, rule := range signing.Rules {
			if counted[rule] {
				continue
			}
			pairs++
			if passes(t, attack.Case, rule) {
				t.Errorf("%s of rule %s gets through without %s", attack.Name, attack.Rule, rule)
			}
		}
	}
	t.Logf("%d pairs of an attack and another rule", pairs)
}
