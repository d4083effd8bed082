package wallet

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"
)

// MemoryJournal is a Journal that ends with the process. Wallets of one process
// may share it. It keeps what each key has paid, about 2 KB a key and without the
// transactions, so that no key pays twice: see [MemoryJournal.Prune].
type MemoryJournal struct {
	leases
	mu      sync.Mutex
	entries map[string]Entry
	// What a payment asks for takes no longer for all that was settled before.
	open   map[string]struct{} // keys that are not settled
	signed map[string][]string // keys by the signatures of their steps
	// landed are the newest transactions of what was dropped, by the owner's signatures:
	// their bytes pay no second time.
	landed []string
}

// maxLanded is how many transactions are known for longer than their key: more than land
// while a blockhash lives.
const maxLanded = 4096

// NewMemoryJournal returns an empty journal.
func NewMemoryJournal() *MemoryJournal { return &MemoryJournal{} }

// Store implements Journal. An entry that is Droppable is dropped.
func (j *MemoryJournal) Store(_ context.Context, was uint64, e Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if now := j.entries[e.Key].Version; now != was {
		return fenced(e.Key, now, was)
	}
	j.remove(e.Key)
	if e.Droppable() {
		for _, s := range e.Steps {
			if s.State == KeyConfirmed {
				j.landed = append(j.landed[max(0, len(j.landed)-maxLanded+1):], s.Own)
			}
		}
		return nil
	}
	if j.entries == nil {
		j.entries, j.open, j.signed = map[string]Entry{}, map[string]struct{}{}, map[string][]string{}
	}
	j.entries[e.Key] = e.clone()
	if !e.State.Settled() {
		j.open[e.Key] = struct{}{}
	}
	for signature := range e.signatures() {
		j.signed[signature] = append(j.signed[signature], e.Key)
	}
	return nil
}

// Prune drops the settled entries that were last claimed before a time. Their keys can
// be used again and would pay again: see [FileJournal.Prune].
func (j *MemoryJournal) Prune(before time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for key, e := range j.entries {
		if e.Prunable(before) {
			j.remove(key)
		}
	}
}

// remove is called with the lock held.
func (j *MemoryJournal) remove(key string) {
	e, ok := j.entries[key]
	if !ok {
		return
	}
	delete(j.entries, key)
	delete(j.open, key)
	for signature := range e.signatures() {
		of := slices.DeleteFunc(j.signed[signature], func(other string) bool { return other == key })
		if j.signed[signature] = of; len(of) == 0 {
			delete(j.signed, signature)
		}
	}
}

// Load implements Journal.
func (j *MemoryJournal) Load(_ context.Context, key string) (Entry, error) { return j.entry(key), nil }

func (j *MemoryJournal) entry(key string) Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.entries[key].clone()
}

// hasLanded reports a transaction that was executed for a key that was dropped.
func (j *MemoryJournal) hasLanded(own string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Contains(j.landed, own)
}

// List implements Journal.
func (j *MemoryJournal) List(_ context.Context, q Query) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, key := range j.selected(q) {
			e := j.entry(key)
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
func (j *MemoryJournal) selected(q Query) []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	keys := slices.DeleteFunc(j.candidates(q), func(key string) bool { return !q.Selects(j.entries[key]) })
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(j.entries[a].Since.Compare(j.entries[b].Since), cmp.Compare(a, b))
	})
	return slices.Compact(keys)
}

// candidates are the keys that have to be looked at for a list, some of them twice. The
// lock is held.
func (j *MemoryJournal) candidates(q Query) (keys []string) {
	switch {
	case len(q.Signatures) > 0:
		for _, signature := range q.Signatures {
			keys = append(keys, j.signed[signature]...)
		}
		return keys
	case q.Open:
		return slices.Collect(maps.Keys(j.open))
	}
	return slices.Collect(maps.Keys(j.entries))
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
