// Package seentest tests an implementation of webhooks.Seen.
//
//	func TestSeen(t *testing.T) {
//		seentest.Run(t, func(t *testing.T) seentest.Store { ... })
//	}
package seentest

import (
	"testing"

	"github.com/walletfi/walletfi-go/webhooks"
)

// Store is one store under test, which several processes may use.
type Store struct {
	// Open returns a Seen on the store, as a further process would open it. It
	// closes it when the test ends.
	Open func(t *testing.T) webhooks.Seen
	// Reopen returns a Seen on the store after all that use it have ended without
	// a word, as in a crash. Nil says that the store does not outlive its process:
	// what needs that is skipped.
	Reopen func(t *testing.T) webhooks.Seen
	// Single says that one process at a time can use the store, so that Open is
	// called once.
	Single bool
	// Begin begins a transaction of the program's own, in which s commits
	// deliveries. Nil says that Seen does not do that: what needs it is skipped.
	Begin func(t *testing.T, s webhooks.Seen) Tx
}

// Tx is a transaction of the program's own.
type Tx interface {
	// Mark is the method of Seen that commits d in the transaction, for an hour at
	// least. It calls d.Marked, or returns an error that answers to
	// webhooks.ErrSeen if the delivery is committed, or any other error if the
	// program must begin again.
	Mark(d *webhooks.Delivery) error
	Commit() error
	Rollback() error
}

// Run runs all tests, each on a new and empty store.
func Run(t *testing.T, fresh func(t *testing.T) Store) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, s Store)
	}{
		{"what was committed is seen", committed},
		{"keys of any bytes", anyKey},
		{"a time that has passed", passed},
		{"a commit never shortens", neverShortens},
		{"many at once", manyAtOnce},
		{"two processes", twoProcesses},
		{"what was committed survives", survives},
		{"a transaction that commits", txCommits},
		{"a transaction that does not", txRollsBack},
		{"a transaction comes second", txSecond},
		{"one of many transactions wins", txRace},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, fresh(t)) })
	}
}
