package kit

import (
	"errors"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Roots are where a snapshot of the core begins.
func (s *Core) Roots() []any { return []any{s, s.clock} }

// Still waits until no delivery is in flight: what a destination answers is in no snapshot.
func (s *Core) Still() error {
	s.awaitDeliveries(s.Config.WebhookTimeout + time.Second)
	switch {
	case s.flying > 0:
		return errors.New("deliveries of webhooks are in flight")
	case s.advancing:
		return errors.New("the clock is being moved")
	}
	return nil
}

// SetAside takes out of the state what is in no snapshot: the events that are not kept, and
// the key of the control port. back puts it back.
func (s *Core) SetAside() (back func()) {
	events, control := s.clock.events, s.keys[play.Control]
	s.clock.still = s.Now()
	delete(s.keys, play.Control)
	s.clock.events = slices.DeleteFunc(slices.Clone(events), func(p *Planned) bool {
		_, aside := p.event.(Aside)
		return aside || p.event == nil
	})
	return func() { s.clock.events, s.keys[play.Control] = events, control }
}

// Rewind calls change, which replaces the state and with it the time. What is not of the
// state stays: the key of the control port, and of the timers of clients what is left of them.
func (s *Core) Rewind(change func()) {
	was, control := s.Now(), s.keys[play.Control]
	clients := slices.DeleteFunc(slices.Clone(s.clock.events), func(p *Planned) bool { return !p.client })
	change()
	s.clock.manual = s.Config.ManualClock
	s.clock.ahead = time.Until(s.clock.still).Round(0)
	for _, p := range clients {
		p.at = p.at.Add(s.clock.still.Sub(was))
		s.clock.insert(p)
	}
	if control != nil {
		s.keys[play.Control] = control
	}
	s.stirred++
	s.wake()
}
