// Package running counts goroutines that a Close waits for.
package running

import "sync"

// Group is a sync.WaitGroup in which a goroutine may be started at any time, also
// while another one waits and none runs: a sync.WaitGroup forbids that, and what
// starts a goroutine seldom knows whether somebody is closing. The zero value is
// ready for use.
type Group struct {
	mu   sync.Mutex
	n    int
	none *sync.Cond
}

// Go runs f in a goroutine that Wait waits for.
func (g *Group) Go(f func()) {
	g.Add()
	go func() {
		defer g.Done()
		f()
	}()
}

// Add counts one more, which ends with Done.
func (g *Group) Add() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++
}

// Done counts one less. It panics without an Add before it.
func (g *Group) Done() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n == 0 {
		panic("running: Done without Add")
	}
	if g.n--; g.n == 0 && g.none != nil {
		g.none.Broadcast()
	}
}

// Wait returns as soon as none runs. What is started later is not waited for.
func (g *Group) Wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.none == nil {
		g.none = sync.NewCond(&g.mu)
	}
	for g.n > 0 {
		g.none.Wait()
	}
}
