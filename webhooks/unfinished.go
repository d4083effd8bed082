package webhooks

import (
	"math"
	"sync"
)

// unfinished is what is known in memory of deliveries that are not committed.
// It keeps the latest only: what fails is delivered again within hours.
type unfinished struct {
	mu    sync.Mutex
	of    map[string]progress
	steps uint64
}

// progress is how far a delivery came.
type progress struct {
	failures int
	handled  bool   // or buried, and not yet committed
	step     uint64 // when something happened to it last
}

// maxUnfinished bounds how many deliveries are kept at a time.
const maxUnfinished = 10_000

// failed adds a failure and returns how many there are.
func (u *unfinished) failed(key string) int {
	return u.change(key, func(p *progress) { p.failures++ }).failures
}

// handled notes that only the commit is missing.
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
