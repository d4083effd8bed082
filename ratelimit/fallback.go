package ratelimit

import (
	"context"
	"errors"
	"math"
	"time"
)

// Fallback says what happens if a shared limiter fails. The zero value fails closed:
// nothing is sent, and the call fails with an [*LimiterError].
//
// Otherwise a part of each budget is set aside, for when the shared limiter fails:
// every process has an equal share of that part, rounded down, in its own memory. What
// is left goes to the shared limiter. Both are kept exactly, so that the whole is
// never over, even if some processes reach the shared limiter and others do not. The
// price is that the part is idle while the shared limiter works.
//
// A share of 0 refuses: the call fails as if there were none. So does a pace, which
// cannot be divided. The share opens one window after its client was made, since the
// process may have been restarted.
type Fallback struct {
	// Processes is the largest number of processes that use the key. 0 means no fallback.
	Processes int
	// Part of each budget that is set aside, above 0 and below 1.
	Part float64
}

// Validate returns a [*BudgetError] if f is not valid.
func (f Fallback) Validate() error {
	switch {
	case f == Fallback{}:
		return nil
	case f.Processes < 1:
		return &BudgetError{Field: "Fallback.Processes", Problem: "must be 1 or more"}
	case !(f.Part > 0 && f.Part < 1):
		return &BudgetError{Field: "Fallback.Part", Problem: "must be above 0 and below 1"}
	}
	return nil
}

// Share is a process's share of b, 0 if it is too small to be divided.
func (f Fallback) Share(b Budget) int {
	if f.Processes < 1 {
		return 0
	}
	// The product is rounded: what a part such as 0.2 lacks to a whole number is the
	// binary form's.
	part := int(math.Floor(float64(b.Requests)*f.Part + 1e-9))
	return min(part, b.Requests-1) / f.Processes
}

// Limiter returns what keeps scope: the limiter that shared makes of what is not set
// aside, and the share if that fails. It returns nil if shared returns nil. It panics
// if f is not valid.
func (f Fallback) Limiter(scope Scope, shared func(Scope) Limiter) Limiter {
	if f == (Fallback{}) {
		return shared(scope)
	}
	if err := f.Validate(); err != nil {
		panic("ratelimit.Fallback: " + err.Error())
	}
	own := make([]Budget, 0, len(scope.Budgets))
	rest := make([]Budget, 0, len(scope.Budgets))
	for _, b := range scope.Budgets {
		share := f.Share(b)
		if share == 0 {
			return shared(scope) // no share at all: every budget must be kept
		}
		own = append(own, Budget{Requests: share, Per: b.Per})
		rest = append(rest, Budget{Requests: b.Requests - share*f.Processes, Per: b.Per})
	}
	if scope.Pace > 0 {
		return shared(scope)
	}
	scope.Budgets = rest
	limiter := shared(scope)
	if limiter == nil {
		return nil
	}
	local := New(own...)
	local.fill()
	return &fallback{shared: limiter, local: local}
}

// fill takes all slots as if the answers had come now.
func (l *BudgetLimiter) fill() {
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	now := l.queue.now()
	for i := range l.budgets.windows {
		for w := &l.budgets.windows[i]; w.answered < w.requests; {
			w.answer(now)
		}
	}
}

// fallback asks the share if the shared limiter fails.
type fallback struct {
	shared Limiter
	local  *BudgetLimiter
}

var _ Holder = (*fallback)(nil)

// Permit asks the shared limiter, and the share if that fails. A refusal is an
// answer.
func (f *fallback) Permit(ctx context.Context, maxWait time.Duration) (func(context.Context, bool) error, error) {
	begun := time.Now()
	done, err := f.shared.Permit(ctx, maxWait)
	if err == nil && done != nil || ctx.Err() != nil || errors.Is(err, ErrLimited) {
		return done, err
	}
	return f.local.Permit(ctx, max(0, maxWait-time.Since(begun)))
}

// Hold holds both.
func (f *fallback) Hold(ctx context.Context, until time.Time) error {
	return errors.Join(f.local.Hold(ctx, until), f.shared.Hold(ctx, until))
}

// Tighten tightens both.
func (f *fallback) Tighten(ctx context.Context, remaining int, reset time.Time) error {
	return errors.Join(f.local.Tighten(ctx, remaining, reset), f.shared.Tighten(ctx, remaining, reset))
}

// Doubt has both doubt a wait.
func (f *fallback) Doubt(ctx context.Context, probe, until time.Time) error {
	return errors.Join(f.local.Doubt(ctx, probe, until), Doubt(ctx, f.shared, probe, until))
}

// Trust ends the doubts of both.
func (f *fallback) Trust(ctx context.Context) error {
	return errors.Join(f.local.Trust(ctx), Trust(ctx, f.shared))
}

// Held returns the shared limiter's word, and that of the share if there is none.
func (f *fallback) Held(ctx context.Context) (time.Time, error) {
	if h, ok := f.shared.(Holder); ok {
		return h.Held(ctx)
	}
	return f.local.Held(ctx)
}

// Lift ends the holds of both.
func (f *fallback) Lift(ctx context.Context) error {
	err := f.local.Lift(ctx)
	if h, ok := f.shared.(Holder); ok {
		err = errors.Join(err, h.Lift(ctx))
	}
	return err
}
