package rpcnode

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// maxQueue bounds the wait for a slot if ctx has no deadline.
const maxQueue = 2 * time.Minute

// errNoSlot is a limiter that returned neither a slot nor an error.
var errNoSlot = errors.New("it returned neither a slot nor an error")

// admit takes a slot of the node's limit. What asks goes before what sends: a
// status that is late costs further sends.
func (w *wire) admit(ctx context.Context, method string) (done func(context.Context, bool) error, waited time.Duration, err error) {
	if w.limit == nil {
		return func(context.Context, bool) error { return nil }, 0, nil
	}
	queued := ctx
	if method != "sendTransaction" {
		queued = ratelimit.WithUrgent(ctx)
	}
	begun := time.Now()
	queued, span := observing.Start(queued, w.observer, observe.LimiterWait{Service: service, Op: method})
	err = observing.Through(span, func() error {
		done, err = w.limit.Permit(queued, maxQueue)
		waited = time.Since(begun)
		return err
	}, func(err error) observe.LimiterWaitEnd { return observe.LimiterWaitEnd{Waited: waited, Err: err} })
	kind := walletfi.ErrRateLimited
	switch {
	case err == nil && done != nil:
		return done, waited, nil
	case !errors.Is(err, walletfi.ErrRateLimited) && ctx.Err() == nil:
		kind = nil // the limiter's error says it
		if err == nil {
			err = errNoSlot
		}
		err = &ratelimit.LimiterError{Service: "rpcnode", Cause: err}
	}
	e := &callError{TransportError: walletfi.TransportError{
		Service: "rpcnode", Op: method, Method: http.MethodPost, Path: "/", Kind: kind, Cause: err,
	}, unsent: true, final: true}
	if ctx.Err() != nil {
		e.Kind = nil
	}
	return nil, waited, e
}
