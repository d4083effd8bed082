package kit

import (
	"slices"
	"sort"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// clock is the sandbox's time and the events planned for it. Callers of its
// methods hold the sandbox's lock.
type clock struct {
	manual bool
	still  time.Time     // the time, if the clock is manual
	ahead  time.Duration // ahead of real time, if the clock is not manual
	events []*Planned    // the first first; at the same time, as they were planned
	timer  *time.Timer   // wakes the sandbox for the first event; nil if the clock is manual
}

// Event is something that happens, with the lock held. A snapshot has the events that are
// planned: their type is data, and snapshot.Keep knows it.
type Event interface{ Happen() }

// Aside is an event that is in no snapshot: it belongs to an open connection, to a request
// that waits, or to a program's own timer.
type Aside func()

// Happen implements Event.
func (f Aside) Happen() { f() }

// Planned is an event that happens at a time.
type Planned struct {
	at     time.Time
	event  Event // nil if cancelled
	client bool  // a client's timer
}

// Cancel drops the event. It may be nil.
func (p *Planned) Cancel() {
	if p != nil {
		p.event = nil
	}
}

func newClock(c play.Config) *clock {
	return &clock{manual: c.ManualClock, still: c.Start.UTC(), ahead: time.Until(c.Start).Round(0)}
}

func (c *clock) now() time.Time {
	if c.manual {
		return c.still
	}
	return time.Now().Add(c.ahead).UTC()
}

// moveTo sets the clock forward; it never goes back.
func (c *clock) moveTo(t time.Time) {
	d := t.Sub(c.now())
	if d <= 0 {
		return
	}
	c.still = c.still.Add(d)
	c.ahead += d
}

func (c *clock) add(at time.Time, what Event) *Planned {
	e := &Planned{at: at, event: what}
	c.insert(e)
	return e
}

func (c *clock) insert(p *Planned) {
	i := sort.Search(len(c.events), func(i int) bool { return c.events[i].at.After(p.at) })
	c.events = slices.Insert(c.events, i, p)
}

// due removes and returns the first event at or before t, or nil.
func (c *clock) due(t time.Time) *Planned {
	if len(c.events) == 0 || c.events[0].at.After(t) {
		return nil
	}
	e := c.events[0]
	c.events = c.events[1:]
	return e
}

// Now is the sandbox's time. The lock is held.
func (s *Core) Now() time.Time { return s.clock.now() }

// At makes an event happen at t.
func (s *Core) At(t time.Time, what Event) *Planned {
	e := s.clock.add(t, what)
	s.wake()
	return e
}

// After makes an event happen once d has passed.
func (s *Core) After(d time.Duration, what Event) *Planned { return s.At(s.Now().Add(d), what) }

// wake sets the real timer to the first event.
func (s *Core) wake() {
	if s.clock.manual || s.closed || len(s.clock.events) == 0 {
		return
	}
	wait := s.clock.events[0].at.Sub(s.Now())
	if s.clock.timer == nil {
		s.clock.timer = time.AfterFunc(wait, s.fireDue)
		return
	}
	s.clock.timer.Reset(wait)
}

// fireDue runs the events that are due by real time.
func (s *Core) fireDue() {
	s.Lock()
	defer s.Unlock()
	if s.closed || s.advancing {
		return
	}
	for e := s.clock.due(s.Now()); e != nil; e = s.clock.due(s.Now()) {
		e.happen()
	}
	s.wake()
}

func (p *Planned) happen() {
	if p.event != nil {
		p.event.Happen()
	}
}

// Advance does what sandbox.Sandbox.Advance says.
func (s *Core) Advance(d time.Duration) { s.advance(d, false) }

// advance moves the clock by d, or until something is written to a feed.
func (s *Core) advance(d time.Duration, untilTold bool) {
	s.Lock()
	defer s.Unlock()
	s.awaitDeliveries(time.Second)
	target := s.Now().Add(d)
	s.advancing = true
	told := s.told
	for {
		e := s.clock.due(target)
		if e == nil {
			break
		}
		s.clock.moveTo(e.at)
		e.happen()
		s.awaitDeliveries(time.Second)
		if stop := s.Now().Add(s.Config.FeedStep); untilTold && s.told != told && stop.Before(target) {
			target, untilTold = stop, false
		}
	}
	s.clock.moveTo(target)
	s.advancing = false
	s.wake()
}
