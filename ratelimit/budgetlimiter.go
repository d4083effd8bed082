package ratelimit

import (
	"context"
	"fmt"
	"time"
)

// BudgetLimiter is the Limiter of the clients. It is exact: a slot comes free
// one window after the answer to the request that took it arrived, so that no
// window of the service's clock, wherever it begins and whatever the latency,
// sees more requests than the budget. Up to the whole budget may go in a
// burst. Memory is bounded by the window's 1024 ticks, not by the budget, and
// an idle limiter has no goroutine. It forgets its past when the program ends.
type BudgetLimiter struct {
	door    admission
	budgets budgets
}

var _ Limiter = (*BudgetLimiter)(nil)

// New makes a limiter that keeps to every one of the budgets at once.
// Without any it lets everything through, but for what Hold and Tighten say.
// It panics if a budget is not valid: see [Budget.Validate].
func New(limits ...Budget) *BudgetLimiter {
	l := &BudgetLimiter{}
	for _, b := range limits {
		if err := b.Validate(); err != nil {
			panic(fmt.Sprintf("ratelimit.New: %v", err))
		}
		l.budgets.windows = append(l.budgets.windows, newWindow(b))
	}
	l.door.open(&l.budgets)
	return l
}

// Permit takes a slot of every budget, or of none; see Limiter. Callers are
// served in the order in which they came, those marked by WithUrgent before
// the others. Where it can be foreseen that the slot comes too late for maxWait
// or for ctx's deadline, the *Error comes at once, with the latest of
// the budgets' times; a hold that begins while callers wait ends their wait
// likewise. With maxWait 0 nobody waits. Where ctx ends first, the error wraps
// ctx.Err(), and the slot is left to the next.
//
// The returned done is reused after it was called: a second call could give
// back somebody else's slot.
func (l *BudgetLimiter) Permit(ctx context.Context, maxWait time.Duration) (done func(sent bool), err error) {
	return l.door.permit(ctx, maxWait)
}

// Hold lets nothing through until then, such as after a 429. It never shortens
// a hold.
func (l *BudgetLimiter) Hold(until time.Time) { l.door.hold(until) }

// Tighten takes over what the service says of its own count: at most remaining
// more requests until reset. It only ever takes away: what was said for the
// same window and is higher, or an answer that arrives late, changes nothing,
// and a reset in the past says nothing. The service may not have counted those
// that are under way, so each of them is taken off remaining. Call it after
// the done of the call whose answer said so, else that one is taken off too.
func (l *BudgetLimiter) Tighten(remaining int, reset time.Time) {
	l.door.mu.Lock()
	defer l.door.mu.Unlock()
	now := l.door.now()
	l.budgets.told.add(serverCap{
		until: addSaturating(now, time.Until(reset)),
		left:  max(remaining, 0) - l.budgets.underWay,
	}, now)
	l.door.reassess(now)
}

// budgets is the gate of a BudgetLimiter: its windows, and what the service
// said of its own count.
type budgets struct {
	windows  []window
	told     serverCaps
	underWay int // requests that went and whose answer has not come
}

func (b *budgets) ready(now time.Duration) bool {
	for i := range b.windows {
		if w := &b.windows[i]; w.free(now, b.underWay) <= 0 {
			return false
		}
	}
	return len(b.told) == 0 || b.told.ready(now)
}

func (b *budgets) take(time.Duration) {
	b.underWay++
	b.told.shift(-1)
}

func (b *budgets) settle(now, _ time.Duration, sent bool) {
	b.underWay--
	if !sent {
		// Every cap has this request taken off: it went after the cap came, or
		// was under way then.
		b.told.shift(+1)
		return
	}
	for i := range b.windows {
		b.windows[i].cool(now)
	}
}

func (b *budgets) earliest(now time.Duration, ahead int) time.Duration {
	at := max(now, b.told.earliest(now, ahead))
	for i := range b.windows {
		at = max(at, b.windows[i].earliest(now, b.underWay, ahead))
	}
	return at
}
