package linear

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/wallet"
)

// errDied is the answer of a process that died before it answered. What it was asked
// for has happened before the process is started again, or never will.
var errDied = errors.New("the process died")

// fleet is the processes that use one store.
type fleet struct {
	processes []*process
	// crash kills a process in the middle of its calls and starts it again. Nil
	// says that the journal does not outlive its process.
	crash func(i int)
	// alone says that the journal is of one process, so that the leases may end
	// with it.
	alone bool
}

// process is a process's journal, as long as it lives, and then the next one's.
type process struct {
	mu      sync.RWMutex
	journal wallet.Journal
}

// get returns the journal, and waits for one that is being opened again.
func (p *process) get() wallet.Journal {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.journal
}

// restart replaces the journal by the next process's. Calls wait meanwhile.
func (p *process) restart(next func() wallet.Journal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.journal = next()
}

// subject is a kind of journal under judgement.
type subject struct {
	name string
	// start makes a new and empty store.
	start func(t *testing.T, seed uint64) *fleet
	// needs lists what must have happened in the end, beyond what every journal must
	// have shown.
	needs []string
}

// sharing is a fleet of which all processes share one journal value.
func sharing(n int, journal func(i int) wallet.Journal) *fleet {
	f := &fleet{}
	for i := range n {
		f.processes = append(f.processes, &process{journal: journal(i)})
	}
	return f
}

// mortal is a journal whose answers are lost once the process has died.
type mortal struct {
	wallet.Journal
	mu   sync.Mutex
	dead bool
}

// answer is err, or errDied if nobody is there any more to hear it.
func (m *mortal) answer(err error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return errDied
	}
	return err
}

func (m *mortal) Load(ctx context.Context, key string) (wallet.Entry, error) {
	e, err := m.Journal.Load(ctx, key)
	return e, m.answer(err)
}

func (m *mortal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	return m.answer(m.Journal.Store(ctx, was, e))
}

func (m *mortal) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(yield func(wallet.Entry, error) bool) {
		for e, err := range m.Journal.List(ctx, q) {
			if !yield(e, m.answer(err)) {
				return
			}
		}
		if err := m.answer(nil); err != nil {
			yield(wallet.Entry{}, err)
		}
	}
}

func (m *mortal) Renew(ctx context.Context, holder string, lease time.Duration) error {
	return m.answer(m.Journal.Renew(ctx, holder, lease))
}

func (m *mortal) Alive(ctx context.Context, holder string) (bool, error) {
	alive, err := m.Journal.Alive(ctx, holder)
	return alive, m.answer(err)
}
