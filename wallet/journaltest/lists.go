package journaltest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
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
		{wallet.Query{}, []string{"released", "expired", "failed", "confirmed", "in_doubt", "sent", "signed", "claimed"}},
		{wallet.Query{Open: true}, []string{"in_doubt", "sent", "signed", "claimed"}},
		{wallet.Query{Intent: "odd"}, []string{"released", "failed", "in_doubt", "signed"}},
		{wallet.Query{Intent: "odd", Open: true}, []string{"in_doubt", "signed"}},
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

// listsBySignature looks for transactions, as the wallet does before it sends one.
func listsBySignature(t *testing.T, s Store) {
	j := s.Open(t)
	step := func(own, signature string) wallet.EntryStep {
		return wallet.EntryStep{State: wallet.KeySent, Own: own, Signature: signature}
	}
	store(t, j, 0, bare("a", 1, step("own 1", "signature 1"), step("own 2", "")))
	store(t, j, 0, bare("b", 1, step("own 3", "signature 3")))
	store(t, j, 0, bare("c", 1, step("own 1", "signature 4")))
	store(t, j, 0, bare("none", 1))
	hasKeys(t, j, wallet.Query{Signatures: []string{"own 1"}}, "a", "c")
	hasKeys(t, j, wallet.Query{Signatures: []string{"own 2", "other"}}, "a")
	hasKeys(t, j, wallet.Query{Signatures: []string{"signature 3", "own 3"}}, "b")
	hasKeys(t, j, wallet.Query{Signatures: []string{"signature 1", "own 3"}}, "a", "b")
	hasKeys(t, j, wallet.Query{Signatures: []string{"own 1"}, Intent: "intent of c"}, "c")
	hasKeys(t, j, wallet.Query{Signatures: []string{"", "other"}})
	// The sponsor has signed.
	store(t, j, 1, bare("a", 2, step("own 1", "signature 1"), step("own 2", "signature 2")))
	hasKeys(t, j, wallet.Query{Signatures: []string{"signature 2"}}, "a")
	settled := bare("a", 3, step("own 5", "signature 5"))
	settled.State = wallet.KeyConfirmed
	store(t, j, 2, settled)
	hasKeys(t, j, wallet.Query{Signatures: []string{"signature 2", "own 1"}}, "c")
	hasKeys(t, j, wallet.Query{Signatures: []string{"own 5"}}, "a")
	hasKeys(t, j, wallet.Query{Signatures: []string{"own 5"}, Open: true})
	// Another signature of the same message is found by its hash.
	hashed := step("own 6", "signature 6")
	hashed.Hash = "own 3"
	store(t, j, 0, bare("d", 1, hashed))
	hasKeys(t, j, wallet.Query{Signatures: []string{"own 3"}}, "b", "d")
}

func bare(key string, version uint64, steps ...wallet.EntryStep) wallet.Entry {
	e := entry(key, version)
	e.Since = e.Since.Add(time.Duration(key[0]) * time.Second)
	e.Steps = steps
	return e
}

func hasKeys(t *testing.T, j wallet.Journal, q wallet.Query, want ...string) {
	t.Helper()
	var got []string
	for e, err := range j.List(t.Context(), q) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Key)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("List(%+v) = %q, want %q", q, got, want)
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
