package ratelimit

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// gate decides when the next request may go; a BudgetLimiter and a Pacer differ
// in it alone. It is called under the limiter's lock. Instants are time since
// the limiter was made.
type gate interface {
	// ready tells whether one more request may go now.
	ready(now time.Duration) bool
	// take counts a request that goes now, ready or not.
	take(now time.Duration)
	// settle ends the request that was taken then.
	settle(now, taken time.Duration, sent bool)
	// earliest is the first instant at which a request can go that has so many
	// others ahead of it. It may turn out later.
	earliest(now time.Duration, ahead int) time.Duration
}

// never is later than any instant that matters: maxPer is below it.
const never = time.Duration(1 << 62)

func addSaturating(at, d time.Duration) time.Duration { return at + max(min(d, never-at), -never) }

// admission is what stands before a gate: the queue, the hold, the wake-up.
type admission struct {
	epoch time.Time // instants count from here on the monotonic clock
	gate  gate
	rank  func(context.Context) rank

	mu      sync.Mutex
	held    time.Duration // nothing goes before
	queue   waitQueue
	permits permits
	timer   *time.Timer // runs wake, only while somebody waits
	armed   bool
	wakeAt  time.Duration
}

func (a *admission) open(g gate) {
	a.gate, a.rank, a.epoch = g, rankOf, time.Now()
}

func (a *admission) now() time.Duration { return time.Since(a.epoch) }

// permit is Limiter.Permit. Nobody waits while a slot is free, so that an
// empty queue and an open gate are all that the usual call looks at.
func (a *admission) permit(ctx context.Context, maxWait time.Duration) (func(bool), error) {
	if ctx.Err() != nil {
		return nil, gaveUp(ctx)
	}
	a.mu.Lock()
	now := a.now()
	if a.queue.len == 0 && now >= a.held && a.gate.ready(now) {
		p := a.take(now)
		a.mu.Unlock()
		return p.done, nil
	}
	w, err := a.enqueue(ctx, now, max(maxWait, 0))
	a.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return a.wait(ctx, w, maxWait)
}

// enqueue lets the call wait, or refuses it where that is of no use. Who
// follows up need not wait for the gate and can come back settled.
func (a *admission) enqueue(ctx context.Context, now, maxWait time.Duration) (*waiter, error) {
	r, latest := a.rank(ctx), addSaturating(now, maxWait)
	if deadline, ok := ctx.Deadline(); ok {
		latest = min(latest, addSaturating(now, time.Until(deadline))-1)
	}
	if at := a.earliest(r, now, a.queue.ahead(r)); at > latest {
		return nil, a.refusal(now, at)
	}
	w := &waiter{rank: r, latest: latest, ready: make(chan struct{})}
	a.queue.add(w)
	a.serve(now)
	return w, nil
}

func (a *admission) wait(ctx context.Context, w *waiter, maxWait time.Duration) (func(bool), error) {
	timer := time.NewTimer(maxWait)
	defer timer.Stop()
	select {
	case <-w.ready:
	case <-ctx.Done():
		a.cancel(w)
		return nil, gaveUp(ctx)
	case <-timer.C:
		a.expire(w)
	}
	if w.err != nil {
		return nil, w.err
	}
	return w.permit.done, nil
}

// cancel takes w out of the queue, or gives back the slot that it was given in
// the same moment.
func (a *admission) cancel(w *waiter) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	switch {
	case w.permit != nil:
		a.settle(w.permit, now, false)
	case w.err == nil:
		a.queue.remove(w)
		a.serve(now)
	}
}

// expire ends w's wait: with the slot that comes free in this moment, if there
// is one, else with the time of the next.
func (a *admission) expire(w *waiter) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	a.serve(now)
	if w.settled() {
		return
	}
	a.queue.remove(w)
	w.err = a.refusal(now, a.earliest(w.rank, now, a.queue.ahead(w.rank)))
	a.serve(now)
}

// hold is Limiter.Hold.
func (a *admission) hold(until time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	if at := addSaturating(now, time.Until(until)); at > a.held {
		a.held = at
		a.reassess(now)
	}
}

// reassess ends the wait of all whose slot will now come too late.
func (a *admission) reassess(now time.Duration) {
	for r := range a.queue.lists {
		ahead := a.queue.ahead(rank(r)) - a.queue.lists[r].len
		for w := a.queue.lists[r].first; w != nil; {
			next := w.next
			if at := a.earliest(w.rank, now, ahead); at > w.latest {
				a.queue.remove(w)
				w.err = a.refusal(now, at)
				close(w.ready)
			} else {
				ahead++
			}
			w = next
		}
	}
	a.serve(now)
}

// may tells whether a request of this rank can go now if none is before it.
func (a *admission) may(r rank, now time.Duration) bool {
	return now >= a.held && (r == following || a.gate.ready(now))
}

func (a *admission) earliest(r rank, now time.Duration, ahead int) time.Duration {
	if r == following {
		return max(now, a.held)
	}
	return max(a.held, a.gate.earliest(now, ahead))
}

func (a *admission) take(now time.Duration) *permit {
	a.gate.take(now)
	return a.permits.get(a, now)
}

func (a *admission) settle(p *permit, now time.Duration, sent bool) {
	a.gate.settle(now, p.taken, sent)
	a.permits.put(p)
	if a.queue.len > 0 {
		a.serve(now)
	}
}

// serve gives out what is free and sees to it that the next slot wakes whoever
// waits for it.
func (a *admission) serve(now time.Duration) {
	w := a.queue.first()
	for ; w != nil && a.may(w.rank, now); w = a.queue.first() {
		a.queue.remove(w)
		w.permit = a.take(now)
		close(w.ready)
	}
	if w == nil {
		if a.armed {
			a.timer.Stop()
			a.armed = false
		}
		return
	}
	if at := a.earliest(w.rank, now, 0); !a.armed || at < a.wakeAt {
		a.arm(at, at-now)
	}
}

func (a *admission) arm(at, in time.Duration) {
	a.armed, a.wakeAt = true, at
	if a.timer == nil {
		a.timer = time.AfterFunc(in, a.wake)
		return
	}
	a.timer.Reset(in)
}

func (a *admission) wake() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.armed = false
	a.serve(a.now())
}

// refusal names the instant on the wall clock as it is now.
func (a *admission) refusal(now, at time.Duration) error {
	return &Error{ResetAt: time.Now().Add(at - now)}
}

func gaveUp(ctx context.Context) error {
	return fmt.Errorf("walletfi: waiting for a slot under the rate limit: %w", ctx.Err())
}
