package journaltest

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/wallet"
)

func lists(t *testing.T, s Store) {
	j := s.Open(t)
	states := []wallet.KeyState{
		wallet.KeyClaimed, wallet.KeySigned, wallet.KeySent, wallet.KeyInDoubt,
		wallet.KeyConfirmed, wallet.KeyFailed, wallet.KeyExpired, wallet.KeyReleased,
	}
	for i, state := range states {
		e := entry(string(state), 1)
		e.State, e.Intent = state, []string{"even", "odd"}[i%2]
		e.Since = e.Since.Add(-time.Duration(i) * time.Hour)
		store(t, j, 0, e)
	}
	for _, c := range []struct {
		query wallet.Query
		want  []string
	}{
		{wallet.Query{}, []string{"released", "expired", "failed", "confirmed", "in doubt", "sent", "signed", "claimed"}},
		{wallet.Query{Open: true}, []string{"in doubt", "sent", "signed", "claimed"}},
		{wallet.Query{Intent: "odd"}, []string{"released", "failed", "in doubt", "signed"}},
		{wallet.Query{Intent: "odd", Open: true}, []string{"in doubt", "signed"}},
		{wallet.Query{Intent: "other"}, nil},
	} {
		var got []string
		for e, err := range j.List(t.Context(), c.query) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.Key)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("List(%+v) = %q, want %q, the oldest first", c.query, got, c.want)
		}
	}
}

// longList has more than a page of any store.
func longList(t *testing.T, s Store) {
	j := s.Open(t)
	const n, writers = 1200, 16
	var all sync.WaitGroup
	errs := make([]error, writers)
	for w := range writers {
		all.Go(func() {
			for i := w; i < n && errs[w] == nil; i += writers {
				e := wallet.Entry{Schema: wallet.Schema, Key: fmt.Sprint(i), Version: 1, State: wallet.KeySent, Intent: "one"}
				e.Since = entry("", 0).Since.Add(time.Duration(i) * time.Second)
				errs[w] = j.Store(t.Context(), 0, e)
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for _, q := range []wallet.Query{{}, {Open: true}, {Intent: "one"}} {
		seen := 0
		for e, err := range j.List(t.Context(), q) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Key != fmt.Sprint(seen) {
				t.Fatalf("List(%+v) has %q in place %d", q, e.Key, seen)
			}
			seen++
		}
		if seen != n {
			t.Fatalf("List(%+v) has %d entries, want %d", q, seen, n)
		}
	}
}

// listsAsStored: a list has what was stored last, by any process.
func listsAsStored(t *testing.T, s Store) {
	j := s.Open(t)
	other := j
	if !s.Single {
		other = s.Open(t)
	}
	store(t, j, 0, entry("key", 1))
	for i, state := range []wallet.KeyState{wallet.KeyInDoubt, wallet.KeyExpired, wallet.KeyClaimed, wallet.KeyConfirmed} {
		e := entry("key", uint64(i)+2)
		e.State = state
		store(t, j, e.Version-1, e)
		for _, q := range []wallet.Query{{}, {Open: true}} {
			seen := 0
			for got, err := range other.List(t.Context(), q) {
				if err != nil {
					t.Fatal(err)
				}
				same(t, e, got)
				seen++
			}
			if want := q.Selects(e); want != (seen == 1) {
				t.Fatalf("List(%+v) has %d entries of a key that is %s", q, seen, state)
			}
		}
	}
}

func listLeft(t *testing.T, s Store) {
	j := s.Open(t)
	store(t, j, 0, entry("a", 1))
	store(t, j, 0, entry("b", 1))
	seen := 0
	for e, err := range j.List(t.Context(), wallet.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		e.Version++
		store(t, j, e.Version-1, e) // a list holds no lock
		seen++
		break
	}
	if seen != 1 {
		t.Fatalf("%d entries were listed, want 1", seen)
	}
}
