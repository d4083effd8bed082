package rpcnode

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/observe"
)

// service is this package's name in what an observer is told.
const service = "rpcnode"

// watch tells the observer that a call begins.
func (w *wire) watch(ctx context.Context, method string) (context.Context, observing.Span) {
	return observing.Start(ctx, w.observer, observe.Call{Service: service, Op: method})
}

// attempt is one request on the wire.
type attempt struct {
	trace  peer.Trace
	span   observing.Span
	begun  time.Time
	status int
}

// begin tells the observer of it. Neither host nor path is told: either may be a key.
func (a *attempt) begin(ctx context.Context, o observe.Observer, method string, queued time.Duration) context.Context {
	a.begun = time.Now()
	ctx, a.span = observing.Start(ctx, o, observe.Attempt{
		Service: service, Op: method, Method: http.MethodPost, Route: "/", Path: "/", Number: 1, Queued: queued,
	})
	return ctx
}

// end tells the observer how it ended, and returns err.
func (a *attempt) end(err error) error {
	observing.End(a.span, observe.AttemptEnd{StatusCode: a.status, Duration: time.Since(a.begun), Err: err})
	return err
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
