package wallet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"
)

// Journal keeps what a wallet has signed and sent, so that nothing is paid twice
// across a crash, a restart or several processes. NewMemoryJournal and
// OpenFileJournal make one; package journaltest tests any other.
//
// It is a table of entries by key with one conditional write, and a table of
// holders with the time until which they are alive. In SQL:
//
//	UPDATE entries SET version = $new, entry = $json WHERE key = $key AND version = $was
//
// The condition makes the claim of a key atomic, and fences off a process that
// lost the key: what it stores afterwards fails with ErrFenced. All methods are
// safe for concurrent use. What Store has returned for survives a crash.
type Journal interface {
	// Load returns the entry of a key, the zero Entry if there is none.
	Load(ctx context.Context, key string) (Entry, error)
	// Store writes e under e.Key if the journal holds that key at version was,
	// where 0 means not at all. Otherwise it returns an error that answers to
	// ErrFenced and changes nothing. After any other error e may have been stored,
	// so that a write whose answer was lost must not be repeated and then called
	// fenced. e.Version is the new version.
	Store(ctx context.Context, was uint64, e Entry) error
	// List yields the entries that q selects, the oldest first.
	List(ctx context.Context, q Query) iter.Seq2[Entry, error]
	// Renew says that holder is alive for as long as lease from now, by the
	// journal's clock. A lease of 0 or less ends it.
	Renew(ctx context.Context, holder string, lease time.Duration) error
	// Alive reports whether holder's lease has not ended.
	Alive(ctx context.Context, holder string) (bool, error)
}

// Query selects entries of a Journal.
type Query struct {
	Open   bool   // only those that are not settled: see KeyState.Settled
	Intent string // only those with this Entry.Intent, if not empty
	// Signatures selects those with a step that has one of them as its Own, its Signature or
	// its Hash, if there are any. A journal that is asked for much keeps an index.
	Signatures []string
}

// Selects reports whether e is asked for.
func (q Query) Selects(e Entry) bool {
	return (!q.Open || !e.State.Settled()) && (q.Intent == "" || q.Intent == e.Intent) &&
		(len(q.Signatures) == 0 || e.has(q.Signatures))
}

var (
	// ErrFenced means that the entry is at another version: another process, or
	// another call of this one, has changed it.
	ErrFenced = errors.New("the journal holds another version of the key")
	// ErrNewerJournal means that a newer version of this package wrote the
	// journal. This one cannot tell what it may do.
	ErrNewerJournal = errors.New("the journal was written by a newer version")
)

// write stores an entry that is not changed any more, but only replaced by a changed copy: what a
// MemoryJournal has of a payment and the execution of it are one.
func (w *Wallet) write(ctx context.Context, was uint64, e Entry) error {
	if j, ok := w.journal.(*MemoryJournal); ok {
		return j.take(was, e)
	}
	return w.journal.Store(ctx, was, e)
}

// fenced is the error of a Store that came too late.
func fenced(key string, now, was uint64) error {
	return fmt.Errorf("%w: key %q is at version %d, not %d", ErrFenced, key, now, was)
}

// newerSchema is the error of what a newer version wrote.
func newerSchema(schema int) error {
	return fmt.Errorf("%w: schema %d, this one knows %d", ErrNewerJournal, schema, Schema)
}

// MemoryJournal is a Journal that ends with the process. Wallets of one process
// may share it. It keeps what each key has paid, about 2 KB a key and without the
// transactions, so that no key pays twice: see [MemoryJournal.Prune].
type MemoryJournal struct {
	leases
	mu      sync.Mutex
	entries map[string]Entry
	// What a payment asks for takes no longer for all that was settled before.
	open   map[string]struct{} // keys that are not settled
	signed map[string][]string // keys by the names of their steps
	// landed are the newest transactions of what was dropped, by their Hash, and those before: their
	// bytes pay no second time.
	landed, before map[string]struct{}
}

// maxLanded is how many transactions at least are known for longer than their key, and half of how many at
// most: more than land while a blockhash lives, at 300 a second.
const maxLanded = 1 << 15

// NewMemoryJournal returns an empty journal.
func NewMemoryJournal() *MemoryJournal { return &MemoryJournal{} }

// Store implements Journal. An entry that is Droppable is dropped.
func (j *MemoryJournal) Store(_ context.Context, was uint64, e Entry) error {
	return j.take(was, e.clone())
}

// take is Store without a copy: the caller changes nothing that e shares any more, and reads it still.
func (j *MemoryJournal) take(was uint64, e Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if now := j.entries[e.Key].Version; now != was {
		return fenced(e.Key, now, was)
	}
	j.remove(e.Key)
	if e.Droppable() {
		for _, s := range e.Steps {
			if s.State == KeyConfirmed {
				j.keep(s.Hash)
			}
		}
		return nil
	}
	if j.entries == nil {
		j.entries, j.open, j.signed = map[string]Entry{}, map[string]struct{}{}, map[string][]string{}
	}
	j.entries[e.Key] = e
	if !e.State.Settled() {
		j.open[e.Key] = struct{}{}
	}
	for name := range e.names() {
		j.signed[name] = append(j.signed[name], e.Key)
	}
	return nil
}

// Prune drops the settled entries that were last claimed before a time. Their keys can
// be used again and would pay again: see [FileJournal.Prune].
// The error is that of ctx.
func (j *MemoryJournal) Prune(ctx context.Context, before time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for key, e := range j.entries {
		if e.Prunable(before) {
			j.remove(key)
		}
	}
	return nil
}

// remove is called with the lock held.
func (j *MemoryJournal) remove(key string) {
	e, ok := j.entries[key]
	if !ok {
		return
	}
	delete(j.entries, key)
	delete(j.open, key)
	for name := range e.names() {
		of := slices.DeleteFunc(j.signed[name], func(other string) bool { return other == key })
		if j.signed[name] = of; len(of) == 0 {
			delete(j.signed, name)
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

// keep is called with the lock held.
func (j *MemoryJournal) keep(hash string) {
	if len(j.landed) == maxLanded {
		j.landed, j.before = nil, j.landed
	}
	if j.landed == nil {
		j.landed = map[string]struct{}{}
	}
	j.landed[hash] = struct{}{}
}

// hasLanded reports a transaction that was executed for a key that was dropped.
func (j *MemoryJournal) hasLanded(hash string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, newest := j.landed[hash]
	_, before := j.before[hash]
	return newest || before
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
