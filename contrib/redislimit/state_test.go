package redislimit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const second = int64(1_000_000)

// TestStaleReport: a report that a later one overtook changes nothing, and neither does
// what the script settles on the way: a dead process's slots count once.
func TestStaleReport(t *testing.T) {
	v := newVirtual(t)
	dead, a := v.process("dead", [2]int64{5, 10 * second}), v.process("a", [2]int64{5, 10 * second})
	require.Zero(t, dead.sync())
	require.Zero(t, a.sync())
	v.advance(vReport)
	for range 3 {
		ok, _ := dead.take()
		require.True(t, ok)
	}
	alive := func() {
		t.Helper()
		a.session += 10
		require.Zero(t, a.sync())
	}
	stale := func() {
		t.Helper()
		a.session -= 5
		code, _ := a.does("sync", nil)
		require.Equal(t, int64(2), code, "stale")
		a.session += 5
	}
	v.advance(vLease / 2)
	alive()
	v.advance(vLease/2 + time.Millisecond) // dead's slots count as sent now
	for range 3 {
		stale()
		v.advance(time.Millisecond)
	}
	alive()
	require.Equal(t, 2, a.burst(10), "three are dead's")
	for range 5 {
		v.advance(vLease - time.Second)
		alive()
	}
	v.advance(time.Second)
	for range 2 {
		stale() // and all came free
	}
	alive()
	require.Equal(t, 5, a.burst(10), "the whole budget, and no more")
}

// TestClockSetBack: by an hour, or back to the truth after a year ahead. Slots come free
// a window later and not when the clock has caught up.
func TestClockSetBack(t *testing.T) {
	for name, ahead := range map[string]time.Duration{"set back": -time.Hour, "was ahead": 365 * 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			v := newVirtual(t)
			a, b := v.process("a", [2]int64{4, 10 * second}, [2]int64{6, 60 * second}), v.process("b", [2]int64{4, 10 * second}, [2]int64{6, 60 * second})
			require.Zero(t, a.sync())
			require.Zero(t, b.sync())
			v.advance(vReport)
			require.Equal(t, 4, a.burst(10))
			v.advance(time.Second)
			if ahead > 0 {
				v.advance(ahead)
				require.Zero(t, a.sync())
				require.Equal(t, 4, a.burst(10), "documented: ahead, slots come free early")
				v.advance(-ahead)
			} else {
				v.advance(ahead)
			}
			require.Zero(t, a.sync())
			require.Zero(t, b.sync())
			require.Zero(t, b.burst(10), "not exceeded")
			ok, at := b.take()
			require.False(t, ok)
			require.Positive(t, at)
			v.advance(11 * time.Second)
			require.Zero(t, b.sync())
			require.Equal(t, 2, b.burst(10), "of six in a minute")
			v.advance(61 * time.Second)
			require.Zero(t, b.sync())
			require.Equal(t, 4, b.burst(10))
		})
	}
}

// TestReportFromTheFuture: a process that heard a wrong clock reports slots that come
// free in years. They come free a window from now at the latest, and the script does not
// walk through the years.
func TestReportFromTheFuture(t *testing.T) {
	v := newVirtual(t)
	a := v.process("a", [2]int64{4, 10 * second})
	tick := a.windows[0][2]
	far := (v.now + 100*365*24*3600*second) / tick
	begun := time.Now()
	require.Zero(t, a.sync([][2]int64{{far, 3}}))
	v.advance(vReport)
	require.Equal(t, 1, a.burst(10))
	v.advance(time.Second)
	require.False(t, func() bool { ok, _ := a.take(); return ok }())
	v.advance(10 * time.Second)
	require.Zero(t, a.sync())
	require.Equal(t, 4, a.burst(10))
	require.Less(t, time.Since(begun), 20*time.Second)
}

// TestWindowsChange: another tier, or another version, states other windows. They are an
// error as long as a process lives that states the old ones, and take over afterwards,
// with what was sent.
func TestWindowsChange(t *testing.T) {
	v := newVirtual(t)
	old := v.process("old", [2]int64{4, 60 * second})
	require.Zero(t, old.sync())
	v.advance(vReport)
	require.Equal(t, 4, old.burst(10))
	next := v.process("new", [2]int64{6, 60 * second}, [2]int64{3, 10 * second})
	require.Equal(t, int64(3), next.sync(), "the old one lives")
	v.advance(vLease + time.Millisecond)
	require.Zero(t, next.sync(), "no process has the old ones")
	v.advance(vReport)
	require.Equal(t, 0, next.burst(10), "four in the last ten seconds")
	v.advance(11 * time.Second)
	require.Zero(t, next.sync())
	require.Equal(t, 2, next.burst(10), "of six in a minute")
	require.Equal(t, int64(3), old.sync(), "now the old windows are the others")
	v.advance(61 * time.Second)
	require.Zero(t, next.sync())
	require.Equal(t, 3, next.burst(10))
}
