package ratelimit

import (
	"context"
	"fmt"
	"time"
)

// BudgetLimiter is the [Limiter] of the clients. It is exact: a slot comes free
// one window after the answer to its request arrived. So no window of the
// service's clock sees more requests than the budget, wherever the window
// begins and whatever the latency. Up to the whole budget may go in a burst.
// Memory is bounded by the window's 1024 ticks, not by the budget, and an idle
// limiter has no goroutine. The count starts over with the program.
type BudgetLimiter struct {
	queue   queue
	budgets budgets
}

var _ Limiter = (*BudgetLimiter)(nil)

// New makes a limiter that keeps to all of the budgets at once. Without budgets
// only [BudgetLimiter.Hold] and [BudgetLimiter.Tighten] limit it. New panics if
// a budget is not valid: see [Budget.Validate].
func New(limits ...Budget) *BudgetLimiter {
	l := &BudgetLimiter{}
	for _, b := range limits {
		if err := b.Validate(); err != nil {
			panic(fmt.Sprintf("ratelimit.New: %v", err))
		}
		l.budgets.windows = append(l.budgets.windows, newWindow(b))
	}
	l.queue.init(&l.budgets)
	return l
}

// Permit reserves a slot of every budget, or of none; see [Limiter]. Callers
// are served in the order in which they came, calls marked by [WithUrgent]
// before the others. If the slot will come too late for maxWait or for ctx's
// deadline, Permit returns an [*Error] at once, with the latest of the budgets'
// times; a hold that begins while callers wait ends their wait in the same way.
// With maxWait 0 Permit never waits. If ctx ends first, the error wraps
// ctx.Err(), and the next caller gets the slot.
//
// The returned done is reused after it was called: a second call could release
// the slot of another caller.
func (l *BudgetLimiter) Permit(
	ctx context.Context, maxWait time.Duration,
) (done func(ctx context.Context, sent bool) error, err error) {
	return l.queue.permit(ctx, maxWait)
}

// Hold admits nothing until then, such as after a 429. It never shortens a
// hold. The error is always nil.
func (l *BudgetLimiter) Hold(_ context.Context, until time.Time) error {
	l.queue.hold(until)
	return nil
}

// Tighten applies the service's own count: at most remaining more requests
// until reset. It never adds slots. A higher number for the same window, a late
// answer and a reset in the past change nothing. The service may not have
// counted the requests that are under way, so each of them is taken off
// remaining. Call Tighten after the done of the call whose answer had the
// numbers, otherwise that call is taken off too. The error is always nil.
func (l *BudgetLimiter) Tighten(_ context.Context, remaining int, reset time.Time) error {
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	now := l.queue.now()
	if l.budgets.stated.tighten(now, remaining, l.queue.until(reset)) {
		l.queue.reassess(now)
	}
	return nil
}

// budgets is the limit of a BudgetLimiter: its windows, and the caps that the
// service stated.
type budgets struct {
	windows []window
	stated  stated
}

func (b *budgets) ready(now time.Duration) bool {
	for i := range b.windows {
		if w := &b.windows[i]; w.free(now, b.stated.underWay) <= 0 {
			return false
		}
	}
	return b.stated.ready(now)
}

func (b *budgets) reserve(time.Duration) {
	b.stated.reserve()
}

func (b *budgets) release(now, _ time.Duration, sent bool) {
	b.stated.release(sent)
	if !sent {
		return
	}
	for i := range b.windows {
		b.windows[i].answer(now)
	}
}

func (b *budgets) earliest(now time.Duration, ahead int) time.Duration {
	at := max(now, b.stated.caps.earliest(now, ahead))
	for i := range b.windows {
		at = max(at, b.windows[i].earliest(now, b.stated.underWay, ahead))
	}
	return at
}
