package webhooks

import (
	"context"
	"sync"
)

// queue answers first and works then.
type queue struct {
	receiver *Receiver
	ch       chan *Delivery
	workers  sync.WaitGroup

	mu     sync.RWMutex
	closed bool
}

func newQueue(r *Receiver, length, workers int) *queue {
	q := &queue{receiver: r, ch: make(chan *Delivery, length)}
	for range workers {
		q.workers.Go(q.work)
	}
	return q
}

// put takes a delivery, unless it was handled before.
func (q *queue) put(ctx context.Context, d *Delivery) error {
	seen, err := q.receiver.cfg.Seen.Seen(ctx, d.key)
	if err != nil || seen {
		return err
	}
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return errQueueFull
	}
	select {
	case q.ch <- d:
		return nil
	default:
		return errQueueFull
	}
}

// work handles deliveries. Nobody delivers again what was answered 200, so a
// failure is tried again here, at once, until it is buried.
func (q *queue) work() {
	r := q.receiver
	for d := range q.ch {
		for range r.cfg.MaxFailures {
			err := r.handleOnce(context.Background(), d)
			if err == nil {
				break
			}
			r.log(context.Background(), "not handled", d.key, err)
		}
	}
}

func (q *queue) close(ctx context.Context) error {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.ch)
	}
	q.mu.Unlock()
	done := make(chan struct{})
	go func() { q.workers.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
