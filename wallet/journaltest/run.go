// Package journaltest tests an implementation of wallet.Journal.
//
//	func TestJournal(t *testing.T) {
//		journaltest.Run(t, func(t *testing.T) journaltest.Store { ... })
//	}
package journaltest

import (
	"testing"

	"github.com/walletfi/walletfi-go/wallet"
)

// Store is one store under test, which several processes may use.
type Store struct {
	// Open returns a Journal on the store, as a further process would open it.
	// It closes it when the test ends.
	Open func(t *testing.T) wallet.Journal
	// Reopen returns a Journal on the store after all that use it have ended
	// without a word, as in a crash. Nil says that the store does not outlive
	// its process: what needs that is skipped.
	Reopen func(t *testing.T) wallet.Journal
	// Single says that one process at a time can use the store, so that Open is
	// called once.
	Single bool
}

// inTime runs one test. This package's own tests, which use no other process, replace it
// by synctest.Test, so that they wait for no real clock.
var inTime = func(t *testing.T, test func(t *testing.T)) { test(t) }

// Run runs all tests, each on a new and empty store.
func Run(t *testing.T, fresh func(t *testing.T) Store) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, s Store)
	}{
		{"an entry comes back whole", wholeEntry},
		{"a key that is not there", noEntry},
		{"a store at the wrong version changes nothing", fenced},
		{"one of many claims wins", oneClaimWins},
		{"one of many updates wins", oneUpdateWins},
		{"what was stored is not shared", notShared},
		{"lists by state and intent", lists},
		{"lists by signature", listsBySignature},
		{"a long list is whole", longList},
		{"a list is as stored last", listsAsStored},
		{"a list can be left", listLeft},
		{"keys of any text", anyKey},
		{"leases end", leases},
		{"two processes", twoProcesses},
		{"what was stored survives", survives},
		{"a derived key can be claimed anew", derivedAnew},
		{"entries of other schemas are as they were stored", otherSchemas},
		{"what is known of the ledger comes back whole", theLedger},
		{"what counts under the limits comes back whole", theSpend},
	} {
		t.Run(c.name, func(t *testing.T) {
			inTime(t, func(t *testing.T) { c.run(t, fresh(t)) })
		})
	}
}
