package rpcnode

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
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
	begun := time.Now()
	if left := w.left(); left > 0 {
		if err := clock.Wait(ctx, w.clock, left); err != nil {
			return nil, time.Since(begun), w.refusal(ctx, method, walletfi.ErrRateLimited, err)
		}
	}
	if w.limit == nil {
		return func(context.Context, bool) error { return nil }, time.Since(begun), nil
	}
	queued := ctx
	if method != "sendTransaction" {
		queued = ratelimit.WithUrgent(ctx)
	}
	queued, span := observing.Start(queued, w.observer, observe.LimiterWait{Service: service, Op: method})
	err = observing.Through(span, func() error {
		done, err = w.permits(queued, max(1, w.costs[method]))
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
	return nil, waited, w.refusal(ctx, method, kind, err)
}

// refusal is the error of a call that was not let through.
func (w *wire) refusal(ctx context.Context, method string, kind, cause error) error {
	e := &callError{TransportError: walletfi.TransportError{
		Service: "rpcnode", Op: method, Method: http.MethodPost, Path: "/", Kind: kind, Cause: cause,
	}, unsent: true, final: true}
	if ctx.Err() != nil {
		e.Kind = nil
	}
	return e
}

// permits takes as many slots as a call counts.
func (w *wire) permits(ctx context.Context, slots int) (done func(context.Context, bool) error, err error) {
	var all []func(context.Context, bool) error
	done = func(ctx context.Context, sent bool) error {
		var failed error
		for _, one := range all {
			failed = errors.Join(failed, one(ctx, sent))
		}
		return failed
	}
	for range slots {
		one, err := w.limit.Permit(ctx, maxQueue)
		if err != nil || one == nil {
			_ = done(ctx, false)
			return nil, err
		}
		all = append(all, one)
	}
	return done, nil
}

// Bounds of how long a node is left alone that has had too many requests.
const (
	leastHold = 500 * time.Millisecond
	mostHold  = time.Minute
)

// hold is until when the node is left alone.
type hold struct {
	mu    sync.Mutex
	until time.Time
}

// heed leaves the node alone for as long as it asks.
func (w *wire) heed(err error) {
	refused, ok := errors.AsType[*Error](err)
	if !ok || !errors.Is(refused.Kind, walletfi.ErrRateLimited) {
		return
	}
	until := clock.Now(w.clock).Add(min(max(refused.RetryAfter, leastHold), mostHold))
	w.held.mu.Lock()
	defer w.held.mu.Unlock()
	if until.After(w.held.until) {
		w.held.until = until
	}
}

// left is how long the node is to be left alone. A clock that was set back does not make
// it longer than the node can ask for.
func (w *wire) left() time.Duration {
	w.held.mu.Lock()
	defer w.held.mu.Unlock()
	left := clock.Until(w.clock, w.held.until)
	if left > mostHold {
		w.held.until, left = time.Time{}, 0
	}
	return left
}
