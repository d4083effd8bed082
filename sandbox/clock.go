package sandbox

import "time"

// Now returns the sandbox's time.
func (s *Sandbox) Now() time.Time {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.Now()
}

// Advance moves the sandbox's clock forward by d. Events that fall due on the
// way (the end of a cooldown, a webhook's next attempt, a step of an order)
// happen in order, each at its own time. Advance waits for deliveries that are
// in flight or become due, for at most a second of real time each, so that a
// refused delivery is tried again within the same call.
func (s *Sandbox) Advance(d time.Duration) { s.world.Advance(d) }
