package transport

import (
	"sync"
	"time"

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
		l.by[class] = l.make(class)
	}
	return l.by[class]
}

func (l *limiters) make(class string) ratelimit.Limiter {
	for _, source := range []func(string) ratelimit.Limiter{l.cfg.Options.Limiter, l.cfg.Limiter} {
		if source == nil {
			continue
		}
		if limiter := source(class); limiter != nil {
			return limiter
		}
	}
	return ratelimit.New(l.cfg.Limits[class]...)
}
