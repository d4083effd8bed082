package seentest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/webhooks"
)

func hours(n int) time.Time { return time.Now().Add(time.Duration(n) * time.Hour) }

func commit(t *testing.T, s webhooks.Seen, key string, until time.Time) {
	t.Helper()
	if err := s.Commit(t.Context(), key, until); err != nil {
		t.Fatalf("Commit(%.40q): %v", key, err)
	}
}

func expect(t *testing.T, s webhooks.Seen, key string, want bool) {
	t.Helper()
	seen, err := s.Seen(t.Context(), key)
	if err != nil {
		t.Fatalf("Seen(%.40q): %v", key, err)
	}
	if seen != want {
		t.Fatalf("Seen(%.40q) = %t, want %t", key, seen, want)
	}
}

func committed(t *testing.T, st Store) {
	s := st.Open(t)
	expect(t, s, "a", false)
	commit(t, s, "a", hours(1))
	expect(t, s, "a", true)
	expect(t, s, "b", false)
	commit(t, s, "a", hours(2))
	expect(t, s, "a", true)
	commit(t, s, "far", hours(24*365*50))
	expect(t, s, "far", true)
}

func anyKey(t *testing.T, st Store) {
	s := st.Open(t)
	keys := []string{
		"a", "A", "a ", "ä", "a\u0308", "a'b\"c\\", "%", "_", "\u2028", "a\x00b", "a\x00c", "\xff\xfe", "",
		strings.Repeat("k", 300), strings.Repeat("k", 301), strings.Repeat("k", 100_000),
	}
	for i, key := range keys {
		expect(t, s, key, false)
		commit(t, s, key, hours(1))
		for j, other := range keys {
			expect(t, s, other, j <= i)
		}
	}
}

func passed(t *testing.T, st Store) {
	s := st.Open(t)
	commit(t, s, "a", hours(-24))
	expect(t, s, "a", false)
	commit(t, s, "b", time.Time{})
	expect(t, s, "b", false)
	commit(t, s, "a", hours(1))
	expect(t, s, "a", true)
}

func neverShortens(t *testing.T, st Store) {
	s := st.Open(t)
	commit(t, s, "a", hours(5))
	commit(t, s, "a", hours(-1))
	expect(t, s, "a", true)
}

func manyAtOnce(t *testing.T, st Store) {
	s := st.Open(t)
	const writers, each = 8, 40
	var all sync.WaitGroup
	errs := make([]error, writers)
	for w := range writers {
		all.Go(func() {
			for n := 0; n < each && errs[w] == nil; n++ {
				errs[w] = s.Commit(t.Context(), fmt.Sprint(n), hours(1+w%3)) // the same keys
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	for n := range each {
		expect(t, s, fmt.Sprint(n), true)
	}
	expect(t, s, fmt.Sprint(each), false)
}

func twoProcesses(t *testing.T, st Store) {
	if st.Single {
		t.Skip("one process at a time can use the store")
	}
	a, b := st.Open(t), st.Open(t)
	expect(t, b, "a", false)
	commit(t, a, "a", hours(1))
	expect(t, b, "a", true)
}

func survives(t *testing.T, st Store) {
	if st.Reopen == nil {
		t.Skip("the store does not outlive its process")
	}
	s := st.Open(t)
	commit(t, s, "a", hours(1))
	commit(t, s, "b", hours(1))
	s = st.Reopen(t)
	expect(t, s, "a", true)
	expect(t, s, "b", true)
	expect(t, s, "c", false)
}
