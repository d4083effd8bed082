package webhooks

import (
	"container/list"
	"sync"
)

// unfinished remembers deliveries that are not committed. It keeps only the latest:
// the service repeats a delivery within hours.
type unfinished struct {
	mu     sync.Mutex
	of     map[string]*list.Element // of a *progress
	latest list.List                // the one that changed last at the front
}

// progress is the state of a delivery.
type progress struct {
	key      string
	failures int
	handled  bool // by the handler or the dead-letter function
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

func (u *unfinished) isHandled(key string) bool { return u.get(key).handled }

func (u *unfinished) failures(key string) int { return u.get(key).failures }

func (u *unfinished) get(key string) progress {
	u.mu.Lock()
	defer u.mu.Unlock()
	if e, known := u.of[key]; known {
		return *e.Value.(*progress)
	}
	return progress{}
}

func (u *unfinished) forget(key string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if e, known := u.of[key]; known {
		u.drop(e)
	}
}

func (u *unfinished) change(key string, change func(*progress)) progress {
	u.mu.Lock()
	defer u.mu.Unlock()
	e, known := u.of[key]
	if known {
		u.latest.MoveToFront(e)
	} else {
		if u.of == nil {
			u.of = map[string]*list.Element{}
		}
		if len(u.of) >= maxUnfinished {
			u.drop(u.latest.Back())
		}
		e = u.latest.PushFront(&progress{key: key})
		u.of[key] = e
	}
	p := e.Value.(*progress)
	change(p)
	return *p
}

func (u *unfinished) drop(e *list.Element) {
	delete(u.of, e.Value.(*progress).key)
	u.latest.Remove(e)
}
