// Package admit lets as many transactions begin as a submitter can carry before they age.
package admit

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Bounds of what is under way.
const (
	horizon   = 10 * time.Second // how long what is under way may take to be sent
	leastOpen = 4
	// What one that has to wait must have left at its turn, so that it lands in its caller's time. If that
	// is short, half of it has to do.
	landing = 20 * time.Second
	// What is expected of a transaction as long as few have landed.
	firstSends, firstLanded = 12, 8
	mostLanded              = 256 // that are remembered with full weight
)

// Queue orders what is to be built and signed: what is urgent first, then what its caller waits
// for least long. It is safe for concurrent use.
type Queue struct {
	// Rate is how many sends a second there is room for. All may begin if it is no positive number.
	Rate  func() float64
	Clock walletfi.Clock // nil is real time

	mu            sync.Mutex
	open          int
	waiting       []*waiter // in their order
	count         uint64
	sends, landed float64
}

type waiter struct {
	urgent   bool
	deadline time.Time // zero is never
	number   uint64
	late     func() bool
	gate     *atwork.Gate
	admitted bool
}

func order(a, b *waiter) int {
	if a.urgent != b.urgent {
		return map[bool]int{true: -1, false: 1}[a.urgent]
	}
	if a.deadline.IsZero() != b.deadline.IsZero() {
		return map[bool]int{true: 1, false: -1}[a.deadline.IsZero()]
	}
	return cmp.Or(a.deadline.Compare(b.deadline), cmp.Compare(a.number, b.number))
}

// Enter waits for a turn. If that leaves too little of ctx's time to land, or comes not within most, it is
// refused at once with a *ratelimit.Error that says when it could be. leave must be called once.
func (q *Queue) Enter(ctx context.Context, most time.Duration) (leave func(), err error) {
	rate := q.rate()
	if rate == 0 {
		return func() {}, nil
	}
	q.mu.Lock()
	me := &waiter{urgent: ratelimit.IsUrgent(ctx), number: q.count, gate: atwork.NewGate()}
	needs := landing
	if deadline, ok := ctx.Deadline(); ok {
		me.deadline, needs = deadline, min(landing, time.Until(deadline)/2)
	}
	me.late = func() bool { return ctx.Err() != nil || clock.Ends(ctx, q.Clock, needs) }
	q.count++
	at, _ := slices.BinarySearchFunc(q.waiting, me, order)
	wait := q.waitOf(at, rate)
	if wait > most || wait > 0 && clock.Ends(ctx, q.Clock, wait+needs) {
		q.mu.Unlock()
		return nil, q.refusal(wait)
	}
	if wait == 0 {
		q.open++
		q.mu.Unlock()
		return q.leave, nil
	}
	q.waiting = slices.Insert(q.waiting, at, me)
	q.mu.Unlock()
	err = me.gate.Wait(ctx)
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case me.admitted:
		return q.leave, nil
	case err == nil:
		return nil, q.refusal(q.waitOf(len(q.waiting), rate))
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(w *waiter) bool { return w == me })
	return nil, err
}

// rate is Rate, 0 for what is no positive number.
func (q *Queue) rate() float64 {
	if rate := q.Rate(); rate > 0 {
		return rate
	}
	return 0
}

func (q *Queue) refusal(wait time.Duration) error {
	return &ratelimit.Error{Class: "send", ResetAt: clock.Now(q.Clock).Add(wait)}
}

// waitOf is how long one waits that so many are before. The lock is held.
func (q *Queue) waitOf(before int, rate float64) time.Duration {
	excess := float64(q.open+before+1) - q.width(rate)
	if excess <= 0 {
		return 0
	}
	return time.Duration(min(excess*q.perLanded()/rate, math.MaxInt32) * float64(time.Second))
}

// width is how many may be under way. The lock is held.
func (q *Queue) width(rate float64) float64 {
	return max(leastOpen, math.Floor(rate*horizon.Seconds()/q.perLanded()))
}

// perLanded is how many sends a transaction takes. The lock is held.
func (q *Queue) perLanded() float64 { return (firstSends + q.sends) / (firstLanded + q.landed) }

// admit lets in what there is room for, and refuses what has too little time left by now. The
// lock is held.
func (q *Queue) admit(rate float64) {
	for len(q.waiting) > 0 && (rate == 0 || float64(q.open) < q.width(rate)) {
		next := q.waiting[0]
		q.waiting = q.waiting[1:]
		if next.admitted = !next.late(); next.admitted {
			q.open++
		}
		next.gate.Open()
	}
}

func (q *Queue) leave() {
	rate := q.rate()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open--
	q.admit(rate)
}

// Landed notes after how many sends one landed.
func (q *Queue) Landed(sends int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.landed >= mostLanded {
		q.sends, q.landed = q.sends/2, q.landed/2
	}
	q.sends, q.landed = q.sends+float64(sends), q.landed+1
}
