package wiretest

import (
	"iter"
	"testing"
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
