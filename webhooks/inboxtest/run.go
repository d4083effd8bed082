// Package inboxtest tests an implementation of webhooks.Inbox.
//
//	func TestInbox(t *testing.T) {
//		inboxtest.Run(t, func(t *testing.T) inboxtest.Store { ... })
//	}
package inboxtest

import (
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/webhooks"
)

// Store is one inbox under test, which several processes may share.
type Store struct {
	// Open returns an Inbox on the store that is not started, as a further process
	// would open it. The tests stop what they start.
	Open func(t *testing.T) webhooks.Inbox
	// Single says that one process at a time can use the store.
	Single bool
	// Volatile says that the store does not outlive its process, so that Open is
	// called once. What needs more is skipped.
	Volatile bool
	// Patience is how long something that must happen may take. 0 means 30
	// seconds.
	Patience time.Duration
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
		{"a delivery comes back whole", whole},
		{"many are handled once", many},
		{"a key is held once", heldOnce},
		{"a failure is tried again", triedAgain},
		{"waits grow and others go on", othersGoOn},
		{"too many failures", dies},
		{"a panic is a failure", panics},
		{"a handler's time ends", timeEnds},
		{"the dead can be read", deadRead},
		{"the dead are handled anew", deadRetried},
		{"many dead", manyDead},
		{"stop waits", stopWaits},
		{"stop gives up", stopGivesUp},
		{"what is left is handled later", left},
		{"two processes share", shared},
		{"start once", startOnce},
	} {
		t.Run(c.name, func(t *testing.T) {
			inTime(t, func(t *testing.T) { c.run(t, fresh(t)) })
		})
	}
}
