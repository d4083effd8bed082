package redislimit_test

import (
	"context"
	"errors"
	"net/http"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/redislimit"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// counter is a service that counts the requests of a sliding window, both ends
// included.
type counter struct {
	mu     sync.Mutex
	budget ratelimit.Budget
	all    []time.Time
	over   int
}

func (c *counter) arrive() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if i := len(c.all) - c.budget.Requests; i >= 0 && now.Sub(c.all[i]) <= c.budget.Per {
		c.over++
	}
	c.all = append(c.all, now)
}

// since returns how many requests came after an instant.
func (c *counter) since(at time.Time) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.all {
		if a.After(at) {
			n++
		}
	}
	return n
}

// saturated runs processes that use a budget up until the test ends it, and go on after
// failures.
func saturated(t *testing.T, addr string, budget ratelimit.Budget) (service *counter, stop func()) {
	t.Helper()
	service = &counter{budget: budget}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	key := unique(t)
	for range 4 {
		l := open(t, addr, key, func(c *redislimit.Config) { c.ReportPeriod, c.Timeout = 300*time.Millisecond, 250*time.Millisecond }).Limiter(scopeOf(budget))
		for range 6 {
			all.Go(func() {
				for ctx.Err() == nil {
					saturate(ctx, l, func() bool { service.arrive(); return true })
					_ = pause.For(ctx, 5*time.Millisecond)
				}
			})
		}
	}
	stop = func() { cancel(); all.Wait() }
	t.Cleanup(stop)
	return service, stop
}

func wait(t *testing.T, d time.Duration) { require.NoError(t, pause.For(t.Context(), d)) }

// TestLostState: whatever Redis loses, the budget is not exceeded, and slots are given
// again afterwards.
func TestLostState(t *testing.T) {
	budget := ratelimit.Budget{Requests: 30, Per: 1500 * time.Millisecond}
	for name, lose := range map[string]func(t *testing.T, s *server, c *redis.Client){
		"a flush": func(t *testing.T, _ *server, c *redis.Client) { require.NoError(t, c.FlushAll(t.Context()).Err()) },
		"the keys": func(t *testing.T, _ *server, c *redis.Client) {
			keys, err := c.Keys(t.Context(), "walletfi:*").Result()
			require.NoError(t, err)
			require.NotEmpty(t, keys)
			require.NoError(t, c.Del(t.Context(), keys...).Err())
		},
		"kill -9 and a restart": func(t *testing.T, s *server, _ *redis.Client) {
			s.kill()
			s.start(t)
		},
		"a failover without the last writes": func(t *testing.T, s *server, c *redis.Client) {
			require.NoError(t, c.Save(t.Context()).Err())
			wait(t, 400*time.Millisecond)
			s.kill()
			s.start(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t)
			client := redis.NewClient(&redis.Options{Addr: s.addr})
			defer client.Close()
			service, stop := saturated(t, s.addr, budget)
			for range 3 {
				wait(t, time.Second+time.Duration(time.Now().UnixNano()%700)*time.Millisecond)
				lose(t, s, client)
			}
			last := time.Now()
			wait(t, 4*time.Second)
			stop()
			require.Zero(t, service.over, "of %d", len(service.all))
			require.Greater(t, service.since(last), budget.Requests, "it goes on")
		})
	}
}

// TestEndedProcessIsNotReported: what a process sent that has ended is lost with Redis's
// state only if the report period is shorter than the window.
func TestEndedProcessIsNotReported(t *testing.T) {
	s := startServer(t)
	scope := scopeOf(ratelimit.Budget{Requests: 2, Per: time.Second})
	slow := func(c *redislimit.Config) { c.ReportPeriod = 1100 * time.Millisecond }
	first, err := redislimit.New(redislimit.Config{Client: redis.NewClient(&redis.Options{Addr: s.addr}), Key: "k", ReportPeriod: 1100 * time.Millisecond})
	require.NoError(t, err)
	l := first.Limiter(scope)
	ready(t, l)
	second := open(t, s.addr, "k", slow).Limiter(scope)
	ready(t, second)
	begun := time.Now()
	for range 2 {
		require.NoError(t, take(t, l)(t.Context(), true))
	}
	require.NoError(t, first.Close())
	s.kill()
	s.start(t)
	ready(t, second)
	require.Greater(t, time.Since(begun), time.Second)
}

// TestCrash: a process that is killed keeps its slots until its lease ends; then they
// count as sent.
func TestCrash(t *testing.T) {
	addr, key := address(t), unique(t)
	scope := scopeOf(ratelimit.Budget{Requests: 2, Per: 700 * time.Millisecond})
	const lease = 900 * time.Millisecond
	short := func(c *redislimit.Config) { c.Lease = lease }
	other := open(t, addr, key, short).Limiter(scope)
	ready(t, other)
	// Closing the fleet ends the renewal, as the end of the process does.
	dying := open(t, addr, key, short)
	l := dying.Limiter(scope)
	ready(t, l)
	take(t, l)
	take(t, l)
	require.NoError(t, dying.Close())
	died := time.Now()
	refused(t, other)
	done, err := other.Permit(t.Context(), 10*time.Second)
	require.NoError(t, err)
	require.Greater(t, time.Since(died), 700*time.Millisecond+lease/2, "the lease and the window")
	require.NoError(t, done(t.Context(), true))
}

