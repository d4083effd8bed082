package transport

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// limiters hands out the limiter of each class of calls.
type limiters struct {
	service, tier string
	limits        map[string][]ratelimit.Budget
	own           func(class string) ratelimit.Limiter                        // Config.Limiter
	with          func(class string, own ratelimit.Limiter) ratelimit.Limiter // Config.With
	shared        func(ratelimit.Scope) ratelimit.Limiter                     // Options.Limiter, with its fallback
	clock         walletfi.Clock
	maxWait       time.Duration

	mu sync.RWMutex
	by map[string]ratelimit.Limiter
}

func newLimiters(cfg Config) *limiters {
	o := cfg.Options
	l := &limiters{
		service: cfg.Service, tier: cfg.Tier, limits: cfg.Limits, own: cfg.Limiter, with: cfg.With,
		clock: o.Clock, maxWait: 2 * time.Minute,
	}
	if o.MaxQueueWait != nil {
		l.maxWait = max(0, *o.MaxQueueWait)
	}
	if o.Limiter != nil {
		fallback, limiter := o.LimiterFallback, o.Limiter
		l.shared = func(scope ratelimit.Scope) ratelimit.Limiter { return fallback.Limiter(scope, limiter) }
		for class := range cfg.Limits { // now, since a share opens some time after it was made
			l.of(class)
		}
	}
	return l
}

// of returns the limiter of a class, made when it is first asked for, so that clients
// that wait are small. A class without budgets has one too: it obeys what the service
// says.
func (l *limiters) of(class string) ratelimit.Limiter {
	l.mu.RLock()
	limiter := l.by[class]
	l.mu.RUnlock()
	if limiter != nil {
		return limiter
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by[class] == nil {
		limiter := l.make(class)
		if l.with != nil {
			limiter = l.with(class, limiter)
		}
		if l.by == nil {
			l.by = map[string]ratelimit.Limiter{}
		}
		l.by[class] = limiter
	}
	return l.by[class]
}

func (l *limiters) make(class string) ratelimit.Limiter {
	if l.shared != nil {
		scope := ratelimit.Scope{Service: l.service, Class: class, Tier: l.tier, Budgets: slices.Clone(l.limits[class])}
		if limiter := l.shared(scope); limiter != nil {
			return limiter
		}
	}
	if l.own != nil {
		if limiter := l.own(class); limiter != nil {
			return limiter
		}
	}
	return ratelimit.New(l.limits[class]...).WithClock(l.clock)
}

// SharedLimiter returns the limiter that o brings for scope, with o's fallback; nil if
// it brings none.
func SharedLimiter(o walletfi.Options, scope ratelimit.Scope) ratelimit.Limiter {
	if o.Limiter == nil {
		return nil
	}
	return o.LimiterFallback.Limiter(scope, o.Limiter)
}

// ValidateFallback refuses a fallback that is not valid.
func ValidateFallback(f ratelimit.Fallback) error {
	if wrong, ok := errors.AsType[*ratelimit.BudgetError](f.Validate()); ok {
		field := strings.ToLower(strings.TrimPrefix(wrong.Field, "Fallback."))
		return &walletfi.ValidationError{Field: "limiterFallback." + field, Problem: wrong.Problem}
	}
	return nil
}
