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
func (s *MemorySeen) keys() (count, slots int) {
	for _, g := range s.generations {
		last := (*page)(nil)
		for _, p := range g.keys.pages {
			if p != last {
				count, slots, last = count+p.count, slots+len(p.slots), p
			}
		}
	}
	return count, slots
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
				count, _ := s.keys()
				most, generations = max(most, count), max(generations, len(s.generations))
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

// TestFingerprints: the set has what was added, and nothing else, at each size.
func TestFingerprints(t *testing.T) {
	var s fingerprints
	require.False(t, s.has(fingerprintOf("0")))
	for n := range 100_000 {
		f := fingerprintOf(fmt.Sprint(n))
		require.False(t, s.has(f))
		s.add(f)
		s.add(f)
		require.True(t, s.has(f))
		require.True(t, s.has(fingerprintOf(fmt.Sprint(n/2))))
	}
	total := 0
	for n := range 100_000 {
		require.True(t, s.has(fingerprintOf(fmt.Sprint(n))))
		require.False(t, s.has(fingerprintOf(fmt.Sprint("not ", n))))
	}
	last := (*page)(nil)
	for i, p := range s.pages {
		if p == last {
			continue
		}
		last = p
		require.LessOrEqual(t, len(p.slots), mostSlots)
		found := 0
		for _, f := range p.slots {
			if f != (fingerprint{}) {
				found++
				require.Equal(t, i>>(s.depth-p.depth), int(f.bits()>>(64-p.depth)), "in the page of its first bits")
			}
		}
		require.Equal(t, p.count, found)
		total += found
	}
	require.Equal(t, 100_000, total)
}

// TestMemorySeenGrows: bytes a delivery do not grow with their number, and no call
// moves more than a page and the table of pages.
func TestMemorySeenGrows(t *testing.T) {
	for _, n := range []int{20_000, 40_000, 80_000, 160_000} {
		var s MemorySeen
		until := time.Now().Add(time.Hour)
		for i := range n {
			require.NoError(t, s.Commit(t.Context(), fmt.Sprint(i), until))
		}
		count, slots := s.keys()
		require.Equal(t, n, count)
		pages := len(s.generations[0].keys.pages)
		bytes := float64(16*slots+8*pages+64*slots/mostSlots) / float64(n)
		require.LessOrEqual(t, bytes, 64.0, n)
		require.Less(t, pages, n/10, "what a call copies at most")
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

// TestFewFingerprints: the count is right from the first one on.
func TestFewFingerprints(t *testing.T) {
	var s MemorySeen
	until := time.Now().Add(time.Hour)
	for n := range 2000 {
		count, _ := s.keys()
		require.Equal(t, n, count)
		require.NoError(t, s.Commit(t.Context(), fmt.Sprint(n), until))
	}
}

// TestFingerprintsThatCrowd: the pages of one prefix are split again and again, while
// the others keep many places each; then theirs are split.
func TestFingerprintsThatCrowd(t *testing.T) {
	var s fingerprints
	with := func(first byte, n int) fingerprint {
		f := fingerprintOf(fmt.Sprint(first, n))
		f[0] = first
		return f
	}
	var all []fingerprint
	for _, first := range []byte{0, 0x01, 0x80, 0xff} {
		for n := range 3000 {
			f := with(first, n)
			require.False(t, s.has(f))
			s.add(f)
			all = append(all, f)
		}
	}
	require.Greater(t, s.depth, uint(8))
	for _, f := range all {
		require.True(t, s.has(f))
	}
	for n := range 3000 {
		require.False(t, s.has(with(0x40, n)))
		require.False(t, s.has(with(0x80, 3000+n)))
	}
}
