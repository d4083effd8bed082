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
	cfg     Config
	maxWait time.Duration

	mu sync.RWMutex
	by map[string]ratelimit.Limiter
}

func newLimiters(cfg Config) *limiters {
	l := &limiters{cfg: cfg, maxWait: 2 * time.Minute, by: map[string]ratelimit.Limiter{}}
	if cfg.Options.MaxQueueWait != nil {
		l.maxWait = max(0, *cfg.Options.MaxQueueWait)
	}
	for class := range cfg.Limits {
		l.of(class)
	}
	return l
}

// of returns the limiter of a class, made when it is first asked for. A class
// without budgets has one too: it obeys what the service says.
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
		if l.cfg.With != nil {
			limiter = l.cfg.With(class, limiter)
		}
		l.by[class] = limiter
	}
	return l.by[class]
}

func (l *limiters) make(class string) ratelimit.Limiter {
	if shared := l.shared(class); shared != nil {
		return shared
	}
	if l.cfg.Limiter != nil {
		if limiter := l.cfg.Limiter(class); limiter != nil {
			return limiter
		}
	}
	return ratelimit.New(l.cfg.Limits[class]...).WithClock(l.cfg.Options.Clock)
}

// shared returns the limiter that the program brings for a class, nil if none.
func (l *limiters) shared(class string) ratelimit.Limiter {
	return SharedLimiter(l.cfg.Options, ratelimit.Scope{
		Service: l.cfg.Service, Class: class, Tier: l.cfg.Tier, Budgets: slices.Clone(l.cfg.Limits[class]),
	})
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
		return &walletfi.ValidationError{Field: "limiterFallback." + strings.ToLower(strings.TrimPrefix(wrong.Field, "Fallback.")), Problem: wrong.Problem}
	}
	return nil
}
