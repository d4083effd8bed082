package transport

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// admit waits for a slot, and says how long that took. The error is a
// *ratelimit.Error, a *ratelimit.LimiterError, ctx's, or the call's own reason not to be repeated.
func (x *exchange) admit(ctx context.Context) (done release, queued time.Duration, err error) {
	if x.progress.doubt && x.call.BeforeRepeat != nil {
		if err := x.call.BeforeRepeat(ctx); err != nil {
			return nil, 0, err
		}
	}
	begun := x.client.Now()
	ctx, span := observing.Start(ctx, x.client.observer, observe.LimiterWait{
		Service: x.client.service, Op: x.call.Op, Class: x.call.Class,
	})
	err = observing.Through(span, func() error {
		done, err = x.limiter.Permit(ctx, x.client.limiters.maxWait)
		if err != nil || done == nil {
			err = notAdmitted(ctx, x.client.service, x.call.Class, err)
		}
		queued = clock.Since(x.client.clock, begun)
		return err
	}, func(err error) observe.LimiterWaitEnd { return observe.LimiterWaitEnd{Waited: queued, Err: err} })
	return done, queued, err
}

// release is what a limiter returns with a slot.
type release = func(ctx context.Context, sent bool) error

// release gives a slot back.
func (x *exchange) release(ctx context.Context, done release, sent bool) {
	x.limiterFailed(ctx, "release", done(ctx, sent))
}

// limiterFailed logs that a limiter did not hear of something. The call goes on: its
// answer counts, and the limiter's next Permit fails if it is still out of order.
func (x *exchange) limiterFailed(ctx context.Context, doing string, err error) {
	if log := x.client.logger; err != nil && log != nil {
		log.LogAttrs(ctx, slog.LevelWarn, "limiter failed", slog.String("service", x.client.service),
			slog.String("class", x.call.Class), slog.String("doing", doing), slog.String("error", peer.OneLine(err.Error())))
	}
}

// InClass adds class to a limiter's refusal that names none, and returns any
// other error unchanged. A limiter does not know for which class of calls it is
// used; its client does.
func InClass(class string, err error) error {
	if refused, ok := err.(*ratelimit.Error); ok && refused.Class == "" {
		return &ratelimit.Error{Class: class, ResetAt: refused.ResetAt}
	}
	return err
}

// errNoSlot is a limiter that returned neither a slot nor an error.
var errNoSlot = errors.New("it returned neither a slot nor an error")

// notAdmitted types what a limiter returned in place of a slot: its refusal, the end
// of ctx, or else its own failure.
func notAdmitted(ctx context.Context, service, class string, err error) error {
	if err == nil {
		err = errNoSlot
	}
	switch {
	case errors.Is(err, ratelimit.ErrLimited):
		return InClass(class, err)
	case errors.Is(err, ctx.Err()), errors.Is(err, ratelimit.ErrLimiter):
		return err
	}
	return &ratelimit.LimiterError{Service: service, Class: class, Cause: err}
}
