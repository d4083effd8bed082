// Package tokenstoretest tests an implementation of walletfi.TokenStore.
//
//	func TestTokenStore(t *testing.T) {
//		tokenstoretest.Run(t, func(t *testing.T) tokenstoretest.Store { ... })
//	}
package tokenstoretest

import (
	"testing"

	"github.com/walletfi/walletfi-go"
)

// Store is one store under test, which several processes may use.
type Store struct {
	// Open returns a TokenStore on the store, as a further process would open it. It
	// closes it when the test ends.
	Open func(t *testing.T) walletfi.TokenStore
	// Reopen returns a TokenStore on the store after all that use it have ended
	// without a word, as in a crash. Nil says that the store does not outlive its
	// process: what needs that is skipped.
	Reopen func(t *testing.T) walletfi.TokenStore
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
		{"a token comes back whole", whole},
		{"no token", none},
		{"what another process saved is seen", shared},
		{"a token is replaced if it is the one", replaced},
		{"one of many replacements wins", oneReplacementWins},
		{"one at a time has the lock", locked},
		{"one of many gets the lock", oneGetsTheLock},
		{"a lock ends with its lease", leaseEnds},
		{"a late unlock frees nothing", lateUnlock},
		{"a token survives", survives},
	} {
		t.Run(c.name, func(t *testing.T) {
			inTime(t, func(t *testing.T) { c.run(t, fresh(t)) })
		})
	}
}
