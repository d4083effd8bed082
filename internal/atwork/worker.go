// Package atwork counts who works by a clock that stops meanwhile, such as a
// sandbox's. A context carries the worker. What waits for the clock, or for another
// worker, says so with a [Wait], and whoever ends the wait ends the Wait first: the clock
// cannot move before the worker goes on.
package atwork

import (
	"context"
	"sync"
)

// Clock is a clock that stops while somebody works.
type Clock interface {
	// Work counts so many more, or less, who do what.
	Work(what string, more int)
}

// Joined names the goroutines that a program started with walletfi.Go.
const Joined = "a goroutine"

// Worker is one who works, and waits now and then. A nil Worker has no such clock.
// Goroutines that share a Worker count as waiting as soon as one of them waits.
type Worker struct {
	clock Clock
	what  string

	mu    sync.Mutex
	waits int
	ended bool
}

// key finds the worker in a context.
type key struct{}

// Begin returns a context with a new worker, who works until End. The worker is nil if
// clock does not count any.
func Begin(ctx context.Context, clock any, what string) (context.Context, *Worker) {
	c, ok := clock.(Clock)
	if !ok {
		return ctx, nil
	}
	c.Work(what, 1)
	w := &Worker{clock: c, what: what}
	return context.WithValue(ctx, key{}, w), w
}

// Enter has ctx's worker do what, and begins one if ctx has none who works. Call end when
// it is done.
func Enter(ctx context.Context, clock any, what string) (_ context.Context, end func()) {
	if w := of(ctx); w != nil && w.works() {
		return ctx, func() {}
	}
	ctx, w := Begin(ctx, clock, what)
	return ctx, w.End
}

// Keep returns to with the worker of from, or without one.
func Keep(to, from context.Context) context.Context {
	if w := of(from); w != of(to) {
		return context.WithValue(to, key{}, w)
	}
	return to
}

// Same reports whether both contexts have the same worker, or none.
func Same(a, b context.Context) bool { return of(a) == of(b) }

func of(ctx context.Context) *Worker {
	w, _ := ctx.Value(key{}).(*Worker)
	return w
}

func (w *Worker) works() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.waits == 0 && !w.ended
}

// End says that w does nothing more.
func (w *Worker) End() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waits == 0 && !w.ended {
		w.clock.Work(w.what, -1)
	}
	w.ended = true
}

// wait counts one wait more, or less.
func (w *Worker) wait(more int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.waits
	w.waits += more
	switch {
	case w.ended || before > 0 && w.waits > 0:
	case w.waits > 0:
		w.clock.Work(w.what, -1)
	default:
		w.clock.Work(w.what, 1)
	}
}
