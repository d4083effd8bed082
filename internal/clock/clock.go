// Package clock reads and waits by the clock of a client's options. A nil clock is
// real time, at the cost of package time alone.
package clock

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/running"
)

// Now is c's time.
func Now(c walletfi.Clock) time.Time { return walletfi.Now(c) }

// Since is how long t is past on c.
func Since(c walletfi.Clock, t time.Time) time.Duration {
	if c == nil {
		return time.Since(t)
	}
	return c.Now().Sub(t)
}

// Until is how long it takes until t on c.
func Until(c walletfi.Clock, t time.Time) time.Duration {
	if c == nil {
		return time.Until(t)
	}
	return t.Sub(c.Now())
}

// Enter has ctx's worker do what, or begins one, so that c stands until end: see atwork.
func Enter(ctx context.Context, c walletfi.Clock, what string) (_ context.Context, end func()) {
	if c == nil {
		return ctx, func() {}
	}
	return atwork.Enter(ctx, c, what)
}

// Go runs f in a goroutine of a worker's own, which group counts.
func Go(ctx context.Context, c walletfi.Clock, what string, group *running.Group, f func(ctx context.Context)) {
	ctx, worker := atwork.Begin(ctx, c, what)
	group.Go(func() {
		defer worker.End()
		f(ctx)
	})
}

// AfterFunc calls f when d has passed on c. stop is walletfi.Clock's.
func AfterFunc(c walletfi.Clock, d time.Duration, f func()) (stop func() bool) {
	if c == nil {
		return time.AfterFunc(d, f).Stop
	}
	return c.AfterFunc(d, f)
}

// drawer is a clock that draws for its clients: a sandbox's, by its seed.
type drawer interface {
	Draw(bound time.Duration) time.Duration
}

// Draw draws a wait evenly from 0 to bound. Clients that failed together do not come
// back together.
func Draw(c walletfi.Clock, bound time.Duration) time.Duration {
	if d, ok := c.(drawer); ok {
		return d.Draw(bound)
	}
	return rand.N(bound + 1)
}

// Jitter draws the wait before repeat n, counted from 0, under a bound that starts at
// least and doubles with each n up to most.
func Jitter(c walletfi.Clock, least, most time.Duration, n int) time.Duration {
	return Draw(c, pause.Bound(least, most, n))
}

// Wait waits for d on c. It returns ctx's error at once if ctx ends before that.
func Wait(ctx context.Context, c walletfi.Clock, d time.Duration) error {
	if c == nil {
		return pause.For(ctx, d)
	}
	return walletfi.Sleep(ctx, c, d)
}

// Ends reports whether ctx ends before d has passed on c. Deadlines are real time:
// what another clock has yet to wait says nothing of them.
func Ends(ctx context.Context, c walletfi.Clock, d time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && c == nil && !time.Now().Add(d).Before(deadline)
}

// WithDeadline returns ctx, cancelled with cause at t on c. On real time the error
// of the context is context.DeadlineExceeded, on another clock context.Canceled.
func WithDeadline(
	ctx context.Context, c walletfi.Clock, t time.Time, cause error,
) (context.Context, context.CancelFunc) {
	if c == nil {
		return context.WithDeadlineCause(ctx, t, cause)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	left := t.Sub(c.Now())
	if left <= 0 {
		cancel(cause)
		return ctx, func() {}
	}
	stop := c.AfterFunc(left, func() { cancel(cause) })
	return ctx, func() {
		stop()
		cancel(context.Canceled)
	}
}
