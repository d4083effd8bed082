package atwork

import (
	"context"
	"slices"
	"sync"
)

// Lock is a mutex whose wait ends with a context. It goes to who has waited longest.
type Lock struct {
	mu    sync.Mutex
	held  bool
	queue []*place
}

// place is where one waits for a turn.
type place struct {
	wait *Wait
	turn chan struct{}
}

// newPlace begins the wait of ctx's worker.
func newPlace(ctx context.Context) *place {
	p := &place{For(ctx), make(chan struct{})}
	p.wait.Begin()
	return p
}

// pass ends the wait.
func (p *place) pass() {
	p.wait.End()
	close(p.turn)
}

// Lock takes the lock, or returns ctx's error.
func (l *Lock) Lock(ctx context.Context) error {
	l.mu.Lock()
	if !l.held {
		l.held = true
		l.mu.Unlock()
		return nil
	}
	p := newPlace(ctx)
	l.queue = append(l.queue, p)
	l.mu.Unlock()
	defer p.wait.End()
	select {
	case <-p.turn:
		return nil
	case <-ctx.Done():
		l.leave(p)
		return ctx.Err()
	}
}

// leave gives up a place, or the lock if p got it meanwhile.
func (l *Lock) leave(p *place) {
	l.mu.Lock()
	i := slices.Index(l.queue, p)
	if i >= 0 {
		l.queue = slices.Delete(l.queue, i, i+1)
	}
	l.mu.Unlock()
	if i < 0 {
		l.Unlock()
	}
}

// Unlock passes the lock on.
func (l *Lock) Unlock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 {
		l.held = false
		return
	}
	l.queue[0].pass()
	l.queue = l.queue[1:]
}
