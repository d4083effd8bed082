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
// limiter has no goroutine. The count starts anew with the program.
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
func (l *BudgetLimiter) Permit(ctx context.Context, maxWait time.Duration) (done func(sent bool), err error) {
	return l.queue.permit(ctx, maxWait)
}

// Hold admits nothing until then, such as after a 429. It never shortens a
// hold.
func (l *BudgetLimiter) Hold(until time.Time) { l.queue.hold(until) }

// Tighten applies the service's own count: at most remaining more requests
// until reset. It never adds slots. A higher number for the same window, a late
// answer and a reset in the past change nothing. The service may not have
// counted the requests that are under way, so each of them is taken off
// remaining. Call Tighten after the done of the call whose answer had the
// numbers, otherwise that call is taken off too.
func (l *BudgetLimiter) Tighten(remaining int, reset time.Time) {
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	now := l.queue.now()
	l.budgets.caps.add(serverCap{
		until: addSaturating(now, time.Until(reset)),
		left:  max(remaining, 0) - l.budgets.underWay,
	}, now)
	l.queue.reassess(now)
}

// budgets is the limit of a BudgetLimiter: its windows, and the caps that the
// service stated.
type budgets struct {
	windows  []window
	caps     serverCaps
	underWay int // requests that were admitted and not yet answered
}

func (b *budgets) ready(now time.Duration) bool {
	for i := range b.windows {
		if w := &b.windows[i]; w.free(now, b.underWay) <= 0 {
			return false
		}
	}
	return len(b.caps) == 0 || b.caps.ready(now)
}

func (b *budgets) reserve(time.Duration) {
	b.underWay++
	b.caps.shift(-1)
}

func (b *budgets) release(now, _ time.Duration, sent bool) {
	b.underWay--
	if !sent {
		// Every cap has this request taken off: it went after the cap came, or
		// was under way then.
		b.caps.shift(+1)
		return
	}
	for i := range b.windows {
		b.windows[i].answer(now)
	}
}

func (b *budgets) earliest(now time.Duration, ahead int) time.Duration {
	at := max(now, b.caps.earliest(now, ahead))
	for i := range b.windows {
		at = max(at, b.windows[i].earliest(now, b.underWay, ahead))
	}
	return at
}
