package linear

import (
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"
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
