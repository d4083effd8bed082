package redislimit_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// doubting has two processes of which one begins a doubt of a day, with a first ordinary
// probe after an hour.
func doubting(t *testing.T) (v *virtual, a, b *process) {
	t.Helper()
	v = newVirtual(t)
	a, b = v.process("a", [2]int64{100, time.Minute.Microseconds()}), v.process("b", [2]int64{100, time.Minute.Microseconds()})
	for _, p := range []*process{a, b} {
		for p.sync() != 0 {
		}
	}
	v.advance(time.Second)
	a.doubts(time.Hour, 24*time.Hour)
	return v, a, b
}

func (p *process) doubts(probe, until time.Duration) {
	p.v.t.Helper()
	code, _ := p.does("doubt", map[string]any{"until_probe": probe.Microseconds(), "d": until.Microseconds()})
	require.Zero(p.v.t, code)
}

// probes asks for the slot of a rank, and reports whether it came as a probe.
func (p *process) probes(rank int64) (ok, probe bool, at int64) {
	p.v.t.Helper()
	code, rest := p.does("take", map[string]any{"ask": [][3]int64{{rank, 0, 0}}, "probing": p.f > 0})
	require.Zero(p.v.t, code)
	if rest[0] == 1 {
		p.f++
	}
	return rest[0] == 1, rest[3] == 1, rest[1]
}

func (p *process) ends(sent bool) {
	p.v.t.Helper()
	code, _ := p.does("done", map[string]any{"sent": sent, "probe": true})
	require.Zero(p.v.t, code)
	p.f--
}

// refusesAll says that no process gets a slot of a rank now.
func refusesAll(t *testing.T, rank int64, all ...*process) {
	t.Helper()
	for _, p := range all {
		ok, _, _ := p.probes(rank)
		require.False(t, ok, p.id)
	}
}

// beats lets d pass, after which the processes report.
func (v *virtual) beats(d time.Duration, all ...*process) {
	v.t.Helper()
	v.advance(d)
	for _, p := range all {
		p.session++
		code, _ := p.does("sync", map[string]any{"full": true, "b": [][][2]int64{{}}, "probing": p.f > 0})
		require.Zero(v.t, code)
	}
}

// TestOneProbeOfAFleet: of two processes one urgent request probes after 10 s, at doubled
// intervals of up to a minute after the answers, and an ordinary one when its time comes.
func TestOneProbeOfAFleet(t *testing.T) {
	v, a, b := doubting(t)
	refusesAll(t, 1, a, b)
	v.beats(10*time.Second-time.Millisecond, a, b)
	refusesAll(t, 1, a, b)
	for _, pause := range []time.Duration{20 * time.Second, 40 * time.Second, time.Minute, time.Minute} {
		v.advance(time.Millisecond)
		refusesAll(t, 2, a, b)
		ok, probe, _ := b.probes(1)
		require.True(t, ok && probe, "before %v", pause)
		refusesAll(t, 1, a, b)
		v.beats(time.Second, a, b) // the request takes so long
		b.ends(true)
		refusesAll(t, 1, a, b)
		v.beats(pause-time.Millisecond, a, b)
		refusesAll(t, 1, a, b)
	}
	v.beats(time.Hour-3*time.Minute, a, b)
	ok, probe, _ := a.probes(2)
	require.True(t, ok && probe)
	a.ends(true)
	v.beats(2*time.Hour-time.Minute, a, b)
	refusesAll(t, 2, a, b)
	v.beats(time.Minute, a, b)
	ok, probe, _ = a.probes(2)
	require.True(t, ok && probe)
	a.ends(true)
	require.Zero(t, a.f+b.f)
}

// TestEndOfADoubt: an answer to a probe ends it for all, one that was not sent or an answer to
// an earlier request does not.
func TestEndOfADoubt(t *testing.T) {
	v, a, b := doubting(t)
	code, _ := a.does("trust", nil)
	require.Zero(t, code)
	v.beats(10*time.Second, a, b)
	ok, probe, _ := b.probes(1)
	require.True(t, ok && probe)
	b.ends(false)
	_, _ = a.does("trust", nil)
	ok, probe, _ = a.probes(1)
	require.True(t, ok && probe, "one that was not sent is none: the next goes at once")
	a.ends(true)
	refusesAll(t, 1, a, b)
	_, _ = b.does("trust", nil)
	for _, p := range []*process{a, b} {
		ok, probe, _ = p.probes(2)
		require.True(t, ok && !probe)
		p.done(true)
	}
}

// TestDoubtLasts: it goes on as it was when it is stated again, and lasts until the later
// time; then all go.
func TestDoubtLasts(t *testing.T) {
	v, a, b := doubting(t)
	_, rest := a.does("held", nil)
	require.Equal(t, time.Hour, time.Duration(rest[0]-v.now)*time.Microsecond, "up to the next probe")
	b.doubts(time.Minute, time.Minute)
	v.beats(2*time.Minute, a, b)
	refusesAll(t, 2, a, b)
	_, _ = a.does("lift", nil)
	ok, probe, _ := b.probes(2)
	require.True(t, ok && !probe)
	b.done(true)
	b.doubts(time.Hour, time.Minute)
	v.beats(time.Minute, a, b)
	ok, probe, _ = a.probes(2)
	require.True(t, ok && !probe, "it is over")
}

// TestLostProbe: the probe of a process that died, or that does not know of it, keeps nobody
// waiting for ever.
func TestLostProbe(t *testing.T) {
	v, a, b := doubting(t)
	v.beats(10*time.Second, a, b)
	ok, _, _ := a.probes(1)
	require.True(t, ok)
	v.beats(vLease-time.Second, b)
	refusesAll(t, 1, b)
	v.beats(time.Second, b)
	v.beats(20*time.Second, b)
	ok, probe, _ := b.probes(1)
	require.True(t, ok && probe, "the one that died counts as sent when its lease ended")
	b.f-- // it lost the answer, and says so
	v.beats(time.Second, b)
	refusesAll(t, 1, b)
	v.beats(40*time.Second, b)
	ok, probe, _ = b.probes(1)
	require.True(t, ok && probe)
}

// TestProber: two processes under one real clock; a doubt of one holds the other, and ends
// for both with the answer to the other's probe.
func TestProber(t *testing.T) {
	addr, key := address(t), unique(t)
	scope := ratelimit.Scope{Service: "test", Budgets: []ratelimit.Budget{{Requests: 100, Per: time.Minute}}}
	first, second := open(t, addr, key).Limiter(scope), open(t, addr, key).Limiter(scope)
	ready(t, first)
	ready(t, second)
	require.NoError(t, ratelimit.Doubt(t.Context(), first, time.Now().Add(200*time.Millisecond), time.Now().Add(time.Hour)))
	for _, l := range []ratelimit.Limiter{first, second} {
		refused(t, l)
	}
	done, err := second.Permit(t.Context(), 10*time.Second)
	require.NoError(t, err)
	refused(t, first)
	urgent, cancel := context.WithCancel(ratelimit.WithUrgent(t.Context()))
	defer cancel()
	_, err = first.Permit(urgent, 0)
	require.Error(t, err, "one at a time")
	require.NoError(t, done(t.Context(), true))
	refused(t, first)
	require.NoError(t, ratelimit.Trust(t.Context(), second))
	require.NoError(t, take(t, first)(t.Context(), true))
}
