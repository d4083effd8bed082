package webhooks

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

var (
	errQueueFull = errors.New("webhooks: the queue is full or closed")
	errClosed    = errors.New("webhooks: the receiver was closed")
)

// maxRetryWait is the longest pause between two tries of a delivery in the queue.
const maxRetryWait = time.Minute

// queue holds deliveries that were answered and are not yet handled.
type queue struct {
	receiver *Receiver
	waiting  chan *Delivery
	workers  sync.WaitGroup
	ctx      context.Context // ends when Close gives up
	cancel   context.CancelFunc

	mu     sync.RWMutex
	closed bool
}

func newQueue(r *Receiver, length, workers int) *queue {
	q := &queue{receiver: r, waiting: make(chan *Delivery, length)}
	q.ctx, q.cancel = context.WithCancel(context.Background())
	for range workers {
		q.workers.Go(func() {
			for d := range q.waiting {
				q.work(d)
			}
		})
	}
	return q
}

// put queues a delivery, unless it was handled before. A delivery that found the
// queue full too often goes to the dead-letter function at once.
func (q *queue) put(ctx context.Context, d *Delivery) error {
	seen, err := q.receiver.seen(ctx, d)
	if seen {
		q.receiver.tellDuplicate(ctx, d)
		return nil
	}
	if err == nil {
		err = q.add(d)
	}
	if err != nil {
		return q.receiver.once(d, func() error { return q.receiver.failed(ctx, d, err) })
	}
	return nil
}

func (q *queue) add(d *Delivery) error {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return errQueueFull
	}
	select {
	case q.waiting <- d:
		return nil
	default:
		return errQueueFull
	}
}

// work handles a delivery. The service does not repeat what was answered with 200,
// so work retries after a failure. A delivery that keeps failing goes to the
// dead-letter function, which is tried as often.
func (q *queue) work(d *Delivery) {
	r := q.receiver
	last := errClosed
	for wait := r.cfg.RetryWait; q.ctx.Err() == nil; wait = min(2*wait, maxRetryWait) {
		if last = r.handleOnce(q.ctx, d); last == nil {
			return
		}
		r.log(q.ctx, "not handled", d, last)
		if r.unfinished.failures(d.name) >= 2*r.cfg.MaxFailures {
			break
		}
		r.tellRetried(q.ctx, d, wait, last)
		q.pause(wait)
	}
	q.abandon(d, last)
}

// pause waits, until Close gives up.
func (q *queue) pause(wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-q.ctx.Done():
	}
}

// close waits for the workers. If ctx ends first, it cancels the handlers, sends
// the deliveries in the queue to the dead-letter function, and returns without
// waiting for either.
func (q *queue) close(ctx context.Context) error {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.waiting)
	}
	q.mu.Unlock()
	done := make(chan struct{})
	go func() { q.workers.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		q.cancel()
		return fmt.Errorf("webhooks: closing with %d deliveries in the queue: %w", len(q.waiting), ctx.Err())
	}
}
