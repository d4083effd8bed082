package sandbox

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Sandbox is all eleven services and a Solana node in one process. Its methods
// may be called from any number of goroutines.
type Sandbox struct {
	// mu guards everything below: requests, events of the clock and calls of
	// the exported methods take turns.
	mu     sync.Mutex
	config Config
	clock  *clock
	rng    *rand.Rand

	services []*service
	servers  []*host
	hosts    map[hostName]*host
	keys     map[Service][]string

	hits       map[Route]int
	violations []Violation
	logs       map[logKey][]time.Time
	faults     []*fault
	turns      map[string]int

	chain        chain
	lending      *lending
	leverage     *leverage
	smartAccount *smartAccount
	predictMeta  *predictMeta
	webhooks     *webhooks
	socialSearch *socialSearch
	pools        *poolBook
	swap         *swap
	amm          *amm
	providerSwap *providerSwap

	deliveries    []Delivery
	flying        int // deliveries that wait for an answer
	landed        *sync.Cond
	webhookClient *http.Client

	advancing bool
	closed    bool
	done      chan struct{}
	context   context.Context
	cancel    context.CancelFunc
	running   sync.WaitGroup // goroutines that Close waits for
}

// hostName tells a service's listeners apart; the main one has no name.
type hostName struct {
	service Service
	name    string
}

// Start opens a sandbox on loopback. Close it.
func Start(c Config) (*Sandbox, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Sandbox{
		config: c, clock: newClock(c), rng: rand.New(rand.NewPCG(c.Seed, c.Seed^0x9e3779b97f4a7c15)),
		hosts: map[hostName]*host{}, keys: map[Service][]string{},
		hits: map[Route]int{}, logs: map[logKey][]time.Time{}, turns: map[string]int{},
		done: make(chan struct{}),
	}
	s.landed = sync.NewCond(&s.mu)
	s.context, s.cancel = context.WithCancel(context.Background())
	s.webhookClient = c.WebhookClient
	if s.webhookClient == nil {
		s.webhookClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	}
	s.mu.Lock()
	s.openChain()
	err = s.openServices()
	s.mu.Unlock()
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// openServices makes each service and its listeners, then the node.
func (s *Sandbox) openServices() error {
	for _, name := range Services() {
		if name != SmartAccount {
			s.addKey(name, fmt.Sprintf("sandbox-%s-%016x", name, s.random()))
		}
	}
	for _, construct := range constructors {
		v := construct(s)
		s.services = append(s.services, v)
		for _, name := range append([]string{""}, v.hosts...) {
			if err := s.openHost(v, name); err != nil {
				return err
			}
		}
	}
	h, err := s.listen(&rpcHandler{s})
	if err != nil {
		return err
	}
	s.hosts[hostName{RPC, ""}] = h
	return nil
}

func (s *Sandbox) openHost(v *service, name string) error {
	routes := &serviceHandler{Sandbox: s, service: v, name: name}
	for i := range v.routes {
		if v.routes[i].host == name || v.sharedHosts && v.routes[i].host == "" {
			routes.router.add(v, &v.routes[i])
		}
	}
	var handler http.Handler = routes
	if v.feed != nil && v.feed.host == name {
		handler = &feedHandler{s, v}
	}
	h, err := s.listen(handler)
	if err != nil {
		return err
	}
	s.hosts[hostName{v.name, name}] = h
	return nil
}

// Close stops every listener, connection, timer and delivery, and waits for
// them.
func (s *Sandbox) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	close(s.done)
	s.cancel()
	if s.clock.timer != nil {
		s.clock.timer.Stop()
	}
	for _, v := range s.services {
		if v.feed != nil {
			for _, conn := range v.feed.conns {
				conn.socket.Close()
			}
		}
	}
	s.mu.Unlock()
	for _, h := range s.servers {
		h.server.Close()
	}
	s.running.Wait()
}

// URL returns a service's base URL, with the path prefix where the service's
// documentation counts it to the base. For AMM it is the trade host's, for
// OnchainData the demo tier's, for RPC the node's.
func (s *Sandbox) URL(service Service) string { return s.hostURL(service, "") }

func (s *Sandbox) hostURL(service Service, name string) string {
	h, ok := s.hosts[hostName{service, name}]
	if !ok {
		return ""
	}
	base := "http://" + h.address()
	for _, v := range s.services {
		if v.name == service && v.inURL {
			base += v.prefix
		}
	}
	return base
}

// AMMDataURL returns the base URL of the AMM's data host.
func (s *Sandbox) AMMDataURL() string { return s.hostURL(AMM, "data") }

// OnchainProURL returns the base URL of the market data's pro tier.
func (s *Sandbox) OnchainProURL() string { return s.hostURL(OnchainData, "pro") }

// PredictMetaWSURL returns the base URL of the prediction markets' WebSocket,
// without the path.
func (s *Sandbox) PredictMetaWSURL() string {
	return strings.Replace(s.hostURL(PredictMeta, "ws"), "http://", "ws://", 1)
}

// random draws from the sandbox's seed.
func (s *Sandbox) random() uint64 { return s.rng.Uint64() }
