package transport

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/observe"
)

// door is the http.RoundTripper under go-retryablehttp's loop: each request
// through it is one attempt. It has no CloseIdleConnections, which the library
// calls after each failed call, for the pool that all clients share.
type door struct{}

// RoundTrip passes a request through admission, authorisation and the wire. The
// response is the service's, its body read.
func (door) RoundTrip(r *http.Request) (*http.Response, error) {
	x := exchangeOf(r.Context())
	if err := x.waitOut(r.Context()); err != nil {
		return nil, err
	}
	done, queued, err := x.admit(r.Context())
	if err != nil {
		return nil, err
	}
	a := &answer{sent: true}
	if err := x.authorise(r.Context(), r.Header, a); err != nil {
		x.release(r.Context(), done, false)
		return nil, err
	}
	x.attempts++
	ctx := r.Context()
	if x.client.observer != nil {
		var end func(*answer)
		ctx, end = x.watchAttempt(ctx, queued)
		defer end(a)
	}
	response := x.send(ctx, a, done)
	x.observe(ctx, a, queued)
	if response == nil {
		return nil, lostAnswer{a.err, a}
	}
	response.Body = readBody{a}
	peer.StayPut(response)
	return response, nil
}

// waitOut waits for the pause before a repeat, which go-retryablehttp has waited for
// in real time. A call whose context has ended asks for no slot.
func (x *exchange) waitOut(ctx context.Context) error {
	err := walletfi.Sleep(ctx, x.client.clock, x.pause)
	x.endBackoff(ctx)
	return err
}

// readBody is the body of a response that was read whole, and carries what the
// attempt brought to judge.
type readBody struct{ *answer }

func (readBody) Read([]byte) (int, error) { return 0, io.EOF }
func (readBody) Close() error             { return nil }

// lostAnswer is the error of an attempt without a response.
type lostAnswer struct {
	error
	*answer
}

// attempted returns what an attempt brought, nil if there was none.
func attempted(response *http.Response, err error) *answer {
	if l, ok := errors.AsType[lostAnswer](err); ok {
		return l.answer
	}
	return answerOf(response)
}

func answerOf(response *http.Response) *answer {
	if response == nil {
		return nil
	}
	b, _ := response.Body.(readBody)
	return b.answer
}

// admit waits for a slot, and says how long that took. The error is a
// *ratelimit.Error, a *ratelimit.LimiterError, ctx's, or the call's own reason not to be repeated.
func (x *exchange) admit(ctx context.Context) (done release, queued time.Duration, err error) {
	if x.ambiguous && x.call.BeforeRepeat != nil {
		if err := x.call.BeforeRepeat(ctx); err != nil {
			return nil, 0, err
		}
	}
	begun := x.client.Now()
	ctx, span := observing.Start(ctx, x.client.observer, observe.LimiterWait{Service: x.client.service, Op: x.call.Op, Class: x.call.Class})
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

// authorise makes the headers of one attempt, its own to change. They include
// those that net/http added for a cookie jar.
func (x *exchange) authorise(ctx context.Context, jar http.Header, a *answer) error {
	header := make(http.Header, 4+len(jar)+len(x.settings.Header))
	a.sentHeader = header
	a.values = [...]string{"application/json", x.client.userAgent, "application/json"}
	header["Accept"], header["User-Agent"] = a.values[0:1:1], a.values[1:2:2]
	maps.Copy(header, jar)
	for name, extra := range x.settings.Header {
		header[name] = slices.Clone(extra)
	}
	if x.request.body != nil {
		header["Content-Type"] = a.values[2:3:3]
	}
	a.url, a.credential = x.request.url, header
	if x.request.operation != nil {
		return x.authoriseLive(ctx, a)
	}
	if x.client.auth == nil || x.call.Public {
		return nil
	}
	return x.client.auth.Authorise(ctx, header)
}

// forgetCookies is go-retryablehttp's PrepareRetry: net/http adds the cookies
// to the same request once more.
func forgetCookies(r *http.Request) error {
	r.Header.Del("Cookie")
	return nil
}
