package transport

import (
	"context"
	"log/slog"
	"time"

	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// observe tells the limiter, the log and the observer what came, and captures
// the raw response.
func (x *exchange) observe(ctx context.Context, a *answer, queued time.Duration) {
	if capture := x.settings.Capture; capture != nil && a.status != 0 {
		capture(a.status, a.came, a.body)
	}
	x.heedCount(ctx, a)
	if log := x.client.logger; log != nil && log.Enabled(ctx, slog.LevelDebug) {
		x.log(ctx, log, a, queued)
	}
}

// log names what goes into a line: whatever is not in this list stays out.
func (x *exchange) log(ctx context.Context, log *slog.Logger, a *answer, queued time.Duration) {
	attrs := []slog.Attr{
		slog.String("service", x.client.service), slog.String("op", x.call.Op),
		slog.String("method", x.request.method), slog.String("path", x.request.url.EscapedPath()),
		slog.Int("attempt", x.progress.attempts), slog.Int("status", a.status),
		slog.Duration("duration", a.took), slog.Duration("queued", queued),
	}
	if a.err != nil {
		attrs = append(attrs, slog.String("error", peer.OneLine(a.err.Error())))
	}
	log.LogAttrs(ctx, slog.LevelDebug, "attempt", attrs...)
}

// heedCount tightens the budget by X-RateLimit-Remaining and -Reset.
func (x *exchange) heedCount(ctx context.Context, a *answer) {
	if a.header == nil {
		return
	}
	remaining, ok := peer.Remaining(a.header)
	if !ok {
		return
	}
	wait, odd, ok := x.untilReset(a, 0)
	if !ok {
		return
	}
	obeyed, doubted := x.obeyed(wait, odd)
	reset := a.at.Add(obeyed)
	switch {
	case doubted && remaining == 0:
		x.doubtWait(ctx, reset, a.at.Add(wait))
	case doubted: // each answer counts once more
		x.limiterFailed(ctx, "tighten", x.limiter.Tighten(ctx, remaining, a.at.Add(min(ratelimit.UrgentProbe, obeyed))))
	default:
		x.limiterFailed(ctx, "tighten", x.limiter.Tighten(ctx, remaining, reset))
	}
	observing.Tell(ctx, x.client.observer, observe.ServiceBudget{
		Service: x.client.service, Class: x.call.Class, Remaining: remaining, Reset: reset,
	})
}
