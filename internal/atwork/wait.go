package atwork

import (
	"context"
	"sync"
)

// Wait is one wait of a worker. A nil Wait counts no worker.
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

// Alone has what ctx's worker does until back count by itself, also while others who share
// the worker wait.
func Alone(ctx context.Context) (back func()) {
	w, wait := of(ctx), For(ctx)
	if w == nil {
		return func() {}
	}
	w.clock.Work(w.what, 1)
	wait.Begin()
	return func() {
		wait.End()
		w.clock.Work(w.what, -1)
	}
}

// Bell wakes one goroutine at a time. A ring that nobody waits for is heard by the next
// who does. The zero value is ready for use.
type Bell struct {
	mu   sync.Mutex
	rung bool
	at   *place // who waits, nil if none does
}

// Ring wakes who waits.
func (b *Bell) Ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.at == nil {
		b.rung = true
		return
	}
	b.at.pass()
	b.at = nil
}

// Wait waits for a ring. It returns false if until is closed first.
func (b *Bell) Wait(ctx context.Context, until <-chan struct{}) bool {
	b.mu.Lock()
	if b.rung {
		b.rung = false
		b.mu.Unlock()
		return true
	}
	p := newPlace(ctx)
	b.at = p
	b.mu.Unlock()
	defer p.wait.End()
	select {
	case <-p.turn:
		return true
	case <-until:
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	rung := b.at != p // meanwhile
	if !rung {
		b.at = nil
	}
	return rung
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
