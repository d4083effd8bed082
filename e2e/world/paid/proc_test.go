package paid

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/wallet"

	"github.com/walletfi/walletfi-go"
)

// payer is what a caller uses of a *wallet.Wallet.
type payer interface {
	Execute(context.Context, walletfi.Unsigned, wallet.ExecuteOptions) (*wallet.Result, error)
	ExecuteBundle(context.Context, walletfi.Unsigned, walletfi.BundleSubmitter,
		wallet.ExecuteOptions) (*wallet.Result, error)
	Place(context.Context, walletfi.Order, wallet.PlaceOptions) (*wallet.Placed, error)
	Settle(context.Context) ([]wallet.Outcome, error)
	Outcome(context.Context, string) (wallet.Outcome, error)
	Unsettled(context.Context) ([]wallet.Unsettled, error)
	Close() error
}

// hire makes the wallet of a process.
type hire func(*proc, wallet.Config) (payer, error)

// proc is a process: a wallet with a clock of its own and a line to the world,
// over a journal that outlives it.
type proc struct {
	s      *stage
	m      *machine
	name   string
	dice   dice
	line   *world.Line
	clock  *clock
	w      payer
	nodes  []*rpcnode.Client
	ctx    context.Context
	cancel context.CancelFunc

	planned []blow
	gone    chan struct{} // closed when it dies or is closed
	buried  chan struct{} // closed when nothing of it is left

	mu     sync.Mutex
	counts [3]int
	dead   bool
	ended  time.Time
	still  chan struct{} // not nil while it stands still
	pauses [][2]time.Time
	bury   func() // closes its journal
}

// boot starts the n-th process of a machine's slot. It is nil if the journal
// cannot be opened.
func (m *machine) boot(slot, n int) *proc {
	p := &proc{
		s: m.s, m: m, name: fmt.Sprintf("process %d.%d.%d", m.id, slot, n), dice: m.dice.of("process", slot, n),
		gone: make(chan struct{}), buried: make(chan struct{}),
	}
	p.line = m.s.w.NewLine(p.name)
	p.clock = newClock(p)
	p.ctx, p.cancel = context.WithCancel(context.Background())
	journal, bury, err := m.open(p)
	if err != nil {
		p.s.diary.add("%s finds no journal: %v", p.name, err)
		p.cancel()
		return nil
	}
	p.bury = bury
	p.planned = p.blows()
	if err := p.start(journal); err != nil {
		p.s.diary.add("%s does not start: %v", p.name, err)
		p.die("ends")
		<-p.buried
		return nil
	}
	p.s.diary.add("%s starts, its clock off by %v", p.name, p.clock.off)
	for _, b := range p.planned {
		if b.where == atMoment {
			time.AfterFunc(b.when, func() { p.strike(b) })
		}
	}
	return p
}

// start makes the wallet. The process may die meanwhile.
func (p *proc) start(journal wallet.Journal) error {
	cfg, err := p.config(journal)
	if err != nil {
		return err
	}
	w, err := p.s.hire(p, cfg)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.w = w
	dead := p.dead
	p.mu.Unlock()
	if dead {
		w.Close() //nolint:errcheck // nobody hears it
		return errDead
	}
	return nil
}

// die ends the process at once: its line is cut, its journal takes nothing
// more, and what it still does reaches nobody.
func (p *proc) die(how string) {
	p.mu.Lock()
	if p.dead {
		p.mu.Unlock()
		return
	}
	p.dead, p.ended = true, time.Now()
	w := p.w
	p.mu.Unlock()
	p.s.diary.add("%s %s", p.name, how)
	p.line.Cut()
	p.bury()
	close(p.gone)
	p.cancel()
	go func() {
		defer close(p.buried)
		if w != nil {
			w.Close() //nolint:errcheck // nobody hears it
		}
	}()
}

// close ends the process in order: what runs comes back first.
func (p *proc) close() {
	p.mu.Lock()
	if p.dead || !p.ended.IsZero() {
		p.mu.Unlock()
		return
	}
	p.ended = time.Now()
	p.mu.Unlock()
	go func() {
		p.w.Close() //nolint:errcheck // what it could not write, the court finds
		p.die("is gone")
	}()
}

// config draws how the process uses the wallet. What two processes of a
// machine must have in common is the machine's.
func (p *proc) config(journal wallet.Journal) (wallet.Config, error) {
	m, d := p.m, p.dice.of("config")
	submitter, confirmer, err := p.connect()
	if err != nil {
		return wallet.Config{}, err
	}
	cfg := wallet.Config{
		Guard: p.s.guard, Submitter: submitter, Confirmer: confirmer, Heights: confirmer.(walletfi.BlockHeighter),
		Journal: journal, Clock: p.clock, Commitment: m.commitment,
		PollEvery:   d.of("poll").often(0, 4*time.Second, 8*time.Second, slowest),
		ResendEvery: d.of("resend").often(0, 6*time.Second, 25*time.Second, 50*time.Second),
	}
	if d.of("patience").chance(0.2) {
		cfg.ConfirmTimeout = 5 * time.Minute
	}
	if d.of("lease").chance(0.3) {
		cfg.Lease = d.of("leases").span(5*time.Second, 20*time.Second)
	}
	if m.effects {
		cfg.Effects = confirmer.(walletfi.EffectsReader)
	}
	switch {
	case m.sponsored && d.of("relay").chance(0.7):
		cfg.Submitter = relay{p}
	case m.doors:
		cfg.Also, cfg.AlsoFor = []walletfi.Submitter{p.nodes[len(p.nodes)-1]}, []string{service}
	}
	cfg.Bundles = bundler{p}
	return cfg, nil
}

// slowest is the longest time between two looks of a wallet that waits.
const slowest = 15 * time.Second

// often picks the first rarely and the last at most times: what is asked and
// sent less often finds as much, at less cost.
func (d dice) often(from ...time.Duration) time.Duration {
	return from[int(math.Sqrt(d.float())*float64(len(from)))]
}
