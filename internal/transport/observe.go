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
func (x *exchange) observe() {
	a := &x.answer
	if raw := x.settings.Raw; raw != nil {
		*raw = walletfi.RawResponse{StatusCode: a.status, Header: a.header, Body: a.body}
	}
	x.heedCount()
	if x.client.onAttempt != nil {
		x.client.onAttempt(walletfi.Attempt{
			Service: x.client.service, Op: x.call.Op, Method: x.call.Method, Path: x.request.url.Path,
			Number: x.number, StatusCode: a.status, Duration: a.took, Queued: x.queued, Err: a.err,
		})
	}
	if log := x.client.logger; log != nil && log.Enabled(context.Background(), slog.LevelDebug) {
		attrs := []slog.Attr{
			slog.String("service", x.client.service), slog.String("op", x.call.Op),
			slog.String("method", x.call.Method), slog.String("path", x.request.url.Path),
			slog.Int("attempt", x.number), slog.Int("status", a.status),
			slog.Duration("duration", a.took), slog.Duration("queued", x.queued),
		}
		if a.err != nil {
			attrs = append(attrs, slog.String("error", mask(a.err.Error(), x.secrets())))
		}
		log.LogAttrs(context.Background(), slog.LevelDebug, "attempt", attrs...)
	}
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
		limiter.Tighten(remaining, x.answer.at.Add(wait))
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
