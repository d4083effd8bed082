package sandbox

import "time"

// Routes lists every route of every service.
func (s *Sandbox) Routes() []Route { return s.world.Routes() }

// Hits returns how many requests each route has had, refused ones included,
// and how many calls each method of the node, under Route{RPC, "POST", method}.
// A route without requests is absent.
func (s *Sandbox) Hits() map[Route]int { return s.world.Hits() }

// Violations returns the violations so far, in order: the first 999, and the last
// one, whose Number says how many there were. Long texts are cut.
func (s *Sandbox) Violations() []Violation { return s.world.Violations() }

// Deliveries returns every attempt to deliver a webhook that has ended, in the
// order in which they ended: the newest, 2,048 or a few more at most.
func (s *Sandbox) Deliveries() []Delivery { return s.world.Deliveries() }

// Settle waits until no webhook delivery of s is in flight, for at most the given
// real time.
func Settle(s *Sandbox, most time.Duration) { s.world.Settle(most) }
