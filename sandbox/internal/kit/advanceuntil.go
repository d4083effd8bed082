package kit

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/pause"
)

// Bounds, in real time, of the wait until no client is at work.
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

// rest waits until no client is at work: each who waits for the clock has said so.
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
// is at work, and how long nothing must have changed if none is.
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

// ClientWorks counts so many more, or less, who do what while the clock is still. It
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

// ClientNow is the sandbox's time for a client. It takes the lock itself.
func (s *Core) ClientNow() time.Time {
	s.Lock()
	defer s.Unlock()
	s.stirred++
	return s.Now()
}

// ClientAfter calls f once, in a goroutine of its own, when d has passed by the
// sandbox's clock. It takes the lock itself, and f runs without it: clients call
// the sandbox from their timers.
func (s *Core) ClientAfter(d time.Duration, f func()) (stop func() bool) {
	s.Lock()
	defer s.Unlock()
	s.stirred++
	if d <= 0 {
		s.launch(f)
		return func() bool { return false }
	}
	e := s.clock.add(s.Now().Add(d), nil)
	e.client = true
	e.event = Aside(func() {
		e.event = nil
		s.launch(f)
	})
	s.wake()
	return func() bool {
		s.Lock()
		defer s.Unlock()
		stopped := e.event != nil
		e.event = nil
		s.stirred++
		return stopped
	}
}

// launch runs what a client's timer calls. The lock is held.
func (s *Core) launch(f func()) {
	s.works("a timer", 1)
	s.running.Go(func() {
		defer s.ClientWorks("a timer", -1)
		f()
	})
}

// ClientDraws draws a client's pause evenly from 0 to bound: by the seed, the time and
// the bound, so that the same run has the same pauses, in whatever order its clients
// ask. It takes the lock itself.
func (s *Core) ClientDraws(bound time.Duration) time.Duration {
	s.Lock()
	defer s.Unlock()
	s.stirred++
	now := s.Now()
	draw := rand.New(rand.NewPCG(s.Config.Seed^uint64(now.UnixNano()), uint64(bound)))
	return time.Duration(draw.Int64N(int64(bound) + 1))
}

// next is when something is planned: the first timer of a client, else the first
// event of the sandbox's own. The lock is held.
func (c *clock) next() (at time.Time, ok bool) {
	client := false
	for _, e := range c.events {
		if e.event == nil || client && !e.client {
			continue
		}
		if !ok || e.client && !client || e.at.Before(at) {
			at, ok, client = e.at, true, e.client
		}
	}
	return at, ok
}
