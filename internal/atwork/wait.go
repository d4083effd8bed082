package atwork

import (
	"context"
	"sync"
	"sync/atomic"
)

// Wait is one wait of a worker. A nil Wait is of nobody.
type Wait struct {
	worker *Worker

	mu          sync.Mutex
	begun, over bool
}

// For returns a wait of ctx's worker, which has not begun.
func For(ctx context.Context) *Wait {
	if w := of(ctx); w != nil {
		return &Wait{worker: w}
	}
	return nil
}

// Begin says that the worker waits from now on, unless the wait is over already.
func (w *Wait) Begin() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.begun && !w.over {
		w.begun = true
		w.worker.wait(1)
	}
}

// End says that the worker goes on. Whoever ends the wait calls it, and so does the
// worker, who may be interrupted: only the first call counts.
func (w *Wait) End() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.begun && !w.over {
		w.worker.wait(-1)
	}
	w.over = true
}

// Bell wakes one goroutine at a time. A ring that nobody waits for is heard by the next
// who does.
type Bell struct {
	rung chan struct{}
	wait atomic.Pointer[Wait]
}

// NewBell returns a bell that has not rung.
func NewBell() *Bell { return &Bell{rung: make(chan struct{}, 1)} }

// Ring wakes who waits.
func (b *Bell) Ring() {
	select {
	case b.rung <- struct{}{}:
	default:
	}
	b.wait.Load().End()
}

// Wait waits for a ring. It returns false if until is closed first.
func (b *Bell) Wait(ctx context.Context, until <-chan struct{}) bool {
	wait := For(ctx)
	b.wait.Store(wait)
	select {
	case <-b.rung: // before Ring knew of wait
		return true
	default:
	}
	wait.Begin()
	defer wait.End()
	select {
	case <-b.rung:
		return true
	case <-until:
		return false
	}
}

// Gate is opened once, for any number of goroutines.
type Gate struct {
	open chan struct{}

	mu    sync.Mutex
	waits []*Wait
}

// NewGate returns a gate that is closed.
func NewGate() *Gate { return &Gate{open: make(chan struct{})} }

// Open lets everybody pass.
func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.open)
	for _, w := range g.waits {
		w.End()
	}
	g.waits = nil
}

// Wait returns when g is open, or ctx's error if that ends first.
func (g *Gate) Wait(ctx context.Context) error {
	wait := For(ctx)
	if wait != nil {
		g.mu.Lock()
		select {
		case <-g.open:
		default:
			g.waits = append(g.waits, wait)
			wait.Begin()
		}
		g.mu.Unlock()
		defer wait.End()
	}
	select {
	case <-g.open:
		return nil
	case <-ctx.Done():
	}
	select {
	case <-g.open:
		return nil
	default:
		return ctx.Err()
	}
}
