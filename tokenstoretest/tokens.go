package tokenstoretest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
)

func token(access, refresh string) walletfi.Token {
	return walletfi.Token{
		Access: walletfi.NewSecret(access), Refresh: walletfi.NewSecret(refresh),
		Expiry: time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC),
	}
}

func whole(t *testing.T, s Store) {
	store := s.Open(t)
	forever := token("access", "refresh")
	forever.Expiry = time.Time{}
	ahead := token("access", "refresh")
	ahead.Ahead = -90 * time.Minute
	for _, want := range []walletfi.Token{
		token("access", "refresh"), token("access", ""), forever, ahead,
		token(strings.Repeat("a", 16<<10), strings.Repeat("r", 16<<10)), token(`a'b"c\%_;--`, `{"json":1}`),
		{},
	} {
		save(t, store, want)
		same(t, want, load(t, store))
	}
}

func none(t *testing.T, s Store) {
	store := s.Open(t)
	same(t, walletfi.Token{}, load(t, store))
	replace(t, store, token("old", "old"), token("new", "new"), false)
	same(t, walletfi.Token{}, load(t, store))
	replace(t, store, walletfi.Token{}, token("first", "first"), true)
	same(t, token("first", "first"), load(t, store))
}

func shared(t *testing.T, s Store) {
	a, b := s.Open(t), s.Open(t)
	save(t, a, token("1", "1"))
	same(t, token("1", "1"), load(t, b))
	save(t, b, token("2", "2"))
	same(t, token("2", "2"), load(t, a))
	replace(t, a, token("1", "1"), token("3", "3"), false)
	replace(t, a, token("2", "2"), token("3", "3"), true)
	same(t, token("3", "3"), load(t, b))
}

func replaced(t *testing.T, s Store) {
	store := s.Open(t)
	save(t, store, token("access", "refresh"))
	for _, old := range []walletfi.Token{token("access", "other"), token("other", "refresh"), token("access", ""), {}} {
		replace(t, store, old, token("new", "new"), false)
		same(t, token("access", "refresh"), load(t, store))
	}
	old := token("access", "refresh")
	old.Expiry = time.Time{} // does not count
	replace(t, store, old, token("new", "new"), true)
	same(t, token("new", "new"), load(t, store))
}

func oneReplacementWins(t *testing.T, s Store) {
	processes := []walletfi.TokenStore{s.Open(t), s.Open(t), s.Open(t)}
	for round := range 8 {
		old := token(fmt.Sprint("old ", round), "refresh")
		save(t, processes[0], old)
		const racers = 24
		won, errs := make([]bool, racers), make([]error, racers)
		begin := make(chan struct{})
		var all sync.WaitGroup
		for i := range racers {
			all.Go(func() {
				<-begin
				won[i], errs[i] = processes[i%len(processes)].Replace(t.Context(), old, token(fmt.Sprint(i), "new"))
			})
		}
		close(begin)
		all.Wait()
		winner := -1
		for i := range racers {
			switch {
			case errs[i] != nil:
				t.Fatalf("Replace: %v", errs[i])
			case won[i] && winner >= 0:
				t.Fatalf("replacements %d and %d of one token both succeeded", winner, i)
			case won[i]:
				winner = i
			}
		}
		if winner < 0 {
			t.Fatal("no replacement succeeded")
		}
		same(t, token(fmt.Sprint(winner), "new"), load(t, processes[0]))
	}
}

func survives(t *testing.T, s Store) {
	if s.Reopen == nil {
		t.Skip("the store does not outlive its process")
	}
	store := s.Open(t)
	save(t, store, token("1", "1"))
	save(t, store, token("2", "2"))
	lock(t, store, time.Hour)
	store = s.Reopen(t)
	same(t, token("2", "2"), load(t, store))
	if unlock := tryLock(t, store, time.Hour); unlock != nil {
		t.Fatal("the lock did not survive until its lease ends")
	}
	replace(t, store, token("2", "2"), token("3", "3"), true)
}

func same(t *testing.T, want, got walletfi.Token) {
	t.Helper()
	if !want.Same(got) || !want.Expiry.Equal(got.Expiry) || want.Ahead != got.Ahead {
		t.Fatalf("the token is %.40q, %.40q until %v, %v ahead, want %.40q, %.40q until %v, %v ahead",
			got.Access.Reveal(), got.Refresh.Reveal(), got.Expiry, got.Ahead,
			want.Access.Reveal(), want.Refresh.Reveal(), want.Expiry, want.Ahead)
	}
}

func load(t *testing.T, s walletfi.TokenStore) walletfi.Token {
	t.Helper()
	got, err := s.Load(t.Context())
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return got
}

func save(t *testing.T, s walletfi.TokenStore, token walletfi.Token) {
	t.Helper()
	if err := s.Save(t.Context(), token); err != nil {
		t.Fatalf("Save: %v", err)
	}
}

func replace(t *testing.T, s walletfi.TokenStore, old, next walletfi.Token, want bool) {
	t.Helper()
	if done, err := s.Replace(t.Context(), old, next); err != nil || done != want {
		t.Fatalf("Replace = %v, %v, want %v", done, err, want)
	}
}
