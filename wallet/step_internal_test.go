package wallet

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing"
)

// TestBlindLater: a set is signed step by step only if nothing is wrong with it but that
// nobody shows what a transaction after the first does.
func TestBlindLater(t *testing.T) {
	for name, row := range map[string]struct {
		err   error
		also  []*signing.GuardError
		steps bool
	}{
		"the second":          {err: &signing.GuardError{Rule: signing.RuleBlind, Transaction: 1}, steps: true},
		"the first":           {err: &signing.GuardError{Rule: signing.RuleBlind}},
		"another rule":        {err: &signing.GuardError{Rule: signing.RuleUnknownProgram, Transaction: 1}},
		"another refusal too": {err: &signing.GuardError{Rule: signing.RuleBlind, Transaction: 1}, also: []*signing.GuardError{{}}},
		"no refusal":          {err: errors.New("lost")},
		"no error":            {},
	} {
		t.Run(name, func(t *testing.T) {
			e := &execution{result: &Result{Report: &signing.Report{Also: row.also}}}
			require.Equal(t, row.steps, e.blindLater(row.err))
		})
	}
}
