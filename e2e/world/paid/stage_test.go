package paid

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// stage is a run: a world, machines with wallets in it, and callers that pay.
type stage struct {
	plan     plan
	dice     dice
	w        *world.World
	court    *court
	diary    *diary
	service  *shop
	guard    *signing.Guard
	machines []*machine

	requests atomic.Int64

	quiet atomic.Bool   // nothing befalls a process any more
	woken chan struct{} // closed when machines that rest begin their last work
	over  chan struct{} // closed when all is judged
}

// perform carries out a run in a bubble of its own, where time is virtual.
func perform(t *testing.T, p plan) (tally Tally, story []string) {
	defer func() {
		if broken := recover(); broken != nil {
			panic(fmt.Sprintf("mode %s seed %d keys %v: %v", p.Mode, p.Seed, p.Keys, broken))
		}
	}()
	if p.Shares.Files > 0 {
		dir, err := os.MkdirTemp(shm(), "paid")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		if err := os.Mkdir(filepath.Join(dir, "journal"), 0o700); err != nil {
			t.Fatal(err)
		}
		p.Dir = dir
	}
	synctest.Test(t, func(*testing.T) { tally, story = newStage(p).run() })
	return tally, story
}

// shm is a folder in memory, if there is one: a journal in a file waits for
// the disk at each write.
func shm() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

func newStage(p plan) *stage {
	s := &stage{plan: p, dice: dice(p.Seed).of(p.Mode), over: make(chan struct{}), woken: make(chan struct{})}
	s.w = world.New(withService(p.World, s.dice))
	s.diary = &diary{w: s.w, began: time.Now(), on: p.World.TraceLines > 0}
	s.court = newCourt(s.w, s.diary)
	s.service = newShop(s)
	s.guard = signing.NewGuard(signing.Policy{
		Unsimulated: []string{service}, // this world's nodes tell no accounts
		Pins:        map[string][]signing.PublicKey{service: {}},
		Sponsors:    []signing.PublicKey{signing.PublicKey(sponsor().address)},
	})
	for i := range (s.most() + p.Crew) / p.Crew {
		s.machines = append(s.machines, s.newMachine(i))
	}
	for _, n := range p.Keys {
		s.newKey(n)
	}
	s.fund()
	return s
}

// most is the greatest number of a key.
func (s *stage) most() (most int) {
	for _, n := range s.plan.Keys {
		most = max(most, n)
	}
	return most
}

// withService adds the service's own node, a good one that may lag.
func withService(cfg world.Config, d dice) world.Config {
	cfg = cfg.Clone()
	if len(cfg.Nodes) == 0 {
		cfg.Nodes = []world.NodeConfig{{}}
	}
	if len(cfg.Services) == 0 {
		for i := range cfg.Nodes {
			cfg.Services = append(cfg.Services, world.EndpointConfig{Name: fmt.Sprintf("rpc%d", i), Nodes: []int{i}})
		}
	}
	node := world.NodeConfig{}
	if d.of("service lags").chance(0.3) {
		node.Lag = d.of("service lag").int(1, 20)
	}
	if cfg.Cluster.ForkRate > 0 && d.of("service forks").chance(0.5) {
		node.Fork = 0.5
	}
	cfg.Nodes = append(cfg.Nodes, node)
	cfg.Services = append(cfg.Services, world.EndpointConfig{Name: service, Nodes: []int{len(cfg.Nodes) - 1}})
	return cfg
}

// addresses are the endpoints that wallets are given.
func (s *stage) addresses() (list []*world.Endpoint) {
	for _, e := range s.w.Endpoints() {
		if e.Name() != service {
			list = append(list, e)
		}
	}
	return list
}

// calm reports whether nothing befalls a process any more.
func (s *stage) calm() bool { return s.quiet.Load() }

// hire makes a process's wallet.
func (s *stage) hire(p *proc, cfg wallet.Config) (payer, error) {
	if s.plan.Hire != nil {
		return s.plan.Hire(p, cfg)
	}
	return wallet.New(cfg)
}

// tooLong is when a run counts as one that does not end.
const tooLong = 90 * 24 * time.Hour

// run plays until every caller is done and nothing can land any more, and
// judges.
func (s *stage) run() (Tally, []string) {
	watch := time.AfterFunc(tooLong, func() {
		panic(fmt.Sprintf("mode %s seed %d keys %v: no end after %v", s.plan.Mode, s.plan.Seed, s.plan.Keys, tooLong))
	})
	defer watch.Stop()
	for _, m := range s.machines {
		for slot := range m.slots {
			m.running.Go(func() { m.live(slot) })
		}
		if m.keyless {
			m.running.Go(m.listen)
		}
		if m.locks {
			m.running.Go(m.intrude)
		}
		for _, k := range m.keys {
			m.callers.Go(func() { s.call(k) })
		}
		m.running.Go(m.retire)
	}
	for _, m := range s.machines {
		m.callers.Wait()
	}
	s.quiet.Store(true)
	for _, k := range s.court.keys {
		if k.nonce != (world.Key{}) {
			s.advance(k, -1)
		}
	}
	for range 100 {
		if s.court.settledTruth() {
			break
		}
		time.Sleep(10 * time.Second)
	}
	close(s.woken)
	unsettled := s.last()
	time.Sleep(time.Minute)
	s.court.final()
	told := s.court.lateness()
	close(s.over)
	for _, m := range s.machines {
		m.running.Wait()
	}
	tally := s.court.tally(unsettled, told)
	tally.Requests = int(s.requests.Load())
	story := s.diary.story()
	s.w.Close()
	return tally, story
}

// last gives every machine a last chance to settle, and counts the keys that
// are still in doubt.
func (s *stage) last() (unsettled int) {
	var wg sync.WaitGroup
	var open atomic.Int64
	for _, m := range s.machines {
		wg.Go(func() {
			p := m.proc(0)
			s.settle(m, p, 4*time.Minute)
			for _, k := range m.keys {
				if m.keyless {
					continue
				}
				from := s.court.moment()
				o, err := p.w.Outcome(context.Background(), k.name)
				s.court.outcome(k, "the last Outcome", from, o, err)
				if err == nil && !o.Settled() {
					open.Add(1)
				}
			}
		})
	}
	wg.Wait()
	return int(open.Load())
}
