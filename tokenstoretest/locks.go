package tokenstoretest

import (
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
)

// patience is far longer than any lease that the tests wait for.
const patience = 3 * time.Second

func locked(t *testing.T, s Store) {
	a, b := s.Open(t), s.Open(t)
	for range 3 {
		unlock := lock(t, a, time.Hour)
		for _, other := range []walletfi.TokenStore{a, b} {
			if tryLock(t, other, time.Hour) != nil {
				t.Fatal("two have the lock")
			}
		}
		unlock()
		unlock = lock(t, b, time.Hour)
		if tryLock(t, a, time.Hour) != nil {
			t.Fatal("two have the lock")
		}
		save(t, a, token("saved", "without the lock")) // a sign-in does not wait
		unlock()
		unlock() // does nothing
	}
}

func oneGetsTheLock(t *testing.T, s Store) {
	processes := []walletfi.TokenStore{s.Open(t), s.Open(t), s.Open(t)}
	for range 8 {
		const racers = 24
		unlocks, errs := make([]func(), racers), make([]error, racers)
		begin := make(chan struct{})
		var all sync.WaitGroup
		for i := range racers {
			all.Go(func() {
				<-begin
				unlocks[i], errs[i] = processes[i%len(processes)].TryLock(t.Context(), time.Hour)
			})
		}
		close(begin)
		all.Wait()
		var got []func()
		for i := range racers {
			if errs[i] != nil {
				t.Fatalf("TryLock: %v", errs[i])
			}
			if unlocks[i] != nil {
				got = append(got, unlocks[i])
			}
		}
		if len(got) != 1 {
			t.Fatalf("%d have the lock, want 1", len(got))
		}
		got[0]()
	}
}

// leaseEnds waits for the store's clock, which may be a database's.
func leaseEnds(t *testing.T, s Store) {
	a, b := s.Open(t), s.Open(t)
	lock(t, a, 20*time.Millisecond)
	await(t, b, time.Hour)
	if tryLock(t, a, time.Hour) != nil {
		t.Fatal("two have the lock")
	}
}

func lateUnlock(t *testing.T, s Store) {
	a, b := s.Open(t), s.Open(t)
	late := lock(t, a, 20*time.Millisecond)
	await(t, b, time.Hour)
	late()
	for _, other := range []walletfi.TokenStore{a, b} {
		if tryLock(t, other, time.Hour) != nil {
			t.Fatal("an unlock after the lease's end freed another's lock")
		}
	}
}

// await takes the lock as soon as the lease of its holder has ended.
func await(t *testing.T, s walletfi.TokenStore, lease time.Duration) (unlock func()) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if unlock := tryLock(t, s, lease); unlock != nil {
			return unlock
		}
	}
	t.Fatalf("a lease of 20 ms has not ended after %v", patience)
	return nil
}

func lock(t *testing.T, s walletfi.TokenStore, lease time.Duration) (unlock func()) {
	t.Helper()
	unlock = tryLock(t, s, lease)
	if unlock == nil {
		t.Fatal("the lock is not free")
	}
	return unlock
}

func tryLock(t *testing.T, s walletfi.TokenStore, lease time.Duration) (unlock func()) {
	t.Helper()
	unlock, err := s.TryLock(t.Context(), lease)
	if err != nil {
		t.Fatalf("TryLock: %v", err)
	}
	return unlock
}
