// Package spendtest tests an implementation of socialsearch.SpendStore.
//
//	func TestSpendStore(t *testing.T) {
//		spendtest.Run(t, func(t *testing.T) spendtest.Store { ... })
//	}
package spendtest

import (
	"testing"

	"github.com/walletfi/walletfi-go/socialsearch"
)

// Store is one store under test, which several processes may use.
type Store struct {
	// Open returns a SpendStore on the store, as a further process would open it. It
	// closes it when the test ends.
	Open func(t *testing.T) socialsearch.SpendStore
	// Reopen returns a SpendStore on the store after all that use it have ended
	// without a word, as in a crash. Nil says that the store does not outlive its
	// process: what needs that is skipped.
	Reopen func(t *testing.T) socialsearch.SpendStore
}

// Run runs all tests, each on a new and empty store.
func Run(t *testing.T, fresh func(t *testing.T) Store) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, s Store)
	}{
		{"a call is reserved and settled", life},
		{"the budget is kept", budget},
		{"attempts of one call add up", attempts},
		{"settled once", once},
		{"the largest costs", largest},
		{"many processes keep to one budget", race},
		{"many settle at once", settleRace},
		{"a reservation survives its process", survives},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, fresh(t)) })
	}
}
