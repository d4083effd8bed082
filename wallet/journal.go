package wallet

import (
	"context"
	"errors"
	"fmt"
	"iter"
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
	// Signatures selects those with a step that has one of them as its Own or its
	// Signature, if there are any. A journal that is asked for much keeps an index.
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

// fenced is the error of a Store that came too late.
func fenced(key string, now, was uint64) error {
	return fmt.Errorf("%w: key %q is at version %d, not %d", ErrFenced, key, now, was)
}

// newerSchema is the error of what a newer version wrote.
func newerSchema(schema int) error {
	return fmt.Errorf("%w: schema %d, this one knows %d", ErrNewerJournal, schema, Schema)
}
