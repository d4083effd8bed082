package signing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// groundsOf are the rules that refuse a case.
func groundsOf(t *testing.T, c corpus.Case) (grounds []signing.Rule, readable bool) {
	t.Helper()
	grounds, readable, err := hold.Guard(c).Grounds(t.Context(), c.Unsigned, hold.Options(c)...)
	require.NoError(t, err, c.Name)
	return grounds, readable
}

// TestCorpusKnockout: each rule is needed. In every format that has attacks of
// a rule, it is the only ground for refusing some of them: without it they
// would be signed.
func TestCorpusKnockout(t *testing.T) {
	attacks := corpus.Attacks(corpusConfig(t))
	total, through := matrix{}, matrix{}
	unreadable, behind := 0, 0
	for _, attack := range attacks {
		grounds, readable := groundsOf(t, attack.Case)
		require.Contains(t, grounds, signing.Rule(attack.Rule), attack.Name)
		total.add(attack.Rule, attack.Format)
		switch {
		case readable && len(signing.GroundsWithout(grounds, signing.Rule(attack.Rule))) == 0:
			through.add(attack.Rule, attack.Format)
			assert.False(t, attack.Unreadable, attack.Name)
		case attack.Unreadable:
			unreadable++
		default:
			behind++
			t.Logf("refused by others than %s: %s", attack.Rule, attack.Name)
		}
	}
	for _, rule := range signing.Rules {
		for _, format := range corpus.Formats() {
			if total[string(rule)][format] > 0 && !lastLine(rule, format) {
				assert.Positive(t, through[string(rule)][format], "%s is never the only ground in %s", rule, format)
			}
		}
	}
	t.Logf("refused by their rule alone: %s", through)
	t.Logf("of %d attacks %d cannot be read at all, and %d are refused by another rule too", len(attacks), unreadable, behind)
}

// lastLine: a v1 transaction of another version is read by no rule at all.
func lastLine(rule signing.Rule, format corpus.Format) bool {
	return rule == signing.RuleVersion && format == corpus.V1
}

// TestBenignHasNoGround: what is signed has no ground for refusing, also of
// rules that come late.
func TestBenignHasNoGround(t *testing.T) {
	benigns := corpus.Benigns(corpusConfig(t))
	require.NotEmpty(t, benigns)
	for _, benign := range benigns {
		grounds, readable := groundsOf(t, benign.Case)
		require.True(t, readable, benign.Name)
		require.Empty(t, grounds, benign.Name)
	}
}
