package ratelimit

import "time"

// permit is one request's slot, from Permit to done. Permits are used again,
// each with the done function that was bound to it once, so that a call under
// the limit allocates nothing.
type permit struct {
	door  *admission
	done  func(sent bool)
	taken time.Duration // when the slot was taken
	out   bool          // taken and not settled
	next  *permit       // in the free list
}

// maxIdlePermits bounds the free list, so that one burst of thousands does not
// stay in memory for ever.
const maxIdlePermits = 128

// permits is the free list.
type permits struct {
	first *permit
	count int
}

func (f *permits) get(door *admission, now time.Duration) *permit {
	p := f.first
	if p == nil {
		p = &permit{door: door}
		p.done = p.end
	} else {
		f.first, p.next = p.next, nil
		f.count--
	}
	p.taken, p.out = now, true
	return p
}

func (f *permits) put(p *permit) {
	p.out = false
	if f.count < maxIdlePermits {
		p.next, f.first = f.first, p
		f.count++
	}
}

// end is what callers know as done.
func (p *permit) end(sent bool) {
	a := p.door
	a.mu.Lock()
	defer a.mu.Unlock()
	if !p.out {
		return // a second call, before the permit was used again
	}
	a.settle(p, a.now(), sent)
}
