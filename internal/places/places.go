// Package places bounds how many things of a kind go on at once for one host, however
// many clients of the process do them: requests, renewals of tokens.
package places

import (
	"container/list"
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
	"weak"
)

// ErrFull says that no place came free in time.
var ErrFull = errors.New("no place came free in time")

// Hosts has a Room for each host. A room that nobody uses any more is forgotten.
type Hosts struct {
	most int

	mu    sync.Mutex
	rooms map[string]weak.Pointer[Room]
}

// New returns rooms of so many places each.
func New(most int) *Hosts { return &Hosts{most: most, rooms: map[string]weak.Pointer[Room]{}} }

// Room returns the room of a host, the same for all who ask while one of them has it.
func (h *Hosts) Room(host string) *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.rooms[host].Value(); r != nil {
		return r
	}
	r := &Room{free: h.most}
	h.rooms[host] = weak.Make(r)
	runtime.AddCleanup(r, h.forget, host)
	return r
}

func (h *Hosts) forget(host string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rooms[host].Value() == nil {
		delete(h.rooms, host)
	}
}

// Room has places. They go to those who came first, the urgent before the others.
type Room struct {
	mu      sync.Mutex
	free    int
	waiting [2]list.List // of *waiter: the urgent, the others
}

// waiter waits for a place. start is called once, under the lock, when it has one.
type waiter struct {
	start func()
	in    *list.List
	at    *list.Element // nil once it no longer waits
}

// Enter waits for a place, no longer than ctx and wait allow; 0 or less means as long
// as ctx allows. If it returns nil, Leave must be called once.
func (r *Room) Enter(ctx context.Context, urgent bool, wait time.Duration) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.enterNow() {
		return nil
	}
	ready := make(chan struct{})
	w := r.await(urgent, func() { close(ready) })
	var late <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		late = timer.C
	}
	err := ErrFull
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-late:
	}
	if !r.giveUp(w) {
		r.Leave() // it came in the same moment
	}
	return err
}

// Start runs f in a goroutine of its own: with true as soon as there is a place, which
// f leaves, or with false if there is none after wait. Until then there is no goroutine.
func (r *Room) Start(wait time.Duration, f func(placed bool)) {
	if r.enterNow() {
		go f(true)
		return
	}
	var late *time.Timer
	hasTimer := make(chan struct{})
	w := r.await(false, func() {
		go func() {
			<-hasTimer
			late.Stop()
			f(true)
		}()
	})
	late = time.AfterFunc(wait, func() {
		if r.giveUp(w) {
			f(false)
		}
	})
	close(hasTimer)
}

// Leave gives a place back.
func (r *Room) Leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free++
	r.serve()
}

// Waiting is how many wait.
func (r *Room) Waiting() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting[0].Len() + r.waiting[1].Len()
}

// enterNow takes a place if one is free. Nobody waits while one is.
func (r *Room) enterNow() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.free == 0 {
		return false
	}
	r.free--
	return true
}

func (r *Room) await(urgent bool, start func()) *waiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := &waiter{start: start, in: &r.waiting[1]}
	if urgent {
		w.in = &r.waiting[0]
	}
	w.at = w.in.PushBack(w)
	r.serve() // a place may have come free since enterNow
	return w
}

// giveUp ends a wait. It returns false if w has a place.
func (r *Room) giveUp(w *waiter) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.at == nil {
		return false
	}
	w.in.Remove(w.at)
	w.at = nil
	return true
}

// serve gives free places to those who wait.
func (r *Room) serve() {
	for i := range r.waiting {
		for in := &r.waiting[i]; r.free > 0 && in.Len() > 0; {
			w := in.Remove(in.Front()).(*waiter)
			w.at = nil
			r.free--
			w.start()
		}
	}
}
