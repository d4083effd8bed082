package ratelimit

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go/internal/atwork"
)

// rank is the order in which waiters are served.
type rank int

const (
	followUp rank = iota // see WithFollowUp; only a Pacer uses it
	urgent
	ordinary
	ranks // the number of ranks
)

// rankOf reads the marks of ctx.
func rankOf(ctx context.Context) rank {
	if IsUrgent(ctx) {
		return urgent
	}
	return ordinary
}

// waiter is a call that waits for its slot. Exactly one of permit and err is
// set, under the queue's lock, before ready is closed.
type waiter struct {
	rank       rank
	latest     time.Duration // a slot that comes later is of no use
	ready      chan struct{}
	wait       *atwork.Wait // on another clock than real time
	permit     *permit
	err        error
	prev, next *waiter
}

// wake has w's caller go on.
func (w *waiter) wake() {
	w.wait.End()
	close(w.ready)
}

// ended reports whether ready is closed.
func (w *waiter) ended() bool { return w.permit != nil || w.err != nil }

// waiters has a list for each rank, first come first served. A waiter that
// gives up is removed in constant time.
type waiters struct {
	lists [ranks]waiterList
	len   int
}

type waiterList struct {
	first, last *waiter
	len         int
}

// first returns the waiter that is served next, nil if there is none.
func (q *waiters) first() *waiter {
	for i := range q.lists {
		if w := q.lists[i].first; w != nil {
			return w
		}
	}
	return nil
}

// ahead returns how many waiters would be served before a new waiter of this
// rank.
func (q *waiters) ahead(r rank) int {
	n := 0
	for i := range r + 1 {
		n += q.lists[i].len
	}
	return n
}

func (q *waiters) add(w *waiter) {
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

func (q *waiters) remove(w *waiter) {
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
