package transport

import (
	"context"
	"log/slog"
	"time"

	"github.com/walletfi/walletfi-go"
)

// tightener is a limiter that heeds the service's own count.
type tightener interface {
	Tighten(remaining int, reset time.Time)
}

// observe tells the limiter, the log and the hook what came, and captures the
// raw response.
func (x *exchange) observe(ctx context.Context) {
	a := &x.answer
	if capture := x.settings.Capture; capture != nil && a.status != 0 {
		capture(a.status, a.came, a.body)
	}
	x.heedCount()
	if x.client.onAttempt != nil {
		x.client.onAttempt(walletfi.Attempt{
			Service: x.client.service, Op: x.call.Op, Method: x.call.Method, Path: x.request.url.EscapedPath(),
			Number: x.number, StatusCode: a.status, Duration: a.took, Queued: x.queued, Err: a.err,
		})
	}
	if log := x.client.logger; log != nil && log.Enabled(ctx, slog.LevelDebug) {
		x.log(ctx, log)
	}
}

// log names what goes into a line: whatever is not in this list stays out.
func (x *exchange) log(ctx context.Context, log *slog.Logger) {
	a := &x.answer
	attrs := []slog.Attr{
		slog.String("service", x.client.service), slog.String("op", x.call.Op),
		slog.String("method", x.call.Method), slog.String("path", x.request.url.EscapedPath()),
		slog.Int("attempt", x.number), slog.Int("status", a.status),
		slog.Duration("duration", a.took), slog.Duration("queued", x.queued),
	}
	if a.err != nil {
		attrs = append(attrs, slog.String("error", oneLine(a.err.Error())))
	}
	log.LogAttrs(ctx, slog.LevelDebug, "attempt", attrs...)
}

// heedCount tightens the budget by X-RateLimit-Remaining and -Reset.
func (x *exchange) heedCount() {
	limiter, ok := x.limiter.(tightener)
	if !ok || x.answer.header == nil {
		return
	}
	remaining, ok := remainingCount(x.answer.header)
	if !ok {
		return
	}
	if wait, ok := untilReset(x.answer.header, x.answer.at, 0); ok {
		limiter.Tighten(remaining, x.answer.at.Add(min(wait, maxHold)))
	}
}

// secrets lists what an error of this call must not show.
func (x *exchange) secrets() []string {
	var all []string
	if x.client.auth != nil {
		all = append(all, x.client.auth.Secrets()...)
	}
	return append(all, x.call.Secrets...)
}
