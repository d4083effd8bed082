package kit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/pause"
)

// Bounds, in real time, of the wait until nobody is at work.
const (
	lookLeast = 50 * time.Microsecond // between two looks
	lookMost  = 2 * time.Millisecond
	quiet     = 4 * lookLeast         // after the last who worked
	quietLone = 20 * time.Millisecond // likewise, for those that have not joined or read a feed
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
		s.heard = s.told
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

// rest waits until nobody is at work: each who waits for the clock has said so.
func (s *Core) rest(ctx context.Context) error {
	last, since := -1, time.Now()
	for ctx.Err() == nil {
		stirred, busy, enough := s.stir()
		now := time.Now()
		if stirred != last {
			last, since = stirred, now
		}
		still := now.Sub(since)
		switch {
		case !busy && still >= enough:
			return nil
		case busy && still >= s.patience:
			return s.stuck()
		}
		_ = pause.Briefly(ctx, min(max(still/8, lookLeast), lookMost))
	}
	return ctx.Err()
}

// stir is a count that changes with whatever a client does or is told, whether somebody
// is at work, and how long nothing must have changed if nobody is.
func (s *Core) stir() (stirred int, busy bool, enough time.Duration) {
	s.Lock()
	defer s.Unlock()
	if enough = quiet; !s.joined || s.told != s.heard {
		enough = quietLone
	}
	return s.stirred + s.told, s.asked > 0 || s.flying > 0 || s.working > s.parked, enough
}

// stuck is the error of a clock that cannot move: it names those who neither end nor
// wait for it.
func (s *Core) stuck() error {
	s.Lock()
	defer s.Unlock()
	var who []string
	for _, what := range slices.Sorted(maps.Keys(s.crew)) {
		who = append(who, fmt.Sprintf("%d of %s", s.crew[what], what))
	}
	return fmt.Errorf("sandbox: for %v, these neither ended nor waited for the clock: "+
		"%d requests, %d deliveries; %s", s.patience, s.asked, s.flying, strings.Join(who, ", "))
}

// ClientWorks counts so many more, or less, who do what while the clock stands. It
// takes the lock itself.
func (s *Core) ClientWorks(what string, more int) {
	s.Lock()
	defer s.Unlock()
	s.works(what, more)
	s.joined = s.joined || what == atwork.Joined
}

// works is ClientWorks with the lock held.
func (s *Core) works(what string, more int) {
	s.stirred++
	s.working += more
	if s.crew[what] += more; s.crew[what] == 0 {
		delete(s.crew, what)
	}
}

// WaitAside has a request under way not count as work to wait for: it waits for the
// clock, or for ever. The lock is held.
func (s *Core) WaitAside() (end func()) {
	s.asked, s.parked = s.asked-1, s.parked+1
	return func() { s.asked, s.parked = s.asked+1, s.parked-1 }
}
