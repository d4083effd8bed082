package webhooks

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
)

var errMethod = errors.New("webhooks: only POST delivers")

// refuse answers a request that is no delivery of the service's.
func (r *Receiver) refuse(w http.ResponseWriter, req *http.Request, status int, err error) {
	w.WriteHeader(status)
	observing.Tell(req.Context(), r.cfg.Observer, observe.DeliveryRefused{StatusCode: status, Err: err})
}

// callHandler calls the handler, in the observer's context.
func (r *Receiver) callHandler(ctx context.Context, d *Delivery) error {
	ctx, span := observing.Start(ctx, r.cfg.Observer, observe.Handle{Delivery: d.name})
	err := r.call(ctx, r.cfg.HandlerTimeout, "handler", func(ctx context.Context) error { return r.cfg.Handler(ctx, d) })
	observing.End(span, observe.HandleEnd{Err: err})
	return err
}

func (r *Receiver) tellVerified(ctx context.Context, d *Delivery) {
	observing.Tell(ctx, r.cfg.Observer, observe.DeliveryVerified{Delivery: d.name})
}

func (r *Receiver) tellDuplicate(ctx context.Context, d *Delivery) {
	observing.Tell(ctx, r.cfg.Observer, observe.DeliveryDuplicate{Delivery: d.name})
}

func (r *Receiver) tellRetried(ctx context.Context, d *Delivery, wait time.Duration, err error) {
	r.tellFailed(ctx, d, r.unfinished.failures(d.name), wait, err)
}

func (r *Receiver) tellFailed(ctx context.Context, d *Delivery, failures int, wait time.Duration, err error) {
	observing.Tell(ctx, r.cfg.Observer, observe.DeliveryRetried{
		Delivery: d.name,
		Failures: failures,
		Wait:     wait,
		Err:      err,
	})
}

func (r *Receiver) tellDead(ctx context.Context, d *Delivery, cause, err error) {
	observing.Tell(ctx, r.cfg.Observer, observe.DeliveryDead{Delivery: d.name, Cause: cause, Err: err})
}
