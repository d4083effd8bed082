package swap

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// WaitOrderRequest says which order to wait for, and how long.
type WaitOrderRequest struct {
	// Signature is that of the order's transaction, base58; required.
	Signature string
	// LastValidBlockHeight is that of the order's transaction. It is sent to the
	// service and, if Heights is set, ends the wait. 0 means unknown.
	LastValidBlockHeight uint64
	// Heights returns the ledger's block height. Nil relies on the service to
	// report expiry.
	Heights walletfi.BlockHeighter
	// NotFoundFor is how long the service may not know the order. 0 means one
	// minute. It is ignored if Heights and LastValidBlockHeight are set.
	NotFoundFor time.Duration
	// MinWait is the time between the first two polls; it grows by half each time,
	// up to MaxWait. 0 means 1 second.
	MinWait time.Duration
	// MaxWait is the longest time between two polls. 0 means 8 seconds.
	MaxWait time.Duration
}

// maxUnansweredPolls is how many polls in a row may fail before WaitOrder gives
// up. Each poll has repeats of its own.
const maxUnansweredPolls = 5

var (
	errHeightPassed = errors.New("the last valid block height has passed and the service knows of no execution")
	errNeverKnown   = errors.New("the service does not know the order; the ledger may know its transaction")
)

// WaitOrder polls an order's status until the order is closed. If it expired or
// failed, the error is an *OrderEndedError. An unknown state does not end the
// wait.
//
// If the block height has passed the last valid one and the service, asked
// again after that, still does not know the order or says pending, the error is
// [walletfi.ErrOutcomeUnknown]. The service may lag, so ask the ledger for the
// signature before you build the order again.
//
// The same is true if the service does not know the order for NotFoundFor, and
// Heights or LastValidBlockHeight is not set. An answer that cannot be read says
// nothing of the order, and the wait goes on.
//
// With an error, WaitOrder returns the last status that it saw, or nil. The
// wait also ends with ctx: give it a deadline.
//
// GET /order-status, as [Client.GetOrderStatus].
func (c *Client) WaitOrder(
	ctx context.Context, req WaitOrderRequest, opts ...walletfi.CallOption,
) (*OrderStatus, error) {
	if err := req.problem(); err != nil {
		return nil, err
	}
	ctx, end := clock.Enter(ctx, c.made().t.Clock(), "swap WaitOrder")
	defer end()
	w := &orderWait{WaitOrderRequest: req.withDefaults(), clock: c.made().t.Clock(), begun: c.made().t.Now()}
	for wait := w.MinWait; ; wait = min(wait+wait/2, w.MaxWait) {
		passed := w.heightPassed
		status, err := c.GetOrderStatus(ctx, OrderStatusRequest{req.Signature, known(req.LastValidBlockHeight)}, opts...)
		if done, err := w.judge(ctx, status, err, passed); done {
			return w.last, err
		}
		w.askHeight(ctx)
		if err := clock.Wait(ctx, w.clock, max(wait, w.resetIn(err))); err != nil {
			return w.last, fmt.Errorf("swap: waiting for order %s: %w", req.Signature, err)
		}
	}
}

// orderWait is the state of one wait.
type orderWait struct {
	WaitOrderRequest
	clock        walletfi.Clock
	begun        time.Time
	last         *OrderStatus
	unanswered   int
	heightPassed bool
}

// judge reports whether an answer ends the wait; passed says whether the last
// valid height had passed before the poll.
func (w *orderWait) judge(ctx context.Context, status *OrderStatus, err error, passed bool) (bool, error) {
	switch {
	case ctx.Err() != nil && err != nil:
		return true, err
	case err == nil:
		w.last, w.unanswered = status, 0
		return w.judgeState(status, passed)
	case errors.Is(err, walletfi.ErrNotFound):
		w.unanswered = 0
		if passed {
			return true, w.unknown(errHeightPassed)
		}
		if !w.watchesHeight() && clock.Since(w.clock, w.begun) >= w.NotFoundFor {
			return true, w.unknown(errNeverKnown)
		}
		return false, err
	case errors.Is(err, walletfi.ErrUnavailable), errors.Is(err, walletfi.ErrRateLimited),
		errors.Is(err, walletfi.ErrDecode):
		w.unanswered++
		return w.unanswered == maxUnansweredPolls, err
	}
	return true, err
}

func (w *orderWait) judgeState(status *OrderStatus, passed bool) (bool, error) {
	switch {
	case status.Status == OrderClosed:
		return true, nil
	case status.Status.Terminal():
		return true, &OrderEndedError{w.Signature, *status}
	case passed && status.Status == OrderPending:
		return true, w.unknown(errHeightPassed)
	}
	return false, nil
}

func (w *orderWait) unknown(why error) error {
	return &walletfi.OutcomeUnknownError{Signature: w.Signature, Cause: why}
}

func (w *orderWait) watchesHeight() bool { return w.Heights != nil && w.LastValidBlockHeight > 0 }

// askHeight notes whether the last valid height has passed. If the node does
// not answer, it is asked again after the next poll.
func (w *orderWait) askHeight(ctx context.Context) {
	if !w.watchesHeight() || w.heightPassed {
		return
	}
	height, err := w.Heights.BlockHeight(ctx)
	w.heightPassed = err == nil && height > w.LastValidBlockHeight
}

// resetIn returns how long a rate limit requires to wait before the next poll.
func (w *orderWait) resetIn(err error) time.Duration {
	if own, ok := errors.AsType[*ratelimit.Error](err); ok {
		return clock.Until(w.clock, own.ResetAt)
	}
	if theirs, ok := errors.AsType[*walletfi.ResponseError](err); ok && errors.Is(err, walletfi.ErrRateLimited) {
		return clock.Until(w.clock, theirs.ResetAt)
	}
	return 0
}

func (r WaitOrderRequest) problem() error {
	return check.All(
		check.Signature("signature", r.Signature),
		check.NotNegative("notFoundFor", r.NotFoundFor),
		check.NotNegative("minWait", r.MinWait),
		check.NotNegative("maxWait", r.MaxWait),
	)
}

func (r WaitOrderRequest) withDefaults() WaitOrderRequest {
	if r.NotFoundFor == 0 {
		r.NotFoundFor = time.Minute
	}
	if r.MinWait == 0 {
		r.MinWait = time.Second
	}
	if r.MaxWait == 0 {
		r.MaxWait = 8 * time.Second
	}
	r.MaxWait = max(r.MinWait, r.MaxWait)
	return r
}
