package kit

import (
	"math/rand/v2"
	"time"
)

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
	e.run = func() {
		e.run = nil
		s.launch(f)
	}
	s.wake()
	return func() bool {
		s.Lock()
		defer s.Unlock()
		stopped := e.run != nil
		e.run = nil
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
	now := s.ClientNow()
	draw := rand.New(rand.NewPCG(s.Config.Seed^uint64(now.UnixNano()), uint64(bound)))
	return time.Duration(draw.Int64N(int64(bound) + 1))
}

// next is when something is planned: the first timer of a client, else the first
// event of the sandbox's own. The lock is held.
func (c *clock) next() (at time.Time, ok bool) {
	client := false
	for _, e := range c.events {
		if e.run == nil || client && !e.client {
			continue
		}
		if !ok || e.client && !client || e.at.Before(at) {
			at, ok, client = e.at, true, e.client
		}
	}
	return at, ok
}
