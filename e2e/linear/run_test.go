package linear

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// clientsEach is how many goroutines each process has.
const clientsEach = 2

// runJournal lets the processes of a new store work on the same keys at once, and
// returns what they saw.
func runJournal(t *testing.T, s subject, seed uint64, ops int) *history {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	f, w, h := s.start(t, seed), newWorld(rng), newHistory()
	var done atomic.Int64
	var wg sync.WaitGroup
	all := int64(len(f.processes) * clientsEach * ops)
	crashes := newCrashes(f, w, h, rng, all)
	for i := range len(f.processes) * clientsEach {
		c := &client{
			id: i, rng: rand.New(rand.NewPCG(seed, uint64(100+i))), process: f.processes[i/clientsEach],
			world: w, history: h, last: map[string]uint64{}, hurried: 1,
			before: func() { crashes.reached(done.Add(1)) },
		}
		wg.Go(func() {
			for _, trouble := range c.run(ops) {
				t.Errorf("%s, seed %d: %s", s.name, seed, trouble.text)
			}
		})
	}
	wg.Wait()
	crashes.wg.Wait()
	return h
}

// crashes kill processes when so many operations are begun, while others run.
type crashes struct {
	at map[int64]func()
	wg sync.WaitGroup
}

func newCrashes(f *fleet, w *world, h *history, rng *rand.Rand, all int64) *crashes {
	c := &crashes{at: map[int64]func(){}}
	if f.crash == nil {
		return c
	}
	for n := range int64(2) {
		victim := rng.IntN(len(f.processes))
		c.at[all*(n+1)/3] = func() {
			from := h.now()
			f.crash(victim)
			h.count("crash")
			if f.alone {
				recordCrash(w, h, len(f.processes)*clientsEach, from)
			}
		}
	}
	return c
}

// recordCrash tells each key and each holder of the end of a journal that had one
// process only.
func recordCrash(w *world, h *history, client int, from int64) {
	til := h.now()
	for _, key := range w.keys {
		in := keyInput{call: callCrash}
		h.add("key "+key, porcupine.Operation{ClientId: client, Input: in, Output: keyOutput{}, Call: from, Return: til})
	}
	for _, holder := range w.holders {
		in := leaseInput{call: callRestart, from: from, til: til}
		h.add("holder "+holder, porcupine.Operation{
			ClientId: client, Input: in, Output: leaseOutput{}, Call: from, Return: til,
		})
	}
}

func (c *crashes) reached(n int64) {
	if crash := c.at[n]; crash != nil {
		c.wg.Go(crash)
	}
}

// journalModel is the model of a part of a journal's history.
func journalModel(part string) porcupine.Model {
	if strings.HasPrefix(part, "holder ") {
		return leaseModel()
	}
	return keyModel()
}

// payRun is how the wallets of a run are made.
type payRun struct {
	name string
	// payers makes what the processes of one run pay with.
	payers func() newPayer
	// open makes a new and empty store, and returns what opens it for a process.
	open  func(t *testing.T) func() wallet.Journal
	times int      // how many runs it makes for two of a journal
	needs []string // what must have happened in the end
}

const (
	workers  = 3
	payments = 4
)

// histories lets the processes pay under the same keys, in simulated time, and
// returns what happened to each key.
func (r payRun) histories(t *testing.T, seed uint64) *history {
	t.Helper()
	h := newHistory()
	h.clock = h.tick // at one moment of simulated time many things happen in an order
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(seed, 4))
		c := &crew{
			ledger: newLedger(h, rand.New(rand.NewPCG(seed, 5))), history: h, make: r.payers(),
			journal: r.open(t), over: make(chan struct{}),
		}
		for range workers {
			c.hire(rand.New(rand.NewPCG(rng.Uint64(), 6)))
		}
		pays := r.work(c, rng)
		r.calm(c, rng, pays)
		c.end()
		time.Sleep(2 * time.Minute) // what was sent before can be executed for a minute
	})
	settleHistory(h)
	return h
}

// work runs the clients, and kills and closes processes meanwhile.
func (r payRun) work(c *crew, rng *rand.Rand) (pays []*payment) {
	var wg sync.WaitGroup
	id := ledgerClient
	for i := range payments {
		p := &payment{key: fmt.Sprintf("payment-%d", i), size: 1 + i%setSize, recipient: signing.PublicKey{1, byte(i), 9}}
		pays = append(pays, p)
		for _, w := range c.workers {
			id++
			client := &payClient{id: id, rng: rand.New(rand.NewPCG(rng.Uint64(), 7)), worker: w, payment: p}
			wg.Go(func() { client.run(max(2, *opsFlag/6)) })
		}
	}
	for _, w := range c.workers {
		own := rand.New(rand.NewPCG(rng.Uint64(), 10))
		wg.Go(func() {
			for range 1 + *opsFlag/40 {
				time.Sleep(time.Duration(1+own.IntN(90)) * time.Second)
				w.replace(own.IntN(3) > 0, time.Duration(own.IntN(10_000))*time.Millisecond)
			}
		})
	}
	wg.Wait()
	return pays
}

// calm is the end of all faults. Every key is executed once more: what is answered then
// must hold for what the ledger still does.
func (r payRun) calm(c *crew, rng *rand.Rand, pays []*payment) {
	c.ledger.mu.Lock()
	c.ledger.calm = true
	c.ledger.mu.Unlock()
	w := c.hire(rand.New(rand.NewPCG(rng.Uint64(), 8)))
	for i, p := range pays {
		client := &payClient{id: 1000 + i, rng: rng, worker: w, payment: p}
		out := client.execute(c.ledger.build(p), 10*time.Minute)
		c.history.count(fmt.Sprintf("in the end %s", out.answer))
		client.outcome()
	}
}
