package webhooks

import (
	"math"
	"sync"
)

// unfinished remembers deliveries that are not committed. It keeps only the latest:
// the service repeats a delivery within hours.
type unfinished struct {
	mu    sync.Mutex
	of    map[string]progress
	steps uint64
}

// progress is the state of a delivery.
type progress struct {
	failures int
	handled  bool   // by the handler or the dead-letter function
	step     uint64 // of its last change
}

// maxUnfinished is how many deliveries are remembered.
const maxUnfinished = 10_000

// failed counts a failure and returns the count.
func (u *unfinished) failed(key string) int {
	return u.change(key, func(p *progress) { p.failures++ }).failures
}

// handled notes that only the commit remains.
func (u *unfinished) handled(key string) {
	u.change(key, func(p *progress) { p.handled = true })
}

func (u *unfinished) isHandled(key string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.of[key].handled
}

func (u *unfinished) forget(key string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.of, key)
}

func (u *unfinished) change(key string, change func(*progress)) progress {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of == nil {
		u.of = map[string]progress{}
	}
	if _, known := u.of[key]; !known && len(u.of) >= maxUnfinished {
		u.dropOldest()
	}
	u.steps++
	p := u.of[key]
	p.step = u.steps
	change(&p)
	u.of[key] = p
	return p
}

func (u *unfinished) dropOldest() {
	oldest, step := "", uint64(math.MaxUint64)
	for key, p := range u.of {
		if p.step < step {
			oldest, step = key, p.step
		}
	}
	delete(u.of, oldest)
}

func (u *unfinished) failures(key string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.of[key].failures
}
