package wiretest

import (
	"iter"
	"testing"
	"testing/synctest"
)

// Some passes on what seq yields, and fails the test if that is nothing: what a
// loop asserts of each element would hold of none.
func Some[K, V any](t testing.TB, seq iter.Seq2[K, V]) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		t.Helper()
		n := 0
		defer func() {
			if n == 0 {
				t.Error("the sequence yields nothing")
			}
		}()
		for k, v := range seq {
			n++
			if !yield(k, v) {
				return
			}
		}
	}
}

// InBubble runs a test of that name on virtual time.
func InBubble(t *testing.T, name string, f func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}
