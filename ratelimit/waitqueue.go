package ratelimit

import (
	"context"
	"time"
)

// rank is who goes first among those that wait.
type rank int

const (
	following rank = iota // see WithFollowUp; only a Pacer knows it
	urgent
	ordinary
	ranks // how many there are
)

// rankOf reads the marks of ctx.
func rankOf(ctx context.Context) rank {
	if IsUrgent(ctx) {
		return urgent
	}
	return ordinary
}

// waiter is a call that waits for its slot. ready is closed when exactly one of
// permit and err was set, under the limiter's lock.
type waiter struct {
	rank       rank
	latest     time.Duration // a slot that comes later is of no use
	ready      chan struct{}
	permit     *permit
	err        error
	prev, next *waiter
}

// settled tells whether ready is closed.
func (w *waiter) settled() bool { return w.permit != nil || w.err != nil }

// waitQueue has a list for each rank, first come first served, from which a
// waiter that gives up is taken in constant time.
type waitQueue struct {
	lists [ranks]waitList
	len   int
}

type waitList struct {
	first, last *waiter
	len         int
}

// first is the waiter whose turn is next, nil if nobody waits.
func (q *waitQueue) first() *waiter {
	for i := range q.lists {
		if w := q.lists[i].first; w != nil {
			return w
		}
	}
	return nil
}

// ahead is how many would be served before a newcomer of this rank.
func (q *waitQueue) ahead(r rank) int {
	n := 0
	for i := range r + 1 {
		n += q.lists[i].len
	}
	return n
}

func (q *waitQueue) add(w *waiter) {
	l := &q.lists[w.rank]
	w.prev = l.last
	if w.prev == nil {
		l.first = w
	} else {
		w.prev.next = w
	}
	l.last = w
	l.len++
	q.len++
}

func (q *waitQueue) remove(w *waiter) {
	l := &q.lists[w.rank]
	if w.prev == nil {
		l.first = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		l.last = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.prev, w.next = nil, nil
	l.len--
	q.len--
}
