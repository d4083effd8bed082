package kit

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// begins makes the state that every core begins with.
func (s *Core) begins() {
	seed := s.Config.Seed
	s.rng, s.ids = rand.NewPCG(seed, seed^0x9e3779b97f4a7c15), rand.NewPCG(seed, 1)
	s.Start = s.Now()
	s.era, s.endEra = context.WithCancel(s.context)
	s.services, s.sockets, s.faults, s.deliveries = nil, nil, nil, nil
	s.keys, s.turns = map[play.Service][]string{}, map[string]int{}
	s.hits, s.logs = map[play.Route]int{}, map[logKey][]time.Time{}
	s.exchanges = exchanges{}
	s.violations, s.owners = map[string]*violations{}, map[credential]string{}
}

// Era lasts until the state begins again, or the sandbox closes.
func (s *Core) Era() context.Context { return s.era }

// Enter takes the lock for what belongs to an era. It returns false, without the lock, if the state
// has begun again since: what is of the old one leaves nothing in the new one.
func (s *Core) Enter(era context.Context) bool {
	s.Lock()
	if s.era == era {
		return true
	}
	s.Unlock()
	return false
}

// Restart begins the state again, without services: their listeners stay, and each takes
// the requests of what is served or listens in its place. The clock, which never goes back,
// stands as it does; of what waits for it only the timers of clients are left. Connections
// of feeds end, and so does what requests wait for; other requests under way are cut off.
// The control port's key and those of tenants stay.
func (s *Core) Restart() {
	s.endEra()
	s.hangUp()
	s.clock.events = slices.DeleteFunc(s.clock.events, func(p *Planned) bool { return !p.client })
	control := s.keys[play.Control]
	s.begins()
	s.keys[play.Control] = control
	for _, t := range s.Tenants {
		s.settle(t)
	}
}

// hangUp ends the connections of every feed.
func (s *Core) hangUp() {
	for f := range s.feeds() {
		for _, conn := range f.Conns {
			conn.socket.Close()
		}
	}
	for _, f := range s.sockets {
		f.Drop()
	}
}

// serves reports whether a feed is of the present state.
func (s *Core) serves(feed *Feed) bool {
	for f := range s.feeds() {
		if f == feed {
			return true
		}
	}
	return slices.Contains(s.sockets, feed)
}

// ForgetFaults ends every fault. It takes the lock itself.
func (s *Core) ForgetFaults() { s.Locked(func() { s.faults = nil }) }
