package dialect

import (
	"crypto/sha256"
	"sync"
)

// maxRemembered is how many pages a client knows the place of.
const maxRemembered = 1024

// memory knows where the deployment has pages that the documentation numbers. It
// has no words of the requests, but their hash.
type memory struct {
	mu    sync.Mutex
	known map[asked]location
	order []asked // oldest first, a ring once it is full
	next  int
}

// asked is a page of a list.
type asked struct {
	list [sha256.Size]byte
	at   int
}

// location is where a page is.
type location struct {
	cursor string
	page   int
	skip   int // records that are those of the page before
	trail  trail
}

// trail notices cursors that go round, by Brent's method: it keeps one of them, and
// another after 1, 2, 4 and so on pages, so that the list of a vendor who repeats
// himself ends.
type trail struct {
	mark         string
	steps, power int
}

// to goes on to a cursor and reports whether it is the kept one.
func (t trail) to(cursor string) (next trail, again bool) {
	if t.power > 0 && cursor == t.mark {
		return t, true
	}
	if t.steps++; t.steps >= t.power {
		return trail{mark: cursor, power: max(1, 2*t.power)}, false
	}
	return t, false
}

func (m *memory) get(list [sha256.Size]byte, at int) (location, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l, ok := m.known[asked{list, at}]
	return l, ok
}

func (m *memory) put(list [sha256.Size]byte, at int, l location) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := asked{list, at}
	if m.known == nil {
		m.known = map[asked]location{}
	}
	if _, ok := m.known[key]; !ok {
		if len(m.order) < maxRemembered {
			m.order = append(m.order, key)
		} else {
			delete(m.known, m.order[m.next])
			m.order[m.next] = key
			m.next = (m.next + 1) % maxRemembered
		}
	}
	m.known[key] = l
}
