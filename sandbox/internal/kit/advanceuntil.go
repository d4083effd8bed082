package kit

import (
	"context"
	"fmt"
	"runtime/metrics"
	"time"

	"github.com/walletfi/walletfi-go/internal/pause"
)

// Bounds, in real time, of the wait until clients have done what they can.
const (
	settleMost = time.Second           // after which a request under way is not waited for
	settleLook = 50 * time.Microsecond // between two looks
	quietLooks = 3                     // in a row, with no goroutine that could run
	quietFor   = 10 * time.Millisecond // if other goroutines of the program never rest
)

// AdvanceUntil moves the clock from one timer of the clients to the next until
// done, by most at the most. See the door's.
func (s *Core) AdvanceUntil(ctx context.Context, most time.Duration, done func() bool) error {
	s.Lock()
	end := s.Now().Add(most)
	s.Unlock()
	for {
		if err := s.rest(ctx); err != nil {
			return err
		}
		if done() {
			return nil
		}
		s.Lock()
		now := s.Now()
		at, ok := s.clock.next()
		s.Unlock()
		if !now.Before(end) {
			return fmt.Errorf("sandbox: the condition does not hold after %v", most)
		}
		if !ok || at.After(end) {
			at = end
		}
		s.advance(max(at.Sub(now), 0), true)
	}
}

// rest waits until the clients have nothing left to do but to wait for the clock,
// as far as that can be seen: no request is under way, nobody uses the clock, and no
// goroutine of the program could run.
func (s *Core) rest(ctx context.Context) error {
	begun := time.Now()
	calm, looks, last := begun, 0, -1
	for {
		stirred, busy := s.stir()
		now := time.Now()
		if stirred != last || busy {
			calm, looks, last = now, 0, stirred
		} else if looks++; looks >= quietLooks && !othersRun() {
			return ctx.Err()
		}
		if now.Sub(calm) >= quietFor || now.Sub(begun) >= settleMost {
			return ctx.Err()
		}
		if err := pause.For(ctx, settleLook); err != nil {
			return err
		}
	}
}

// stir is a count that changes with whatever a client does or is told, and whether
// requests are under way that do not wait for the clock themselves.
func (s *Core) stir() (stirred int, busy bool) {
	s.Lock()
	defer s.Unlock()
	return s.stirred + s.told, s.asked > 0 || s.calls > s.parked
}

// othersRun reports whether another goroutine of the program runs or could.
func othersRun() bool {
	now := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/not-in-go:goroutines"}}
	metrics.Read(now)
	for i, alone := range []uint64{0, 1, 0} {
		if now[i].Value.Kind() != metrics.KindUint64 || now[i].Value.Uint64() > alone {
			return true
		}
	}
	return false
}

// WaitAside has a request under way not count as work to wait for: it waits for the
// clock, or for ever. The lock is held.
func (s *Core) WaitAside() (end func()) {
	s.asked, s.parked = s.asked-1, s.parked+1
	return func() { s.asked, s.parked = s.asked+1, s.parked-1 }
}
