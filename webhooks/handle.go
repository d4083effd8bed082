package webhooks

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// handleOnce runs the handler for a delivery that was not handled before.
// Duplicates that come meanwhile wait for that run and share its end.
func (r *Receiver) handleOnce(ctx context.Context, d *Delivery) error {
	// A caller that hangs up must not cut off the run that others wait for.
	ctx = context.WithoutCancel(ctx)
	_, err, _ := r.flight.Do(d.key, func() (any, error) { return nil, r.handle(ctx, d) })
	return err
}

func (r *Receiver) handle(ctx context.Context, d *Delivery) error {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.HandlerTimeout)
	defer cancel()
	seen, err := r.cfg.Seen.Seen(ctx, d.key)
	if err != nil {
		return fmt.Errorf("webhooks: asking whether it was seen: %w", err)
	}
	if seen {
		return nil
	}
	if err := r.run(ctx, d); err != nil {
		if err = r.bury(ctx, d, err); err != nil {
			return err
		}
	}
	until := time.Now().Add(orDefault(r.cfg.Verifier.MaxAge, DefaultMaxAge) +
		orDefault(r.cfg.Verifier.MaxAhead, DefaultMaxAhead) + r.cfg.Remember)
	if err := r.cfg.Seen.Commit(ctx, d.key, until); err != nil {
		return fmt.Errorf("webhooks: committing: %w", err)
	}
	r.failures.forget(d.key)
	return nil
}

// run is the handler, whose panic is a failure like any other.
func (r *Receiver) run(ctx context.Context, d *Delivery) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("webhooks: the handler panicked: %v", p)
		}
	}()
	return r.cfg.Handler(ctx, d)
}

// bury gives a delivery that failed too often to the dead-letter function. It
// returns nil once that has taken it.
func (r *Receiver) bury(ctx context.Context, d *Delivery, cause error) error {
	if r.failures.count(d.key) < r.cfg.MaxFailures || r.cfg.DeadLetter == nil {
		return cause
	}
	// The handler may have used up the time.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.cfg.HandlerTimeout)
	defer cancel()
	if err := r.cfg.DeadLetter(ctx, d, cause); err != nil {
		return errors.Join(cause, err)
	}
	return nil
}

// failures counts how often each delivery failed. It keeps the newest only: a
// delivery that fails is delivered again within hours.
type failures struct {
	mu    sync.Mutex
	of    map[string]int
	order []string
}

// maxFailing bounds how many failing deliveries are counted at a time.
const maxFailing = 10_000

// count adds a failure and returns how many there are.
func (f *failures) count(key string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		f.of = map[string]int{}
	}
	if f.of[key] == 0 {
		f.order = append(f.order, key)
		if len(f.order) > maxFailing {
			delete(f.of, f.order[0])
			f.order = f.order[1:]
		}
	}
	f.of[key]++
	return f.of[key]
}

func (f *failures) forget(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.of, key)
}
