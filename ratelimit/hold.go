package ratelimit

import (
	"context"
	"time"
)

// Holder is a [Limiter] whose hold can be seen and ended by the program, such as
// after a service announced that its outage is over:
//
//	if h, ok := client.Limiter(lending.ClassAll).(ratelimit.Holder); ok {
//		if err := h.Lift(ctx); err != nil { ... }
//	}
//
// The limiters of this package and of the clients are Holders. Their errors are
// nil.
type Holder interface {
	Limiter
	// Held returns until when the service's own word lets nothing through: a hold,
	// or a count of the service that is used up, or a doubt up to its next probe. It
	// is zero if there is none.
	Held(ctx context.Context) (time.Time, error)
	// Lift ends the hold and forgets what the service said. The limiter's own
	// budgets stay.
	Lift(ctx context.Context) error
}

var (
	_ Holder = (*BudgetLimiter)(nil)
	_ Holder = (*Pacer)(nil)
)

// Held implements [Holder].
func (l *BudgetLimiter) Held(context.Context) (time.Time, error) {
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	now := l.queue.now()
	return l.queue.held(now, l.budgets.stated.caps.earliest(now, 0)), nil
}

// Lift implements [Holder].
func (l *BudgetLimiter) Lift(context.Context) error {
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	l.budgets.stated.caps = nil
	l.queue.lift()
	return nil
}

// Held implements [Holder].
func (p *Pacer) Held(context.Context) (time.Time, error) {
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	return p.queue.held(p.queue.now(), p.pace.stated.caps.earliest(p.queue.now(), 0)), nil
}

// Lift implements [Holder].
func (p *Pacer) Lift(context.Context) error {
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	p.pace.stated.caps = nil
	p.queue.lift()
	return nil
}

// held returns the end of the hold or of the service's cap, by the wall clock.
func (q *queue) held(now, capped time.Duration) time.Time {
	until := max(q.heldUntil, capped, q.doubt.earliest(ordinary, now))
	if until <= now {
		return time.Time{}
	}
	return q.wall().Add(until - now)
}

func (q *queue) lift() {
	q.heldUntil, q.doubt = 0, doubt{}
	q.serve(q.now())
}
