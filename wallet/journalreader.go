package wallet

import (
	"context"
	"fmt"
	"iter"

	"github.com/walletfi/walletfi-go/wallet/internal/entryfile"
	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// JournalReader is a FileJournal as it was when it was opened, to be looked at.
type JournalReader struct{ journal FileJournal }

// ReadFileJournal opens a journal to be read. It changes nothing, and a process may have
// the journal open; what that one stores later is not seen. Settled entries are read from
// the file when they are asked for. Its errors are those of OpenFileJournal.
func ReadFileJournal(path string) (*JournalReader, error) {
	store, err := entryfile.Peek(journalConfig(framelog.Config{Path: path}))
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	return &JournalReader{FileJournal{store: store}}, nil
}

// Load returns the entry of a payment by its ExecuteOptions.Key or, if there is none, by
// its Entry.Key; the zero Entry if there is none.
func (r *JournalReader) Load(ctx context.Context, key string) (Entry, error) {
	e, err := r.journal.Load(ctx, callerKey+key)
	if err != nil || e.Version > 0 {
		return e, err
	}
	return r.journal.Load(ctx, key)
}

// List yields the entries that q selects, the oldest first.
func (r *JournalReader) List(ctx context.Context, q Query) iter.Seq2[Entry, error] {
	return r.journal.List(ctx, q)
}

// Close releases the file.
func (r *JournalReader) Close() error { return r.journal.Close() }
