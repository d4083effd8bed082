package webhooks

import (
	"context"
	"errors"
)

// failed counts a failure. After MaxFailures the delivery goes to DeadLetter, and
// failed returns nil if that succeeds. It also returns nil then for a delivery that
// was handled but cannot be committed: after one more failure the service would
// send no further event.
func (r *Receiver) failed(ctx context.Context, d *Delivery, cause error) error {
	if r.unfinished.failed(d.name) < r.cfg.MaxFailures {
		return cause
	}
	if !r.unfinished.isHandled(d.name) {
		if r.cfg.DeadLetter == nil {
			return cause
		}
		if err := r.bury(ctx, d, cause); err != nil {
			return errors.Join(cause, err)
		}
		if err := r.commit(ctx, d); err == nil {
			return nil
		}
	}
	r.log(ctx, "handled and not committed", d, cause)
	return nil
}

// bury calls the dead-letter function.
func (r *Receiver) bury(ctx context.Context, d *Delivery, cause error) error {
	err := r.call(ctx, r.cfg.HandlerTimeout, "dead-letter function", func(ctx context.Context) error {
		return r.cfg.DeadLetter(ctx, d, cause)
	})
	r.tellDead(ctx, d, cause, err)
	if err == nil {
		r.unfinished.handled(d.name)
	}
	return err
}

// abandon gives a delivery to the dead-letter function.
func (q *queue) abandon(d *Delivery, cause error) {
	r, ctx := q.receiver, context.WithoutCancel(q.ctx)
	if r.unfinished.isHandled(d.name) {
		return
	}
	if err := r.bury(ctx, d, cause); err != nil {
		r.log(ctx, "lost", d, errors.Join(cause, err))
		return
	}
	if err := r.commit(ctx, d); err != nil {
		r.log(ctx, "handled and not committed", d, err)
	}
}
