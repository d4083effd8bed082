package sandbox

import (
	"net/http"
	"strconv"
	"time"
)

// budget is at most n requests in any window.
type budget struct {
	n      int
	window time.Duration
}

// limitState is what a service tells of a budget.
type limitState struct {
	Limit     int
	Remaining int
	Reset     time.Time // when a slot is free again
}

// logKey tells one caller's use of one budget from every other's.
type logKey struct {
	service    Service
	credential string
	class      string
	budget     budget
}

// admit counts the request against its budgets: all of them or none. The log
// slides: at most n requests in any window, whenever it begins.
func (c *call) admit() error {
	if c.config.NoLimits || c.service.budgets == nil {
		return nil
	}
	budgets := c.service.budgets(c)
	now := c.now()
	for _, b := range budgets {
		log := c.recent(b, now)
		if len(log) < b.n {
			continue
		}
		state := limitState{Limit: b.n, Reset: log[len(log)-b.n].Add(b.window)}
		c.limit = &state
		f := &failure{Status: http.StatusTooManyRequests, Message: "too many requests", Header: http.Header{}}
		if c.service.limitHeader == nil {
			f.Header.Set("Retry-After", strconv.FormatInt(int64((state.Reset.Sub(now)+time.Second-1)/time.Second), 10))
		}
		return f
	}
	for _, b := range budgets {
		c.record(b, now)
	}
	return nil
}

// recent returns the times of the requests that still count.
func (c *call) recent(b budget, now time.Time) []time.Time {
	key := c.logKey(b)
	log := c.logs[key]
	for len(log) > 0 && !log[0].After(now.Add(-b.window)) {
		log = log[1:]
	}
	c.logs[key] = log
	return log
}

func (c *call) record(b budget, now time.Time) {
	key := c.logKey(b)
	log := append(c.logs[key], now)
	c.logs[key] = log
	state := limitState{Limit: b.n, Remaining: b.n - len(log), Reset: log[0].Add(b.window)}
	if c.limit == nil || state.Remaining < c.limit.Remaining {
		c.limit = &state
	}
}

func (c *call) logKey(b budget) logKey {
	return logKey{c.service.name, c.credential, c.route.class, b}
}

// tier is the one of the service's keys.
func (s *Sandbox) tier(service Service) Tier {
	if t, ok := s.config.Tiers[service]; ok {
		return t
	}
	return TierFree
}
