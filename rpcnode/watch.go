package rpcnode

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/observe"
)

// service is this package's name in what an observer is told.
const service = "rpcnode"

// watch tells the observer of a call.
func (w *wire) watch(ctx context.Context, method string, call func(context.Context) error) error {
	if w.clock != nil {
		var end func()
		ctx, end = clock.Enter(ctx, w.clock, service+" "+method)
		defer end()
	}
	ctx, span := observing.Start(ctx, w.observer, observe.Call{Service: service, Op: method})
	return observing.Through(span, func() error { return call(ctx) },
		func(err error) observe.CallEnd { return observe.CallEnd{Attempts: 1, Err: err} })
}

// attempt is one request on the wire.
type attempt struct {
	trace  peer.Trace
	span   observing.Span
	begun  time.Time
	status int
	cancel context.CancelFunc // of its patience
}

// begin tells the observer of it. Neither host nor path is told: either may be a key. The
// context ends with the attempt or with its patience.
func (a *attempt) begin(ctx context.Context, o observe.Observer, method string, queued time.Duration) context.Context {
	a.begun = time.Now()
	ctx, a.span = observing.Start(ctx, o, observe.Attempt{
		Service: service, Op: method, Method: http.MethodPost, Route: "/", Path: "/", Number: 1, Queued: queued,
	})
	a.cancel = func() {}
	if most, ok := ctx.Value(patience{}).(time.Duration); ok {
		ctx, a.cancel = context.WithTimeout(ctx, most)
	}
	return ctx
}

// end tells the observer how it ended, and returns err.
func (a *attempt) end(err error) error {
	a.cancel()
	observing.End(a.span, observe.AttemptEnd{StatusCode: a.status, Duration: time.Since(a.begun), Err: err})
	return err
}

// exchange sends req and gives the slot back. A round tripper that panics must not keep it.
func (w *wire) exchange(
	ctx context.Context, req *http.Request, a *attempt, done func(context.Context, bool) error,
) (resp *http.Response, err error) {
	sent, ended := true, false
	defer func() {
		_ = done(ctx, sent) // costs time at most: see ratelimit.Limiter
		if !ended {
			a.end(observing.ErrPanicked)
		}
	}()
	defer atwork.Alone(ctx)()
	resp, err = w.http.Do(req)
	if err != nil {
		sent, _ = peer.Reached(&a.trace, err)
	}
	ended = true
	return resp, err
}

// methodOf is the method of a call that failed.
func methodOf(err error) string {
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused.Method
	}
	if broken, ok := errors.AsType[*callError](err); ok {
		return broken.Op
	}
	return ""
}

// statusOf is its HTTP status, 0 if no answer came.
func statusOf(err error) int {
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused.StatusCode
	}
	return 0
}
