package journaltest

import (
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/wallet"
)

// leases waits for the journal's clock, which may be a database's.
func leases(t *testing.T, s Store) {
	j := s.Open(t)
	alive(t, j, "stranger", false)
	renew(t, j, "holder", time.Hour)
	renew(t, j, "other", time.Hour)
	alive(t, j, "holder", true)
	renew(t, j, "holder", time.Hour)
	alive(t, j, "holder", true)
	renew(t, j, "holder", 0)
	alive(t, j, "holder", false)
	alive(t, j, "other", true)
	renew(t, j, "renewed", 20*time.Millisecond)
	renew(t, j, "renewed", time.Hour)
	renew(t, j, "holder", 20*time.Millisecond)
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		ok, err := j.Alive(t.Context(), "holder")
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			alive(t, j, "renewed", true) // its first lease has ended too
			return
		}
		if time.Now().After(end) {
			t.Fatal("a lease of 20 ms has not ended after 10 s")
		}
	}
}

// twoProcesses takes a key from one process to another, which the first then
// cannot change.
func twoProcesses(t *testing.T, s Store) {
	if s.Single {
		t.Skip("one process at a time can use the store")
	}
	a, b := s.Open(t), s.Open(t)
	store(t, a, 0, entry("key", 1))
	seen := load(t, b, "key")
	same(t, entry("key", 1), seen)
	seen.Holder, seen.Version = "b", 2
	store(t, b, 1, seen)
	refuse(t, a, 1, entry("key", 3))
	same(t, seen, load(t, a, "key"))
	renew(t, a, "a", time.Hour)
	alive(t, b, "a", true)
	renew(t, a, "a", 0)
	alive(t, b, "a", false)
}

func survives(t *testing.T, s Store) {
	if s.Reopen == nil {
		t.Skip("the store does not outlive its process")
	}
	j := s.Open(t)
	store(t, j, 0, entry("key", 1))
	store(t, j, 0, entry("other", 1))
	store(t, j, 1, entry("key", 2))
	j = s.Reopen(t)
	same(t, entry("key", 2), load(t, j, "key"))
	same(t, entry("other", 1), load(t, j, "other"))
	refuse(t, j, 1, entry("key", 3))
	store(t, j, 2, entry("key", 3))
}

func renew(t *testing.T, j wallet.Journal, holder string, lease time.Duration) {
	t.Helper()
	if err := j.Renew(t.Context(), holder, lease); err != nil {
		t.Fatalf("Renew(%q, %v): %v", holder, lease, err)
	}
}

func alive(t *testing.T, j wallet.Journal, holder string, want bool) {
	t.Helper()
	got, err := j.Alive(t.Context(), holder)
	if err != nil || got != want {
		t.Fatalf("Alive(%q) = %v, %v, want %v", holder, got, err, want)
	}
}
