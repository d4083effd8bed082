package ratelimit

import (
	"context"
	"time"
)

// Prober is a [Limiter] that can doubt a wait that the service stated: one longer than
// any limit of the service lasts, such as a Retry-After of a century. The limiters of
// this package and of the clients are Probers.
type Prober interface {
	Limiter
	// Doubt lets nothing through until then, except for one request at a time that
	// finds out whether the service still refuses. The first goes at probe, the next
	// after twice that wait, and so on. One marked by [WithUrgent] or [WithFollowUp]
	// may go after [UrgentProbe], and then at doubled intervals of up to a minute. A
	// probe keeps the budgets too. A doubt that there is goes on as it was, and lasts
	// until the later time.
	Doubt(ctx context.Context, probe, until time.Time) error
	// Trust ends the doubt: the service answered a probe otherwise. Without such a
	// probe it does nothing, since the answer is to an earlier request.
	Trust(ctx context.Context) error
}

// UrgentProbe is how long an urgent call waits for the first probe of a doubt.
const UrgentProbe = 10 * time.Second

// lastUrgentProbe is the longest time between two probes of urgent calls.
const lastUrgentProbe = time.Minute

var (
	_ Prober = (*BudgetLimiter)(nil)
	_ Prober = (*Pacer)(nil)
	_ Prober = (*fallback)(nil)
)

// Doubt has l doubt a wait if it is a [Prober]. Any other limiter is held until probe.
func Doubt(ctx context.Context, l Limiter, probe, until time.Time) error {
	if p, ok := l.(Prober); ok {
		return p.Doubt(ctx, probe, until)
	}
	return l.Hold(ctx, probe)
}

// Trust has l end its doubt if it is a [Prober].
func Trust(ctx context.Context, l Limiter) error {
	if p, ok := l.(Prober); ok {
		return p.Trust(ctx)
	}
	return nil
}

// Doubt implements [Prober]. The error is always nil.
func (l *BudgetLimiter) Doubt(_ context.Context, probe, until time.Time) error {
	l.queue.beginDoubt(probe, until)
	return nil
}

// Trust implements [Prober]. The error is always nil.
func (l *BudgetLimiter) Trust(context.Context) error {
	l.queue.trust()
	return nil
}

// Doubt implements [Prober]. The error is always nil.
func (p *Pacer) Doubt(_ context.Context, probe, until time.Time) error {
	p.queue.beginDoubt(probe, until)
	return nil
}

// Trust implements [Prober]. The error is always nil.
func (p *Pacer) Trust(context.Context) error {
	p.queue.trust()
	return nil
}

func (q *queue) beginDoubt(probe, until time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.now()
	q.doubt.begin(now, q.until(probe), addSaturating(now, q.until(until)))
	q.reassess(now)
}

func (q *queue) trust() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.doubt.probing != nil && q.doubt.answered {
		q.doubt = doubt{}
		q.serve(q.now())
	}
}
