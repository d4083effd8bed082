package ratelimit

import (
	"context"
	"time"
)

// permit is the slot of one request, from Permit to done. Permits are reused,
// each with the done function that was bound to it once, so that a call under
// the limit allocates nothing.
type permit struct {
	queue    *queue
	done     func(ctx context.Context, sent bool) error
	reserved time.Duration // when the slot was reserved
	active   bool          // reserved and not released
	next     *permit       // in the free list
}

// maxIdlePermits bounds the free list, so that a burst of thousands does not
// stay in memory.
const maxIdlePermits = 128

// permits is the free list.
type permits struct {
	first *permit
	count int
}

func (f *permits) get(q *queue, now time.Duration) *permit {
	p := f.first
	if p == nil {
		p = &permit{queue: q}
		p.done = p.end
	} else {
		f.first, p.next = p.next, nil
		f.count--
	}
	p.reserved, p.active = now, true
	return p
}

func (f *permits) put(p *permit) {
	p.active = false
	if f.count < maxIdlePermits {
		p.next, f.first = f.first, p
		f.count++
	}
}

// end is the done function that callers get.
func (p *permit) end(_ context.Context, sent bool) error {
	q := p.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if !p.active {
		return nil // a second call, before the permit was reused
	}
	q.release(p, q.now(), sent)
	return nil
}
