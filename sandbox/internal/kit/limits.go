package kit

import (
	"net/http"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Budget allows at most N requests in any window.
type Budget struct {
	N      int
	Window time.Duration
}

// LimitState is the state of a budget as the service reports it.
type LimitState struct {
	Limit     int
	Remaining int
	Reset     time.Time // when a slot is free again
}

// logKey identifies one caller's use of one budget.
type logKey struct {
	service    play.Service
	tenant     string
	credential string
	class      string
	budget     Budget
}

// admit counts the request against its budgets, or against no budget if one is
// exhausted. Windows slide: at most N requests in any window, whenever it
// begins.
func (c *Call) admit() error {
	if c.Service.Budgets == nil {
		return nil
	}
	budgets := c.Service.Budgets(c)
	now := c.Now()
	if c.Config.NoLimits {
		c.Limit = untouched(budgets, now)
		return nil
	}
	for _, b := range budgets {
		log := c.recent(b, now)
		if len(log) < b.N {
			continue
		}
		state := LimitState{Limit: b.N, Reset: log[len(log)-b.N].Add(b.Window)}
		c.Limit = &state
		f := &Failure{Status: http.StatusTooManyRequests, Message: "too many requests", Header: http.Header{}}
		if c.Service.LimitHeader == nil {
			f.Header.Set("Retry-After", strconv.FormatInt(int64((state.Reset.Sub(now)+time.Second-1)/time.Second), 10))
		}
		return f
	}
	for _, b := range budgets {
		c.record(b, now)
	}
	return nil
}

// untouched is the state that a service reports if limits are off: that after the
// first request of a window. Nil if there is no budget.
func untouched(budgets []Budget, now time.Time) *LimitState {
	if len(budgets) == 0 {
		return nil
	}
	b := budgets[0]
	return &LimitState{Limit: b.N, Remaining: b.N - 1, Reset: now.Add(b.Window)}
}

// exhaust makes a 429 of a fault carry the headers of a limit that is used up. A
// route without a budget reports a minute's.
func (c *Call) exhaust() {
	if c.Limit == nil {
		c.Limit = &LimitState{Reset: c.Now().Add(time.Minute)}
	}
	c.Limit = &LimitState{Limit: c.Limit.Limit, Reset: c.Limit.Reset}
}

// recent returns the times of the requests that still count.
func (c *Call) recent(b Budget, now time.Time) []time.Time {
	key := c.logKey(b)
	log := c.logs[key]
	for len(log) > 0 && !log[0].After(now.Add(-b.Window)) {
		log = log[1:]
	}
	c.logs[key] = log
	return log
}

func (c *Call) record(b Budget, now time.Time) {
	key := c.logKey(b)
	log := append(c.logs[key], now)
	c.logs[key] = log
	state := LimitState{Limit: b.N, Remaining: b.N - len(log), Reset: log[0].Add(b.Window)}
	if c.Limit == nil || state.Remaining < c.Limit.Remaining {
		c.Limit = &state
	}
}

func (c *Call) logKey(b Budget) logKey {
	return logKey{c.Service.Name, c.Tenant, c.Credential, c.Route.Class, b}
}

// LimitHeaders writes the state of a limit in three headers with a prefix. The reset is
// rounded up: a whole second too early would be refused.
func LimitHeaders(prefix string) func(h http.Header, state LimitState) {
	return func(h http.Header, state LimitState) {
		h.Set(prefix+"-Limit", strconv.Itoa(state.Limit))
		h.Set(prefix+"-Remaining", strconv.Itoa(state.Remaining))
		h.Set(prefix+"-Reset", strconv.FormatInt(state.Reset.Add(time.Second-1).Unix(), 10))
	}
}

// Tier returns the tier of the service's keys.
func (s *Core) Tier(service play.Service) play.Tier {
	if t, ok := s.Config.Tiers[service]; ok {
		return t
	}
	return play.TierFree
}
