package wsconn

import (
	"strconv"
	"sync"
	"time"
)

// mark is the mark of an Update plus one, so that zero means that not even the
// resubscription was taken.
type mark uint64

func markOf(update uint64) mark { return mark(update + 1) }
func (m mark) value() uint64    { return uint64(m - 1) }

// ping is one that was sent.
type ping struct {
	at     time.Time
	covers mark // what was written before it
}

// pings remembers the last pings that went out, by the number that they carry.
type pings struct {
	mu      sync.Mutex
	sent    [16]ping // ping n is at n modulo the length
	last    uint64   // number of the last, the first is 1
	done    uint64   // number of the last that was answered
	written mark     // what was written by now
}

// wrote says what has been written.
func (p *pings) wrote(covers mark) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.written = covers
}

func (p *pings) next(now time.Time) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	*p.number(p.last) = ping{now, p.written}
	return strconv.AppendUint(nil, p.last, 10)
}

func (p *pings) number(n uint64) *ping { return &p.sent[n%uint64(len(p.sent))] }

// answered returns the ping of that payload. False means that it is not ours,
// too old, or was answered before.
func (p *pings) answered(payload string) (ping, bool) {
	n, err := strconv.ParseUint(payload, 10, 64)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil || n <= p.done || n > p.last || p.last-n >= uint64(len(p.sent)) {
		return ping{}, false
	}
	p.done = n
	return *p.number(n), true
}

// due reports whether something was written after the last ping, which was
// answered. While an answer is out no ping is due, so that updates in a hurry do
// not flood the service with pings.
func (p *pings) due() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done == p.last && p.number(p.last).covers < p.written
}

// latest returns the number of the last ping.
func (p *pings) latest() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// overdue returns what was written before ping n, and false if that ping or a
// later one was answered.
func (p *pings) overdue(n uint64) (mark, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done >= n || p.last-n >= uint64(len(p.sent)) {
		return 0, false
	}
	return p.number(n).covers, true
}
