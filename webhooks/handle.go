package webhooks

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// storeTimeout bounds a call of Seen. It does not count toward the handler's time:
// an event that was handled must be committed however long the handler took.
const storeTimeout = 10 * time.Second

// handleOnce handles a delivery unless it was handled before. Duplicates that come
// meanwhile wait and share the result.
func (r *Receiver) handleOnce(ctx context.Context, d *Delivery) error {
	return r.once(d, func() error {
		err := r.handle(ctx, d)
		if err != nil {
			return r.failed(ctx, d, err)
		}
		return nil
	})
}

// once runs work, or waits for the work that is under way for the same delivery
// and shares its result.
func (r *Receiver) once(d *Delivery, work func() error) error {
	_, err, _ := r.flight.Do(d.name, func() (any, error) { return nil, work() })
	return err
}

func (r *Receiver) handle(ctx context.Context, d *Delivery) error {
	if !r.unfinished.isHandled(d.name) {
		seen, err := r.seen(ctx, d)
		if err != nil {
			return err
		}
		if seen {
			r.tellDuplicate(ctx, d)
			return nil
		}
		d.until, d.marked = r.rememberUntil(), false
		err = r.callHandler(ctx, d)
		if errors.Is(err, ErrSeen) || err == nil && d.IsMarked() {
			return r.isCommitted(ctx, d)
		}
		if err != nil {
			return err
		}
		r.unfinished.handled(d.name)
	}
	return r.commit(ctx, d)
}

// isCommitted fails if Seen does not have a delivery that the handler says is
// committed.
func (r *Receiver) isCommitted(ctx context.Context, d *Delivery) error {
	seen, err := r.seen(ctx, d)
	if err == nil && !seen {
		err = errUncommitted
	}
	return err
}

var errUncommitted = errors.New("webhooks: the handler succeeded, but its transaction did not commit the delivery")

func (r *Receiver) seen(ctx context.Context, d *Delivery) (seen bool, err error) {
	err = r.call(ctx, storeTimeout, "store", func(ctx context.Context) (err error) {
		seen, err = r.cfg.Seen.Seen(ctx, d.name)
		return err
	})
	return seen, err
}

// rememberUntil is longer than the verifier accepts a delivery and the service
// repeats it, including differences between the clocks.
func (r *Receiver) rememberUntil() time.Time {
	v := &r.cfg.Verifier
	return v.now().Add(max(v.maxAge(), DefaultMaxAge) + v.maxAhead() + r.cfg.Remember)
}

// commit remembers the delivery.
func (r *Receiver) commit(ctx context.Context, d *Delivery) error {
	until := r.rememberUntil()
	err := r.call(ctx, storeTimeout, "store", func(ctx context.Context) error {
		return r.cfg.Seen.Commit(ctx, d.name, until)
	})
	if err == nil {
		r.unfinished.forget(d.name)
	}
	return err
}

// call runs a function of the user's for at most the given time. It turns a panic
// into an error: in a worker of the queue a panic would end the process.
func (r *Receiver) call(
	ctx context.Context, most time.Duration, what string, run func(context.Context) error,
) (err error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("webhooks: the %s panicked: %v\n%s", what, p, debug.Stack())
		}
	}()
	if err := run(ctx); err != nil {
		return fmt.Errorf("webhooks: the %s failed: %w", what, err)
	}
	return nil
}
