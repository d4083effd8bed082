// Package kit has what every service of the sandbox uses: listeners and routes,
// strict reading of requests, faults, the clock, randomness, request logs,
// limits, deliveries and feeds.
package kit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/internal/running"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Core has what all services share: the clock, the listeners, the faults and the
// records. Services embed it, most of them through build.Chain. Callers hold
// its lock unless a method says otherwise: requests, clock events and test
// controls run one at a time.
type Core struct {
	mu     sync.Mutex
	Config play.Config
	clock  *clock
	Start  time.Time       // of FirstSlot
	era    context.Context // ends when the state begins again
	endEra context.CancelFunc
	rng    *rand.PCG
	ids    *rand.PCG // of requests: how many there are changes nothing else

	services []*Spec
	sockets  []*Feed // of nodes
	servers  []*host
	hosts    map[hostName]*host
	keys     map[play.Service][]string

	exchanges exchanges
	exchanged int // exchanges so far

	Tenants []play.Tenant         // with all their keys
	owners  map[credential]string // names of tenants, by their keys

	hits       map[play.Route]int
	violations map[string]*violations // by tenant
	violated   int                    // violations so far
	logs       map[logKey][]time.Time
	faults     []*fault
	faulted    int // the highest number of a fault
	turns      map[string]int

	deliveries    []play.Delivery
	delivered     int // attempts so far
	flying        int // deliveries that wait for an answer
	landed        *sync.Cond
	webhookClient *http.Client

	stirred int // changes with whatever a client does

	told    int            // changes with whatever is written to a feed
	heard   int            // told, when nobody was at work the last time
	asked   int            // requests that are being answered and do not wait for the clock
	parked  int            // requests that do
	working int            // clients at work, and timers of theirs that run
	crew    map[string]int // the same, by what they do
	joined  bool           // a goroutine of the program's own has joined

	patience time.Duration // of AdvanceUntil, in real time, if nothing happens

	advancing bool
	closed    bool
	done      chan struct{}
	context   context.Context
	cancel    context.CancelFunc
	running   running.Group // goroutines that Close waits for
}

// Open makes a core without services. Close it.
func Open(c play.Config) (*Core, error) {
	c, err := withDefaults(c)
	if err != nil {
		return nil, err
	}
	s := &Core{
		Config: c, clock: newClock(c), hosts: map[hostName]*host{}, crew: map[string]int{},
		done: make(chan struct{}), patience: 30 * time.Second,
	}
	s.landed = sync.NewCond(&s.mu)
	s.context, s.cancel = context.WithCancel(context.Background())
	s.begins()
	s.webhookClient = c.WebhookClient
	if s.webhookClient == nil {
		s.webhookClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	}
	return s, nil
}

// Lock takes the sandbox's lock, which guards the state of every service.
// Handlers, clock events and effects run with it held.
func (s *Core) Lock() { s.mu.Lock() }

// Unlock releases the lock.
func (s *Core) Unlock() { s.mu.Unlock() }

// Locked calls f with the lock held.
func (s *Core) Locked(f func()) {
	s.Lock()
	defer s.Unlock()
	f()
}

// Under returns what f returns with the lock held.
func Under[T any](lock sync.Locker, f func() T) T {
	lock.Lock()
	defer lock.Unlock()
	return f()
}

// Random draws from the sandbox's seed.
func (s *Core) Random() uint64 { return s.rng.Uint64() }

// Mix is splitmix64: the number that follows x.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Close stops every listener, connection, timer and delivery, and waits for
// them. It takes the lock itself.
func (s *Core) Close() {
	s.Lock()
	if s.closed {
		s.Unlock()
		return
	}
	s.closed = true
	close(s.done)
	s.cancel()
	if s.clock.timer != nil {
		s.clock.timer.Stop()
	}
	s.hangUp()
	s.Unlock()
	for _, h := range s.servers {
		h.server.Close()
	}
	s.running.Wait()
}

// unprintable reports whether a text is not printable ASCII without blanks.
func unprintable(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// withDefaults checks a configuration and fills in what is zero.
func withDefaults(c play.Config) (play.Config, error) {
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.SlotTime == 0 {
		c.SlotTime = 400 * time.Millisecond
	}
	if c.SlotTime < 0 || c.FeedStep < 0 || c.Shape < 0 || c.WebhookTimeout < 0 || c.BasePort < 0 {
		return c, fmt.Errorf("sandbox: SlotTime, FeedStep, Shape, WebhookTimeout and BasePort must not be negative")
	}
	if c.PredictMetaLimit < 0 {
		return c, fmt.Errorf("sandbox: PredictMetaLimit must not be negative")
	}
	if n := c.Network; n != nil && (n.Reach < 0 || n.Reach > 1) {
		return c, fmt.Errorf("sandbox: Network.Reach must be 0 to 1, is %v", n.Reach)
	}
	if c.Control != nil && unprintable(c.Control.Token) {
		return c, fmt.Errorf("sandbox: Control.Token must be printable ASCII without blanks")
	}
	if c.WebhookTimeout == 0 {
		c.WebhookTimeout = 30 * time.Second
	}
	if c.Start.IsZero() {
		c.Start = time.Now()
		if c.ManualClock {
			c.Start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		}
	}
	if c.Deployment != nil {
		for service := range c.Deployment.Services {
			if !known(play.Service(service)) {
				return c, fmt.Errorf("sandbox: Deployment has %q, which is not a service", service)
			}
		}
	}
	for service, tier := range c.Tiers {
		if !known(service) {
			return c, fmt.Errorf("sandbox: Tiers has %q, which is not a service", service)
		}
		if tier != play.TierFree && tier != play.TierPro && tier != play.TierEnterprise {
			return c, fmt.Errorf("sandbox: tier %q of %s is not known", tier, service)
		}
	}
	return c, nil
}
