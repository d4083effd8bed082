package redislimit_test

import (
	"context"
	"errors"
	"math"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/redislimit"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestConfigIsChecked(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"})
	defer client.Close()
	for field, cfg := range map[string]redislimit.Config{
		"client":       {Key: "k"},
		"key":          {Client: client},
		"lease":        {Client: client, Key: "k", Lease: time.Millisecond},
		"reportPeriod": {Client: client, Key: "k", ReportPeriod: -1},
		"timeout":      {Client: client, Key: "k", Timeout: -1},
	} {
		_, err := redislimit.New(cfg)
		wiretest.Refused(t, err, field)
	}
	_, err := redislimit.New(redislimit.Config{Client: client, Key: "a}b{"})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
}

// TestZeroBudget: no limit is an empty list, never a zero budget.
func TestZeroBudget(t *testing.T) {
	f := open(t, "127.0.0.1:1", "k")
	require.Panics(t, func() { f.Limiter(scopeOf(ratelimit.Budget{})) })
}

// TestNoBudget: of a scope without budgets, holds are shared and nothing else limits.
func TestNoBudget(t *testing.T) {
	addr, key := address(t), unique(t)
	a, b := open(t, addr, key).Limiter(scopeOf()), open(t, addr, key).Limiter(scopeOf())
	ready(t, a)
	ready(t, b)
	for range 50 {
		take(t, a)
	}
	require.NoError(t, b.Hold(t.Context(), time.Now().Add(time.Minute)))
	require.Greater(t, refused(t, a), 50*time.Second)
	h := a.(ratelimit.Holder)
	at, err := h.Held(t.Context())
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(time.Minute), at, 5*time.Second)
	require.NoError(t, h.Lift(t.Context()))
	take(t, b)
}

// TestPace: a pause between requests is one request in any window of its length.
func TestPace(t *testing.T) {
	l := open(t, address(t), unique(t)).Limiter(ratelimit.Scope{Service: "amm", Pace: time.Second})
	ready(t, l)
	require.NoError(t, take(t, l)(t.Context(), true))
	require.Positive(t, refused(t, l))
}

// TestSameScopeSameLimiter: two clients in one process share the process's record.
func TestSameScopeSameLimiter(t *testing.T) {
	f := open(t, "127.0.0.1:1", "k")
	budget := ratelimit.Budget{Requests: 1, Per: time.Second}
	require.Same(t, f.Limiter(scopeOf(budget)), f.Limiter(scopeOf(budget)))
	require.NotSame(t, f.Limiter(scopeOf(budget)), f.Limiter(scopeOf()))
}

// TestTwoBudgetsOfOneWindow: the smaller one holds, and its slots come free again.
func TestTwoBudgetsOfOneWindow(t *testing.T) {
	const window = 300 * time.Millisecond
	l := open(t, address(t), unique(t)).Limiter(scopeOf(ratelimit.Budget{Requests: 5, Per: window}, ratelimit.Budget{Requests: 2, Per: window}))
	ready(t, l)
	for range 3 {
		for range 2 {
			require.NoError(t, take(t, l)(t.Context(), true))
		}
		refused(t, l)
		wait(t, window+50*time.Millisecond)
	}
}

// TestOtherWindows: processes that state other windows would not count each other's
// requests. Other numbers of requests are each kept.
func TestOtherWindows(t *testing.T) {
	addr, key := address(t), unique(t)
	minute := open(t, addr, key).Limiter(scopeOf(ratelimit.Budget{Requests: 2, Per: time.Minute}))
	ready(t, minute)
	hour := open(t, addr, key).Limiter(scopeOf(ratelimit.Budget{Requests: 2, Per: time.Hour}))
	_, err := hour.Permit(t.Context(), time.Second)
	require.ErrorIs(t, err, ratelimit.ErrLimiter)
	require.ErrorContains(t, err, "different windows")
	require.NoError(t, take(t, minute)(t.Context(), true))
	less := open(t, addr, key).Limiter(scopeOf(ratelimit.Budget{Requests: 1, Per: time.Minute}))
	refused(t, reported(t, less))
	take(t, minute)
}

// reported lets a process report that gets no slot.
func reported(t *testing.T, l ratelimit.Limiter) ratelimit.Limiter {
	_, err := l.Permit(t.Context(), 0)
	require.ErrorIs(t, err, ratelimit.ErrLimited)
	return l
}

