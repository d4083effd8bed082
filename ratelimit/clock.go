package ratelimit

import (
	"context"
	"time"
)

// Clock is the time of a limiter, such as a sandbox's in a test. It has the methods
// of walletfi.Clock, which says what they do.
type Clock interface {
	Now() time.Time
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// WithClock has the limiter take its time from c, nil for real time, and returns the
// limiter. Call it before the limiter's first use. A ctx's deadline is real time: on
// another clock it ends a wait when it comes, and no call is refused for it before.
func (l *BudgetLimiter) WithClock(c Clock) *BudgetLimiter {
	l.queue.setClock(c)
	return l
}

// WithClock is [BudgetLimiter.WithClock].
func (p *Pacer) WithClock(c Clock) *Pacer {
	p.queue.setClock(c)
	p.pace.epoch = p.queue.epoch
	return p
}

func (q *queue) setClock(c Clock) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.clock = c
	q.epoch = q.wall()
}

// wall is the limiter's time of day.
func (q *queue) wall() time.Time {
	if q.clock == nil {
		return time.Now()
	}
	return q.clock.Now()
}

func (q *queue) now() time.Duration {
	if q.clock == nil {
		return time.Since(q.epoch)
	}
	return q.clock.Now().Sub(q.epoch)
}

func (q *queue) until(t time.Time) time.Duration {
	if q.clock == nil {
		return time.Until(t)
	}
	return t.Sub(q.clock.Now())
}

// left is how long ctx lasts, false if it has no deadline on the limiter's clock.
func (q *queue) left(ctx context.Context) (time.Duration, bool) {
	deadline, ok := ctx.Deadline()
	if !ok || q.clock != nil {
		return 0, false
	}
	return time.Until(deadline), true
}

// after calls f once d has passed.
func (q *queue) after(d time.Duration, f func()) (stop func() bool) {
	if q.clock == nil {
		return time.AfterFunc(d, f).Stop
	}
	return q.clock.AfterFunc(d, f)
}
