package wallet

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"
)

// MemoryJournal is a Journal that ends with the process. Wallets of one process
// may share it. It keeps what each key has paid, about 2 KB a key and without the
// transactions, so that no key pays twice: see [MemoryJournal.Prune].
type MemoryJournal struct{ table }

// NewMemoryJournal returns an empty journal.
func NewMemoryJournal() *MemoryJournal { return &MemoryJournal{} }

// Store implements Journal. An entry that is Droppable is dropped.
func (j *MemoryJournal) Store(_ context.Context, was uint64, e Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.put(was, e)
}

// Prune drops the settled entries that were last claimed before a time. Their keys can
// be used again and would pay again: see [FileJournal.Prune].
func (j *MemoryJournal) Prune(before time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.prune(before)
}

// table holds the entries. Its zero value is empty. What a payment asks of it, the open
// entries and those of a signature, takes no longer for all that was settled before: both
// have an index.
type table struct {
	leases
	mu      sync.Mutex
	entries map[string]Entry
	open    map[string]struct{} // keys that are not settled
	signed  map[string][]string // keys by the signatures of their steps
}

// put is called with the lock held.
func (t *table) put(was uint64, e Entry) error {
	if now := t.entries[e.Key].Version; now != was {
		return fmt.Errorf("%w: key %q is at version %d, not %d", ErrFenced, e.Key, now, was)
	}
	t.remove(e.Key)
	if e.Droppable() {
		return nil
	}
	if t.entries == nil {
		t.entries, t.open, t.signed = map[string]Entry{}, map[string]struct{}{}, map[string][]string{}
	}
	t.entries[e.Key] = e.clone()
	if !e.State.Settled() {
		t.open[e.Key] = struct{}{}
	}
	for signature := range e.signatures() {
		t.signed[signature] = append(t.signed[signature], e.Key)
	}
	return nil
}

// remove is called with the lock held.
func (t *table) remove(key string) {
	e, ok := t.entries[key]
	if !ok {
		return
	}
	delete(t.entries, key)
	delete(t.open, key)
	for signature := range e.signatures() {
		of := slices.DeleteFunc(t.signed[signature], func(other string) bool { return other == key })
		if t.signed[signature] = of; len(of) == 0 {
			delete(t.signed, signature)
		}
	}
}

// prune is called with the lock held.
func (t *table) prune(before time.Time) {
	for key, e := range t.entries {
		if e.Prunable(before) {
			t.remove(key)
		}
	}
}

// Load implements Journal.
func (t *table) Load(_ context.Context, key string) (Entry, error) { return t.entry(key), nil }

func (t *table) entry(key string) Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.entries[key].clone()
}

// List implements Journal.
func (t *table) List(_ context.Context, q Query) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, key := range t.selected(q) {
			e := t.entry(key)
			if e.Version == 0 || !q.Selects(e) {
				continue // it changed meanwhile
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// selected returns the keys of a list, in its order.
func (t *table) selected(q Query) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	keys := slices.DeleteFunc(t.candidates(q), func(key string) bool { return !q.Selects(t.entries[key]) })
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(t.entries[a].Since.Compare(t.entries[b].Since), cmp.Compare(a, b))
	})
	return slices.Compact(keys)
}

// candidates are the keys that have to be looked at for a list, some of them twice. The
// lock is held.
func (t *table) candidates(q Query) (keys []string) {
	switch {
	case len(q.Signatures) > 0:
		for _, signature := range q.Signatures {
			keys = append(keys, t.signed[signature]...)
		}
		return keys
	case q.Open:
		return slices.Collect(maps.Keys(t.open))
	}
	return slices.Collect(maps.Keys(t.entries))
}

// leases are the holders that are alive in this process. The zero value has none.
type leases struct {
	holders sync.Mutex
	alive   map[string]time.Time // holder to the end of its lease
}

// Renew implements Journal.
func (l *leases) Renew(_ context.Context, holder string, lease time.Duration) error {
	l.holders.Lock()
	defer l.holders.Unlock()
	if l.alive == nil {
		l.alive = map[string]time.Time{}
	}
	l.alive[holder] = time.Now().Add(lease)
	if lease <= 0 {
		delete(l.alive, holder)
	}
	return nil
}

// Alive implements Journal.
func (l *leases) Alive(_ context.Context, holder string) (bool, error) {
	l.holders.Lock()
	defer l.holders.Unlock()
	end, ok := l.alive[holder]
	return ok && time.Now().Before(end), nil
}
