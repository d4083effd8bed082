package linear

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// payer is judged: it is a wallet, or a stand-in for one.
type payer interface {
	Execute(ctx context.Context, u walletfi.Unsigned, opts ...wallet.ExecuteOptions) (*wallet.Result, error)
	Outcome(ctx context.Context, key string) (wallet.Outcome, error)
	Settle(ctx context.Context) ([]wallet.Outcome, error)
	Close() error
}

// newPayer makes the payer of a process.
type newPayer func(n *node, journal wallet.Journal) (payer, error)

// worker is a process with a wallet. When it has died, or was closed, another follows.
type worker struct {
	crew *crew
	rng  *rand.Rand

	mu    sync.Mutex
	payer payer
	gate  *gate
}

// crew is the processes that pay under the same keys.
type crew struct {
	ledger  *ledger
	history *history
	make    newPayer
	journal func() wallet.Journal // opens the store for a further process
	over    chan struct{}         // closed when the run is over
	workers []*worker
	retired []payer
}

// hire adds a process.
func (c *crew) hire(rng *rand.Rand) *worker {
	w := &worker{crew: c, rng: rng}
	c.workers = append(c.workers, w)
	w.start()
	return w
}

// start is a new process. Its store may fail at first.
func (w *worker) start() {
	c := w.crew
	for {
		g := &gate{dead: make(chan struct{}), over: c.over}
		journal := &gated{
			journal: c.journal(), gate: g, rng: rand.New(rand.NewPCG(w.rng.Uint64(), 1)),
			calm: c.ledger.isCalm,
		}
		p, err := c.make(&node{ledger: c.ledger, gate: g}, journal)
		if err == nil {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.payer, w.gate = p, g
			return
		}
		time.Sleep(time.Second)
	}
}

// now returns the process of the moment.
func (w *worker) now() (payer, *gate) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.payer, w.gate
}

// replace kills the process in the middle of whatever it does, or closes its wallet.
// Another takes its place after a while.
func (w *worker) replace(kill bool, after time.Duration) {
	p, g := w.now()
	if kill {
		w.crew.history.count("killed")
		close(g.dead)
	} else {
		w.crew.history.count("closed")
		g.closing.Store(true)
		_ = p.Close()
	}
	w.crew.ledger.mu.Lock()
	w.crew.retired = append(w.crew.retired, p)
	w.crew.ledger.mu.Unlock()
	time.Sleep(after)
	w.start()
}

// end lets everything go that the run has kept, and closes all wallets.
func (c *crew) end() {
	close(c.over)
	for _, w := range c.workers {
		p, g := w.now()
		select {
		case <-g.dead:
		default:
			close(g.dead)
		}
		c.retired = append(c.retired, p)
	}
	for _, p := range c.retired {
		_ = p.Close()
	}
}