// TestSlowRequestKeepsItsSlot: a lease is renewed as long as the process lives.
func TestSlowRequestKeepsItsSlot(t *testing.T) {
	addr, key := address(t), unique(t)
	scope := scopeOf(ratelimit.Budget{Requests: 1, Per: 200 * time.Millisecond})
	short := func(c *redislimit.Config) { c.Lease = 300 * time.Millisecond }
	l, other := open(t, addr, key, short).Limiter(scope), open(t, addr, key, short).Limiter(scope)
	ready(t, l)
	ready(t, other)
	done := take(t, l)
	for range 6 {
		wait(t, 200*time.Millisecond)
		refused(t, other)
	}
	require.NoError(t, done(t.Context(), true))
	require.Positive(t, refused(t, other))
}

// TestRedisAway: the call fails closed with the limiter's sentinel, its service named and
// nothing sent; with a fallback it uses the local share.
func TestRedisAway(t *testing.T) {
	s := startServer(t)
	s.kill()
	fleet := open(t, s.addr, "k", func(c *redislimit.Config) { c.Timeout = 100 * time.Millisecond })
	requests := 0
	cfg := lending.Config{BaseURL: "https://lending.test", APIKey: walletfi.NewSecret("k-123456"), Options: walletfi.Options{
		Limiter: fleet.Limiter,
		HTTPClient: &http.Client{Transport: tripper(func(*http.Request) (*http.Response, error) {
			requests++
			return nil, errors.New("sent")
		})},
		Retry: walletfi.RetryPolicy{MaxRetries: new(0)},
	}}
	c, err := lending.New(cfg)
	require.NoError(t, err)
	_, err = c.ListPools(t.Context())
	require.ErrorIs(t, err, walletfi.ErrLimiter)
	require.NotErrorIs(t, err, walletfi.ErrRateLimited)
	require.ErrorContains(t, err, "lending")
	require.Zero(t, requests)

	cfg.LimiterFallback = ratelimit.Fallback{Processes: 2, Part: 0.5}
	cfg.MaxQueueWait = new(time.Duration(0))
	c, err = lending.New(cfg)
	require.NoError(t, err)
	_, err = c.ListPools(t.Context())
	require.ErrorIs(t, err, walletfi.ErrRateLimited, "the share opens a window after the start")
	require.Zero(t, requests)
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestAnswerIsNotLost: a request that ended while Redis was away still counts when it is
// back, for one window.
func TestAnswerIsNotLost(t *testing.T) {
	s := startServer(t)
	scope := scopeOf(ratelimit.Budget{Requests: 1, Per: 3 * time.Second})
	quick := func(c *redislimit.Config) { c.Timeout = 200 * time.Millisecond }
	l, other := open(t, s.addr, "k", quick).Limiter(scope), open(t, s.addr, "k", quick).Limiter(scope)
	ready(t, other)
	ready(t, l)
	done := take(t, l)
	s.kill()
	require.ErrorIs(t, done(t.Context(), true), walletfi.ErrLimiter)
	answered := time.Now()
	s.start(t)
	ready(t, other)
	require.Greater(t, time.Since(answered), 3*time.Second)
}

// TestPausedRedis: a Redis that hangs fails calls within the timeout, and nothing that
// it then executes late costs a slot for good.
func TestPausedRedis(t *testing.T) {
	s := startServer(t)
	scope := scopeOf(ratelimit.Budget{Requests: 2, Per: 300 * time.Millisecond})
	l := open(t, s.addr, "k", func(c *redislimit.Config) { c.Timeout = 100 * time.Millisecond }).Limiter(scope)
	ready(t, l)
	pid := strconv.Itoa(s.process.Process.Pid)
	require.NoError(t, exec.Command("kill", "-STOP", pid).Run())
	begun := time.Now()
	for range 4 {
		_, err := l.Permit(t.Context(), time.Minute)
		require.ErrorIs(t, err, ratelimit.ErrLimiter)
	}
	require.Less(t, time.Since(begun), 5*time.Second)
	require.NoError(t, exec.Command("kill", "-CONT", pid).Run())
	for end := time.Now().Add(10 * time.Second); ; wait(t, 20*time.Millisecond) {
		a, errA := l.Permit(t.Context(), 0)
		b, errB := l.Permit(t.Context(), 0)
		for _, done := range []func(context.Context, bool) error{a, b} {
			if done != nil {
				require.NoError(t, done(t.Context(), false))
			}
		}
		if errA == nil && errB == nil {
			return
		}
		require.True(t, time.Now().Before(end), "both slots are free again: %v, %v", errA, errB)
	}
}
