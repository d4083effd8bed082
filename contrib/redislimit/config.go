package redislimit

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Config configures a Fleet.
type Config struct {
	// Client reaches Redis 5 or later, alone, as a cluster or behind sentinels. Required.
	// Its retries are not used: a command that is executed twice would take two slots.
	Client redis.UniversalClient
	// Key names the key of the services to the fleet. All processes that use one key
	// give it the same name. It becomes part of names in Redis and must not be the secret
	// itself. Required, without braces.
	Key string
	// Lease is how long a process that does not answer keeps its slots. A request must
	// reach its service within half of it. 0 means 30 seconds; at least 100 ms.
	Lease time.Duration
	// ReportPeriod is how long no slot is given after Redis lost its state. Processes
	// report three times in it. 0 means 3 seconds; at least 30 ms. All processes must
	// state the same.
	ReportPeriod time.Duration
	// Timeout bounds each command, which the end of a call's context does not shorten,
	// so that what came of it is known. 0 means 1 second; at most a third of Lease.
	Timeout time.Duration
}

// Fleet makes the limiters of one key. It is safe for concurrent use.
type Fleet struct {
	cfg     Config
	process string // this process's name in Redis
	ctx     context.Context
	cancel  context.CancelFunc

	mu       sync.Mutex
	limiters map[string]*Limiter
}

// New checks cfg and returns a fleet. It sends nothing to Redis.
func New(cfg Config) (*Fleet, error) {
	for field, d := range map[string]*time.Duration{
		"lease":        &cfg.Lease,
		"reportPeriod": &cfg.ReportPeriod,
		"timeout":      &cfg.Timeout,
	} {
		if *d < 0 {
			return nil, &walletfi.ValidationError{Field: field, Problem: "must not be negative"}
		}
		if *d == 0 {
			*d = defaults[field]
		}
	}
	cfg.Timeout = min(cfg.Timeout, cfg.Lease/3)
	switch {
	case cfg.Client == nil:
		return nil, &walletfi.ValidationError{Field: "client", Problem: "is required"}
	case cfg.Key == "" || strings.ContainsAny(cfg.Key, "{}"):
		return nil, &walletfi.ValidationError{Field: "key", Problem: "is required, without braces"}
	case cfg.Lease < 100*time.Millisecond:
		return nil, &walletfi.ValidationError{Field: "lease", Problem: "must be at least 100 ms"}
	case cfg.ReportPeriod < 30*time.Millisecond:
		return nil, &walletfi.ValidationError{Field: "reportPeriod", Problem: "must be at least 30 ms"}
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Fleet{cfg: cfg, process: rand.Text(), ctx: ctx, cancel: cancel, limiters: map[string]*Limiter{}}, nil
}

var defaults = map[string]time.Duration{
	"lease":        30 * time.Second,
	"reportPeriod": 3 * time.Second,
	"timeout":      time.Second,
}

// Limiter returns the limiter of a scope, the same one for the same scope. It fits
// walletfi.Options.Limiter. It panics if a budget of scope is not valid: see
// [ratelimit.Budget.Validate].
func (f *Fleet) Limiter(scope ratelimit.Scope) ratelimit.Limiter {
	budgets := scope.Budgets
	if scope.Pace > 0 {
		budgets = append(budgets[:len(budgets):len(budgets)], ratelimit.Budget{Requests: 1, Per: scope.Pace})
	}
	for _, b := range budgets {
		if err := b.Validate(); err != nil {
			panic(fmt.Sprintf("redislimit: %v", err))
		}
	}
	name := fmt.Sprintf("walletfi:limit:{%s:%s:%s}", f.cfg.Key, scope.Service, scope.Class)
	f.mu.Lock()
	defer f.mu.Unlock()
	same := fmt.Sprint(name, budgets)
	if f.limiters[same] == nil {
		// Each has its own name in Redis, as each counts for itself.
		process := fmt.Sprint(f.process, ":", len(f.limiters))
		f.limiters[same] = newLimiter(f, scope, name, process, budgets)
	}
	return f.limiters[same]
}

// Close ends what runs in the background. Requests that are still under way keep their
// slots until the lease ends. Limiters fail from then on.
func (f *Fleet) Close() error {
	f.cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.limiters {
		l.running.Wait()
	}
	return nil
}
