package clock

import (
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
)

// Timer is a time.Timer on any clock. One goroutine uses it.
type Timer struct {
	// C gets a value each time that the timer expires.
	C    <-chan time.Time
	real *time.Timer

	clock walletfi.Clock
	fired chan time.Time

	mu   sync.Mutex
	turn int // of the last Reset: an earlier one that expires late is not heard
	stop func() bool
}

// NewTimer returns a timer that expires after d on c.
func NewTimer(c walletfi.Clock, d time.Duration) *Timer {
	if c == nil {
		t := time.NewTimer(d)
		return &Timer{C: t.C, real: t}
	}
	fired := make(chan time.Time, 1)
	t := &Timer{C: fired, clock: c, fired: fired}
	t.Reset(d)
	return t
}

// Reset has the timer expire after d, and only then.
func (t *Timer) Reset(d time.Duration) {
	if t.real != nil {
		t.real.Reset(d)
		return
	}
	t.Stop()
	t.mu.Lock()
	turn := t.turn
	t.mu.Unlock()
	if d <= 0 {
		t.expire(turn)
		return
	}
	stop := t.clock.AfterFunc(d, func() { t.expire(turn) })
	t.mu.Lock()
	t.stop = stop
	t.mu.Unlock()
}

func (t *Timer) expire(turn int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if turn != t.turn {
		return
	}
	select {
	case t.fired <- time.Time{}:
	default:
	}
}

// Stop keeps the timer from expiring.
func (t *Timer) Stop() {
	if t.real != nil {
		t.real.Stop()
		return
	}
	t.mu.Lock()
	stop := t.stop
	t.turn++
	t.stop = nil
	select {
	case <-t.fired:
	default:
	}
	t.mu.Unlock()
	if stop != nil {
		stop()
	}
}
