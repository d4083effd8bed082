package webhooks

import "sync"

// unfinished remembers deliveries that are not committed: the maxUnfinished that
// changed last, and at most as many before. The service repeats a delivery within hours.
type unfinished struct {
	mu              sync.Mutex
	latest, earlier map[string]progress // by key; latest becomes earlier when it is full
}

// progress is the state of a delivery.
type progress struct {
	failures int
	handled  bool // by the handler or the dead-letter function
}

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
	return u.known(key)
}

func (u *unfinished) known(key string) progress {
	if p, ok := u.latest[key]; ok {
		return p
	}
	return u.earlier[key]
}

func (u *unfinished) forget(key string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.latest, key)
	delete(u.earlier, key)
}

func (u *unfinished) change(key string, change func(*progress)) progress {
	u.mu.Lock()
	defer u.mu.Unlock()
	p := u.known(key)
	change(&p)
	if u.latest == nil || len(u.latest) >= maxUnfinished {
		u.latest, u.earlier = map[string]progress{}, u.latest
	}
	u.latest[key] = p
	return p
}
