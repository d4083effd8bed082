package webhooks

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// keys counts the keys of all generations.
func (s *MemorySeen) keys() (count int) {
	for _, g := range s.generations {
		count += len(g.keys)
	}
	return count
}

// TestMemorySeenIsBounded by what has not expired and an eighth more, at any
// number of deliveries that have passed.
func TestMemorySeenIsBounded(t *testing.T) {
	for _, lasts := range []time.Duration{5000 * time.Second, 777 * time.Second, 15 * time.Second} {
		now := time.Unix(0, 0)
		s := MemorySeen{Now: func() time.Time { return now }}
		live := int(lasts / time.Second)
		most, generations := 0, 0
		for n := range 60_000 {
			require.NoError(t, s.Commit(t.Context(), fmt.Sprint(n), now.Add(lasts)))
			now = now.Add(time.Second)
			if n%101 == 0 {
				most, generations = max(most, s.keys()), max(generations, len(s.generations))
			}
		}
		require.LessOrEqual(t, most, live+live/8+2)
		require.LessOrEqual(t, generations, 18)
		for n := range live - 1 {
			seen, err := s.Seen(t.Context(), fmt.Sprint(59_999-n))
			require.NoError(t, err)
			require.True(t, seen, n)
		}
		for n := live + live/8 + 2; n < 2*live; n++ {
			seen, err := s.Seen(t.Context(), fmt.Sprint(59_999-n))
			require.NoError(t, err)
			require.False(t, seen, n)
		}
	}
}

// TestClockThatIsSet: a jump of the wall clock forgets nothing, as long as Now has
// a monotonic reading.
func TestClockThatIsSet(t *testing.T) {
	real := time.Now()
	now := real
	s := MemorySeen{Now: func() time.Time { return now }}
	require.NoError(t, s.Commit(t.Context(), "a", now.Add(time.Hour)))
	now = real.Add(time.Minute)
	require.NoError(t, s.Commit(t.Context(), "b", now.Add(-time.Second)))
	for key, want := range map[string]bool{"a": true, "b": false} {
		seen, err := s.Seen(t.Context(), key)
		require.NoError(t, err)
		require.Equal(t, want, seen, key)
	}
	now = real.Add(-2 * time.Hour) // backwards
	seen, err := s.Seen(t.Context(), "a")
	require.NoError(t, err)
	require.True(t, seen)
	require.NoError(t, s.Commit(t.Context(), "c", now.Add(time.Hour)))
	seen, err = s.Seen(t.Context(), "c")
	require.NoError(t, err)
	require.True(t, seen)
}

var many = flag.Int("memoryseen", 1_000_000, "the number of deliveries in BenchmarkMemorySeen")

// BenchmarkMemorySeen fills a store and prints the bytes a delivery and the
// slowest calls:
//
//	go test ./webhooks -run '^$' -bench MemorySeen -benchtime 1x -memoryseen 10000000
func BenchmarkMemorySeen(b *testing.B) {
	for b.Loop() {
		keys := make([]string, 1024)
		took := make([]time.Duration, 0, *many)
		var s MemorySeen
		until := time.Now().Add(4 * time.Hour)
		before := heap()
		for n := range *many {
			keys[n%len(keys)] = fmt.Sprintf("wh_1/%d/%064x", n, n)
			begun := time.Now()
			if s.Commit(b.Context(), keys[n%len(keys)], until) != nil {
				b.Fatal("not committed")
			}
			took = append(took, time.Since(begun))
		}
		b.ReportMetric(float64(heap()-before)/float64(*many), "B/delivery")
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
		b.ReportMetric(float64(took[len(took)-len(took)/10_000-1])/1000, "p99.99-us")
		b.ReportMetric(float64(took[len(took)-1])/1000, "worst-us")
		runtime.KeepAlive(&s)
	}
}

// TestMemorySeenToTheNanosecond: a key is remembered until its time, and not after the
// end of its generation, which is the next multiple of an eighth to a sixteenth.
func TestMemorySeenToTheNanosecond(t *testing.T) {
	begun := time.Unix(0, 0)
	now := begun
	s := MemorySeen{Now: func() time.Time { return now }}
	at := func(ns int) { now = begun.Add(time.Duration(ns)) }
	commit := func(key string, left int) {
		require.NoError(t, s.Commit(t.Context(), key, now.Add(time.Duration(left))))
	}
	seen := func(key string) bool {
		seen, err := s.Seen(t.Context(), key)
		require.NoError(t, err)
		return seen
	}
	at(0)
	commit("none", 0)
	commit("past", -1)
	require.Empty(t, s.generations, "what is over needs no room")
	require.False(t, seen("none"))
	commit("one", 1)
	require.True(t, seen("one"))
	at(1)
	require.False(t, seen("one"), "to the nanosecond")
	commit("other", 0)
	require.Empty(t, s.generations, "it has ended")

	at(2) // of 16 ns, ends are even
	commit("a", 16)
	at(3)
	commit("b", 16)
	at(4)
	commit("c", 16)
	require.Len(t, s.generations, 2)
	at(17)
	require.True(t, seen("a"))
	at(18)
	require.False(t, seen("a"), "an end that is a multiple is the end")
	require.True(t, seen("b"))
	at(19)
	require.True(t, seen("b"), "a nanosecond longer, with c")
	at(20)
	require.False(t, seen("b"))
	require.False(t, seen("c"))
	commit("d", 15) // of less than 16 ns, each end is one
	at(21)
	commit("e", 15)
	require.Len(t, s.generations, 2)
}
