package wallet

import (
	"context"
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
