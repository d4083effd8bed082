package wallet

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"
)

// MemoryJournal is a Journal that ends with the process. Wallets of one process
// may share it.
type MemoryJournal struct{ table }

// NewMemoryJournal returns an empty journal.
func NewMemoryJournal() *MemoryJournal { return &MemoryJournal{} }

// Store implements Journal. An entry that is Droppable is dropped.
func (j *MemoryJournal) Store(_ context.Context, was uint64, e Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.put(was, e)
}

// table is the part that all journals in memory share. Its zero value is empty.
type table struct {
	mu      sync.Mutex
	entries map[string]Entry
	alive   map[string]time.Time // holder to the end of its lease
}

// put is called with the lock held.
func (t *table) put(was uint64, e Entry) error {
	if now := t.entries[e.Key].Version; now != was {
		return fmt.Errorf("%w: key %q is at version %d, not %d", ErrFenced, e.Key, now, was)
	}
	if e.Droppable() {
		delete(t.entries, e.Key)
		return nil
	}
	if t.entries == nil {
		t.entries = map[string]Entry{}
	}
	t.entries[e.Key] = e.clone()
	return nil
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

func (t *table) selected(q Query) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var keys []string
	for key, e := range t.entries {
		if q.Selects(e) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(t.entries[a].Since.Compare(t.entries[b].Since), cmp.Compare(a, b))
	})
	return keys
}

// Renew implements Journal.
func (t *table) Renew(_ context.Context, holder string, lease time.Duration) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.alive == nil {
		t.alive = map[string]time.Time{}
	}
	t.alive[holder] = time.Now().Add(lease)
	if lease <= 0 {
		delete(t.alive, holder)
	}
	return nil
}

// Alive implements Journal.
func (t *table) Alive(_ context.Context, holder string) (bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	end, ok := t.alive[holder]
	return ok && time.Now().Before(end), nil
}
