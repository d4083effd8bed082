package ratelimit

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/internal/atwork"
)

// limit decides when the next request may go. It is all in which a
// BudgetLimiter and a Pacer differ. Its methods are called under the queue's
// lock. Instants are the time since the limiter was made.
type limit interface {
	// ready reports whether another request may go now.
	ready(now time.Duration) bool
	// reserve counts a request that goes now, ready or not.
	reserve(now time.Duration)
	// release ends the request that was reserved at the given instant. sent is
	// false if it certainly did not reach the service.
	release(now, reserved time.Duration, sent bool)
	// earliest returns the first instant at which a request may go that has so
	// many others ahead of it. The instant may turn out to be later.
	earliest(now time.Duration, ahead int) time.Duration
}

// never is later than any instant that matters: maxPer is below it.
const never = time.Duration(1 << 62)

func addSaturating(at, d time.Duration) time.Duration { return at + max(min(d, never-at), -never) }

// queue admits callers in order, as its limit and its hold allow.
type queue struct {
	clock Clock     // nil is real time
	epoch time.Time // instants count from here, in real time on the monotonic clock
	limit limit
	rank  func(context.Context) rank

	mu        sync.Mutex
	heldUntil time.Duration // nothing is admitted before
	toldHold  time.Duration // the heldUntil that the waiters were last held against
	doubt     doubt
	soonest   time.Duration // no waiter's latest is before, while the queue is not empty
	waiters   waiters
	permits   permits
	timer     *time.Timer // runs wake, only while the queue is not empty
	unwake    func() bool // stops wake on another clock
	armed     bool
	wakeAt    time.Duration
}

func (q *queue) init(l limit) {
	q.limit, q.rank, q.epoch = l, rankOf, time.Now()
}

// permit implements Limiter.Permit. While a slot is free the queue is empty, so
// that the usual call looks at nothing but the hold and the limit.
func (q *queue) permit(ctx context.Context, maxWait time.Duration) (func(context.Context, bool) error, error) {
	if ctx.Err() != nil {
		return nil, cancelled(ctx)
	}
	q.mu.Lock()
	now := q.now()
	if q.waiters.len == 0 && now >= max(q.heldUntil, q.doubt.until) && q.limit.ready(now) {
		p := q.reserve(now)
		q.mu.Unlock()
		return p.done, nil
	}
	w, err := q.enqueue(ctx, now, max(maxWait, 0))
	q.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return q.wait(ctx, w, maxWait)
}

// enqueue adds a waiter, or refuses the call if its slot will come too late. A
// follow-up call skips the queue and may be admitted at once.
func (q *queue) enqueue(ctx context.Context, now, maxWait time.Duration) (*waiter, error) {
	r, latest := q.rank(ctx), addSaturating(now, maxWait)
	if left, ok := q.left(ctx); ok {
		latest = min(latest, addSaturating(now, left)-1)
	}
	if at := q.earliest(r, now, q.waiters.ahead(r)); at > latest {
		return nil, q.refusal(now, at)
	}
	if q.waiters.len == 0 || latest < q.soonest {
		q.soonest = latest
	}
	w := &waiter{rank: r, latest: latest, ready: make(chan struct{})}
	if q.clock != nil {
		w.wait = atwork.For(ctx)
	}
	q.waiters.add(w)
	q.serve(now)
	return w, nil
}

func (q *queue) wait(ctx context.Context, w *waiter, maxWait time.Duration) (func(context.Context, bool) error, error) {
	late := make(chan struct{})
	defer q.after(maxWait, func() { w.wait.End(); close(late) })()
	w.wait.Begin()
	defer w.wait.End()
	select {
	case <-w.ready:
	case <-ctx.Done():
		q.cancel(w)
		return nil, cancelled(ctx)
	case <-late:
		q.expire(w)
	}
	if w.err != nil {
		return nil, w.err
	}
	return w.permit.done, nil
}

// cancel removes w from the queue, or releases the slot that it was given in
// the same moment.
func (q *queue) cancel(w *waiter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.now()
	switch {
	case w.permit != nil:
		q.release(w.permit, now, false)
	case w.err == nil:
		q.waiters.remove(w)
		q.serve(now)
	}
}