// TestOddInput: the shortest and the longest windows, huge numbers, instants far away.
func TestOddInput(t *testing.T) {
	addr := address(t)
	for name, b := range map[string]ratelimit.Budget{
		"a nanosecond":  {Requests: 1, Per: 1},
		"a millisecond": {Requests: 3, Per: time.Millisecond},
		"a century":     {Requests: 1, Per: 36_600 * 24 * time.Hour},
		"huge":          {Requests: math.MaxInt32, Per: time.Hour},
		"odd":           {Requests: 7, Per: 1234567 * time.Nanosecond},
	} {
		t.Run(name, func(t *testing.T) {
			l := open(t, addr, unique(t)).Limiter(scopeOf(b))
			ready(t, l)
			require.NoError(t, take(t, l)(t.Context(), true))
			require.NoError(t, l.Hold(t.Context(), time.Now().Add(-time.Hour)))
			require.NoError(t, l.Tighten(t.Context(), -5, time.Now().Add(-time.Hour)))
			if b.Per < time.Second {
				ready(t, l)
			}
			require.NoError(t, l.Tighten(t.Context(), math.MaxInt32, time.Now().Add(1000*time.Hour)))
			require.NoError(t, l.Hold(t.Context(), time.Now().Add(math.MaxInt64)))
			require.Greater(t, refused(t, l), 365*24*time.Hour)
		})
	}
}

// TestCancelledWhileReserving: whatever the moment in which callers give up, no slot is
// lost and none is given twice.
func TestCancelledWhileReserving(t *testing.T) {
	addr, key := address(t), unique(t)
	scope := scopeOf(ratelimit.Budget{Requests: 3, Per: time.Hour})
	a, b := open(t, addr, key).Limiter(scope), open(t, addr, key).Limiter(scope)
	ready(t, a)
	ready(t, b)
	var all sync.WaitGroup
	for i, l := range []ratelimit.Limiter{a, b, a, b, a, b, a, b} {
		all.Go(func() {
			for n := range 40 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i*n*37%5000)*time.Microsecond)
				if done, err := l.Permit(ctx, time.Hour); err == nil {
					_ = done(ctx, false)
				} else if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ratelimit.ErrLimited) {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	all.Wait()
	wait(t, 200*time.Millisecond)
	for range 3 {
		take(t, a)
	}
	refused(t, b)
}

// TestMemory: a budget of 100,000 a day, all of it used, is one hash of at most as many
// fields as a window has ticks.
func TestMemory(t *testing.T) {
	addr, key := address(t), unique(t)
	client := redis.NewClient(&redis.Options{Addr: addr})
	defer client.Close()
	per := 1500 * time.Millisecond
	l := open(t, addr, key).Limiter(scopeOf(ratelimit.Budget{Requests: 100_000, Per: per}))
	ready(t, l)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for begun := time.Now(); time.Since(begun) < 2*per; {
				done, err := l.Permit(t.Context(), time.Minute)
				if err == nil {
					err = done(t.Context(), true)
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	fields, err := client.HLen(t.Context(), "walletfi:limit:{"+key+":test:read}").Result()
	require.NoError(t, err)
	require.LessOrEqual(t, fields, int64(1024+3))
	require.Positive(t, fields)
}

// TestOneRoundTrip: a permit is one command, once the process has reported.
func TestOneRoundTrip(t *testing.T) {
	s := startServer(t)
	rarely := func(c *redislimit.Config) { c.ReportPeriod = 900 * time.Millisecond }
	l := open(t, s.addr, "k", rarely).Limiter(scopeOf(ratelimit.Budget{Requests: 1000, Per: time.Hour}))
	ready(t, l)
	client := redis.NewClient(&redis.Options{Addr: s.addr})
	defer client.Close()
	require.NoError(t, client.ConfigResetStat(t.Context()).Err())
	const n = 100
	for range n {
		take(t, l)
	}
	out, err := exec.Command("redis-cli", "-p", s.port, "info", "commandstats").Output()
	require.NoError(t, err)
	require.Regexp(t, `cmdstat_evalsha:calls=1[0-4][0-9],`, string(out), "and some reports")
}
