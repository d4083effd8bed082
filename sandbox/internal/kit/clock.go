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
	events []*event      // the first first; at the same time, as they were planned
	timer  *time.Timer   // wakes the sandbox for the first event; nil if the clock is manual
}

// event is something that happens at a time.
type event struct {
	at     time.Time
	run    func() // nil if cancelled
	client bool   // a client's timer
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

func (c *clock) add(at time.Time, run func()) *event {
	e := &event{at: at, run: run}
	i := sort.Search(len(c.events), func(i int) bool { return c.events[i].at.After(at) })
	c.events = slices.Insert(c.events, i, e)
	return e
}

// due removes and returns the first event at or before t, or nil.
func (c *clock) due(t time.Time) *event {
	if len(c.events) == 0 || c.events[0].at.After(t) {
		return nil
	}
	e := c.events[0]
	c.events = c.events[1:]
	return e
}

// Now is the sandbox's time. The lock is held.
func (s *Core) Now() time.Time { return s.clock.now() }

// At calls run at t, with the lock held. cancel drops the event.
func (s *Core) At(t time.Time, run func()) (cancel func()) {
	e := s.clock.add(t, run)
	s.wake()
	return func() { e.run = nil }
}

// After calls run once d has passed. See At.
func (s *Core) After(d time.Duration, run func()) (cancel func()) { return s.At(s.Now().Add(d), run) }

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

func (e *event) happen() {
	if e.run != nil {
		e.run()
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
