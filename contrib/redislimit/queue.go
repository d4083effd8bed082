package redislimit

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// The ranks, in the order in which they are served.
const (
	urgent   = 1
	ordinary = 2
)

// waiter is a call that waits for its slot.
type waiter struct {
	rank    int64
	arrived time.Time
	latest  time.Time // a slot that comes later is of no use
	ready   chan struct{}

	// Set under the limiter's lock, before ready is closed.
	granted bool
	probe   bool // granted to probe a doubt
	err     error
	at      time.Time // when a slot comes free, at the latest word
}

func newWaiter(ctx context.Context, maxWait time.Duration) *waiter {
	now := time.Now()
	w := &waiter{rank: ordinary, arrived: now, latest: now.Add(max(0, maxWait)), ready: make(chan struct{})}
	if ratelimit.IsUrgent(ctx) {
		w.rank = urgent
	}
	if deadline, ok := ctx.Deadline(); ok && !deadline.After(w.latest) {
		w.latest = deadline.Add(-1)
	}
	return w
}

// waiters of this process, by rank, in the order of their arrival.
type waiters [ordinary + 1][]*waiter

func (q *waiters) len() int { return len(q[urgent]) + len(q[ordinary]) }

// before returns how many are served before a newcomer.
func (q *waiters) before(w *waiter) int {
	n := 0
	for _, list := range q[:w.rank+1] {
		n += len(list)
	}
	return n
}

func (q *waiters) add(w *waiter) {
	list := q[w.rank]
	i := len(list)
	for i > 0 && list[i-1].arrived.After(w.arrived) {
		i--
	}
	q[w.rank] = slices.Insert(list, i, w)
}

func (q *waiters) remove(w *waiter) bool {
	i := slices.Index(q[w.rank], w)
	if i < 0 {
		return false
	}
	q[w.rank] = slices.Delete(q[w.rank], i, i+1)
	return true
}

// first returns those that are served next.
func (q *waiters) first(n int) []*waiter {
	var all []*waiter
	for _, list := range q {
		all = append(all, list[:min(len(list), n-len(all))]...)
	}
	return all
}

// try asks for w's slot at once. If there is none, it returns when there may be one.
func (l *Limiter) try(w *waiter, mayWait bool) (at time.Time, err error) {
	err = l.do(func(r *request) {
		before := int64(l.waiters.before(w))
		queue := l.waiters
		queue[w.rank] = append(slices.Clip(queue[w.rank]), w)
		ask(r, &queue)
		r.Ask = append(r.Ask, [3]int64{w.rank, time.Since(w.arrived).Microseconds(), before})
		r.Wait, r.Patience = mayWait, time.Until(w.latest).Microseconds()
	}, func(a answer) {
		if a.rest[0] > 0 {
			w.granted, w.probe = true, a.rest[3] > 0
			l.state.probing = l.state.probing || w.probe
			l.state.underWay++
			l.live()
			return
		}
		at = a.local(a.rest[1])
	}, nil)
	return at, err
}

// ask reports to Redis who waits here.
func ask(r *request, q *waiters) {
	r.Op, r.Wait, r.Patience = "take", true, 1<<52
	r.Urgent, r.Urgents = ages(q[urgent]), len(q[urgent])
	r.Ordinary, r.Ordinals = ages(q[ordinary]), len(q[ordinary])
}

// join has w wait in the queue.
func (l *Limiter) join(w *waiter, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w.at = at
	if l.fleet.ctx.Err() != nil {
		w.end(errClosed)
		return
	}
	l.waiters.add(w)
	l.live()
	if !l.pumping {
		l.pumping = true
		l.running.Go(l.pump)
	}
}

// leave removes w from the queue if it has no slot yet.
func (l *Limiter) leave(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiters.remove(w) {
		l.wake()
	}
}

func (w *waiter) end(err error) {
	w.err = err
	close(w.ready)
}

// pump asks for slots while anyone waits, and once more afterwards if Redis still
// believes so.
func (l *Limiter) pump() {
	for {
		sleep, more := l.turn()
		if !more {
			return
		}
		timer := time.NewTimer(sleep)
		select {
		case <-l.kick:
		case <-timer.C:
		case <-l.fleet.ctx.Done():
		}
		timer.Stop()
	}
}

// batch is how many slots are asked for at a time.
const batch = 16

// turn asks once, for the first of the queue. It returns how long to wait before the
// next turn, and false if none is needed.
func (l *Limiter) turn() (sleep time.Duration, more bool) {
	var asked []*waiter
	var spare int
	var probe bool
	err := l.do(func(r *request) {
		ask(r, &l.waiters)
		asked = l.waiters.first(batch)
		for i, w := range asked {
			r.Ask = append(r.Ask, [3]int64{w.rank, time.Since(w.arrived).Microseconds(), int64(i)})
		}
	}, func(a answer) {
		granted := int(a.rest[0])
		probe = a.rest[3] > 0
		l.state.probing = l.state.probing || probe
		l.state.underWay += granted
		spare = l.serve(granted, probe)
		if granted < len(asked) {
			l.refuseLate(asked[granted:], a.local(a.rest[1]))
			sleep = time.Duration(a.rest[2]) * time.Microsecond
		}
	}, nil)
	for range spare { // who waited gave up meanwhile
		_ = l.done(false, probe)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		for _, w := range l.waiters.first(math.MaxInt) {
			l.waiters.remove(w)
			w.end(err)
		}
	}
	if l.waiters.len() == 0 && (err != nil || len(asked) == 0) {
		l.pumping = false
		return 0, false
	}
	if l.waiters.len() == 0 {
		sleep = 0 // to say so
	}
	return sleep, true
}

// serve hands n slots to the first that wait, and returns how many are left. A slot that is
// a probe comes alone.
func (l *Limiter) serve(n int, probe bool) (spare int) {
	for _, w := range l.waiters.first(n) {
		l.waiters.remove(w)
		w.granted, w.probe = true, probe
		close(w.ready)
		n--
	}
	return n
}

// refuseLate ends the wait of those for whom the first slot of the rest comes too late.
func (l *Limiter) refuseLate(rest []*waiter, at time.Time) {
	for _, w := range rest {
		w.at = at
		if at.After(w.latest) && l.waiters.remove(w) {
			w.end(nil)
		}
	}
}