// expire ends w's wait: with the slot that comes free in this moment, if there
// is one, else with the time of the next slot.
func (q *queue) expire(w *waiter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.now()
	q.serve(now)
	if w.ended() {
		return
	}
	q.waiters.remove(w)
	w.err = q.refusal(now, q.earliest(w.rank, now, q.waiters.ahead(w.rank)))
	q.serve(now)
}

// hold implements Limiter.Hold.
func (q *queue) hold(until time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.now()
	at := addSaturating(now, q.until(until))
	if at <= q.heldUntil || at <= now {
		return
	}
	known := now < q.heldUntil && at <= addSaturating(q.toldHold, jitter)
	q.heldUntil = at
	if !known {
		q.toldHold = at
		q.reassess(now)
	}
}

// reassess refuses all waiters whose slot will now come too late. It looks at them
// only if there can be one: the last is served last, and none leaves before soonest.
func (q *queue) reassess(now time.Duration) {
	if n := q.waiters.len; n == 0 || q.earliest(ordinary, now, n-1) <= q.soonest {
		return
	}
	q.soonest = never
	for r := range q.waiters.lists {
		ahead := q.waiters.ahead(rank(r)) - q.waiters.lists[r].len
		for w := q.waiters.lists[r].first; w != nil; {
			next := w.next
			if at := q.earliest(w.rank, now, ahead); at > w.latest {
				q.waiters.remove(w)
				w.err = q.refusal(now, at)
				w.wake()
			} else {
				q.soonest = min(q.soonest, w.latest)
				ahead++
			}
			w = next
		}
	}
	q.serve(now)
}

// ready reports whether a request of this rank may go now if it is the first in
// the queue.
func (q *queue) ready(r rank, now time.Duration) bool {
	return now >= q.heldUntil && q.doubt.ready(r, now) && (r == followUp || q.limit.ready(now))
}

func (q *queue) earliest(r rank, now time.Duration, ahead int) time.Duration {
	at := max(q.heldUntil, q.doubt.earliest(r, now))
	if r == followUp {
		return at
	}
	return max(at, q.limit.earliest(now, ahead))
}

func (q *queue) reserve(now time.Duration) *permit {
	q.limit.reserve(now)
	p := q.permits.get(q, now)
	q.doubt.reserve(p, now)
	return p
}

func (q *queue) release(p *permit, now time.Duration, sent bool) {
	q.limit.release(now, p.reserved, sent)
	q.doubt.release(p, now, sent)
	q.permits.put(p)
	if q.waiters.len > 0 {
		q.serve(now)
	}
}

// serve admits waiters while slots are free and sets the timer for the next
// slot if any waiter is left.
func (q *queue) serve(now time.Duration) {
	w := q.waiters.first()
	for ; w != nil && q.ready(w.rank, now); w = q.waiters.first() {
		q.waiters.remove(w)
		w.permit = q.reserve(now)
		w.wake()
	}
	if w == nil {
		if q.armed {
			q.disarm()
		}
		return
	}
	if at := q.earliest(w.rank, now, 0); !q.armed || at < q.wakeAt {
		q.arm(at, at-now)
	}
}

func (q *queue) arm(at, in time.Duration) {
	if q.clock != nil {
		q.disarm()
		q.armed, q.wakeAt, q.unwake = true, at, q.clock.AfterFunc(in, q.wake)
		return
	}
	q.armed, q.wakeAt = true, at
	if q.timer == nil {
		q.timer = time.AfterFunc(in, q.wake)
		return
	}
	q.timer.Reset(in)
}

func (q *queue) disarm() {
	switch {
	case !q.armed:
	case q.clock != nil:
		q.unwake()
	default:
		q.timer.Stop()
	}
	q.armed = false
}

func (q *queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.armed = false
	q.serve(q.now())
}

// refusal converts the instant to the wall clock as it is now.
func (q *queue) refusal(now, at time.Duration) error {
	return &Error{ResetAt: q.wall().Add(at - now)}
}

func cancelled(ctx context.Context) error {
	return fmt.Errorf("walletfi: waiting for a slot under the rate limit: %w", ctx.Err())
}
