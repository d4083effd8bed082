// Package kit has what every service of the sandbox uses: listeners and routes,
// strict reading of requests, faults, the clock, randomness, request logs,
// limits, deliveries and feeds.
package kit

import (
	"context"
	"math/rand/v2"
	"net/http"
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
	Start  time.Time // of FirstSlot
	rng    *rand.Rand
	ids    *rand.Rand // of requests: how many there are changes nothing else

	services []*Spec
	sockets  []*Feed // of nodes
	servers  []*host
	hosts    map[hostName]*host
	keys     map[play.Service][]string

	hits       map[play.Route]int
	violations []play.Violation
	violated   int // violations so far
	logs       map[logKey][]time.Time
	faults     []*fault
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
		Config: c, clock: newClock(c), rng: rand.New(rand.NewPCG(c.Seed, c.Seed^0x9e3779b97f4a7c15)),
		ids:   rand.New(rand.NewPCG(c.Seed, 1)),
		hosts: map[hostName]*host{}, keys: map[play.Service][]string{},
		crew: map[string]int{}, hits: map[play.Route]int{}, logs: map[logKey][]time.Time{}, turns: map[string]int{},
		done: make(chan struct{}), patience: 30 * time.Second,
	}
	s.Start = s.Now()
	s.landed = sync.NewCond(&s.mu)
	s.context, s.cancel = context.WithCancel(context.Background())
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

// Random draws from the sandbox's seed.
func (s *Core) Random() uint64 { return s.rng.Uint64() }

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
	for f := range s.feeds() {
		for _, conn := range f.Conns {
			conn.socket.Close()
		}
	}
	for _, f := range s.sockets {
		f.Drop()
	}
	s.Unlock()
	for _, h := range s.servers {
		h.server.Close()
	}
	s.running.Wait()
}
