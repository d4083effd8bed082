package wallet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/entryfile"
	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// FileJournal is a Journal in files, for one process on one machine. Every entry is on
// disk before Store returns, and before Load and List show it: they wait for a write of it
// that is under way. A List may leave out an entry because of a change that is not on disk
// yet. Open entries are in memory; of a settled one only an index is, 8 bytes for its key,
// its intent, each signature and each hash.
//
// Next to the path that it is opened with are path.lock and path.head, which says how much
// was written. They belong together: move and copy them together, while the journal is
// closed. Links to path are the same journal; it must not be opened by two hard links after
// one another. The file is rewritten when it has grown, while Store goes on.
//
// A file that a crash cut short is mended when it is opened. What else is seen, and what
// not:
//
//   - Each frame has the hash of the one before it. Frames of path that were cut out,
//     changed, swapped, repeated or put in are ErrJournalDamaged when it is opened.
//   - Settled entries are not read when it is opened, only their index is. One that was
//     changed, moved or overwritten is ErrJournalDamaged when it is read, and nothing is
//     paid under its key. VerifyFileJournal reads them all.
//   - An older copy of path, a path that is gone or was emptied, and another journal in
//     its place are ErrJournalRolledBack, because path.head knows better. If it is removed,
//     the journal is taken as it is. After a power cut it may know the last entries
//     written before not: a copy that lacks only those is not seen.
//   - An older path and an older path.head put back together, a copy on another machine,
//     and files that somebody hashed again are not seen. A payment that such a copy lacks
//     would be made again.
type FileJournal struct {
	leases
	store *entryfile.Store
}

var (
	// ErrJournalInUse means that another process has the file open, or this one twice.
	ErrJournalInUse = framelog.ErrLocked
	// ErrJournalDamaged means that a file does not hold what was written to it.
	ErrJournalDamaged = framelog.ErrCorrupt
	// ErrJournalRolledBack means that the file lacks entries that were written to it: an
	// older copy or another journal is in its place, or its end is gone. Put the newest
	// copy back. To go on without them all the same, remove the file with the suffix
	// .head: payments that were made since could then be made again.
	ErrJournalRolledBack = framelog.ErrRolledBack
)

const journalTitle = "walletfi journal "

// OpenFileJournal opens or creates the journal at path. The folder must exist. One of
// schema 1 is stepped up, for which all of it is read; the old file stays as path.schema1.
// Close it after the wallet that uses it.
func OpenFileJournal(path string) (*FileJournal, error) {
	return openFileJournal(framelog.Config{Path: path})
}

func openFileJournal(files framelog.Config) (*FileJournal, error) {
	if files.Path == "" {
		return nil, &walletfi.ValidationError{Field: "path", Problem: "is required"}
	}
	store, err := entryfile.Open(journalConfig(files))
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", files.Path, err)
	}
	return &FileJournal{store: store}, nil
}

func journalConfig(files framelog.Config) entryfile.Config {
	files.Header, files.Accept = journalTitle+strconv.Itoa(Schema), acceptJournal
	return entryfile.Config{Config: files, Parse: parseEntry}
}

func acceptJournal(header string) (old string, err error) {
	text, ok := strings.CutPrefix(header, journalTitle)
	schema, err := strconv.Atoi(text)
	switch {
	case !ok || err != nil || schema < 1:
		return "", fmt.Errorf("%w: the file begins with %q", ErrJournalDamaged, header)
	case schema > Schema:
		return "", newerSchema(schema)
	case schema == 1:
		return ".schema1", nil
	}
	return "", nil
}

// parseEntry reads an entry of the file. Its text is kept as it is, with members that a
// newer version of this package wrote.
func parseEntry(text []byte) (*entryfile.Record, error) {
	var e Entry
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrJournalDamaged, err)
	}
	if e.Schema > Schema {
		return nil, newerSchema(e.Schema)
	}
	return recordOf(e, text), nil
}

// recordOf is how an entry is kept. Its names are those of Query.
func recordOf(e Entry, text []byte) *entryfile.Record {
	names := []string{intentName + e.Intent}
	for name := range e.names() {
		names = append(names, signatureName+name)
	}
	return &entryfile.Record{
		Key: e.Key, Version: e.Version, Open: !e.State.Settled(), Gone: e.Droppable(), Since: e.Since,
		Hashes: entryfile.Hashes(e.Key, names...), Text: text, Value: e,
	}
}

// entryOf returns a copy of what was kept.
func entryOf(r *entryfile.Record) (e Entry, err error) {
	if open, ok := r.Value.(Entry); ok {
		return open.clone(), nil
	}
	return e, json.Unmarshal(r.Text, &e)
}

const intentName, signatureName = "i", "s"

// Load implements Journal.
func (j *FileJournal) Load(_ context.Context, key string) (Entry, error) {
	r, err := j.store.Get(key)
	if r == nil || err != nil {
		return Entry{}, err
	}
	return entryOf(r)
}

// Store implements Journal. After a failed write the journal takes nothing more
// until it is opened again, because what the disk holds is not known.
func (j *FileJournal) Store(_ context.Context, was uint64, e Entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	now, err := j.store.Put(was, recordOf(e.clone(), text))
	if err == nil && now != was {
		err = fenced(e.Key, now, was)
	}
	return err
}

// List implements Journal. Settled entries are read one after another.
func (j *FileJournal) List(_ context.Context, q Query) iter.Seq2[Entry, error] {
	var names []string
	if q.Intent != "" {
		names = []string{intentName + q.Intent}
	}
	if len(q.Signatures) > 0 {
		names = []string{}
	}
	for _, signature := range q.Signatures {
		names = append(names, signatureName+signature)
	}
	return func(yield func(Entry, error) bool) {
		for r, err := range j.store.List(q.Open, names) {
			var e Entry
			if err == nil {
				e, err = entryOf(r)
			}
			if (err != nil || q.Selects(e)) && (!yield(e, err) || err != nil) {
				return
			}
		}
	}
}

// Prune drops the settled entries that were last claimed before a time, and writes the
// files, while others write. Their keys can be used again and would pay again: prune
// what no caller will ask for any more. An order that the service still has to fill stays.
// Once it has begun it does not end early: ctx counts before.
func (j *FileJournal) Prune(ctx context.Context, before time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return j.store.Prune(func(r *entryfile.Record) bool {
		e, err := entryOf(r)
		return err == nil && e.Prunable(before)
	})
}

// Close releases the files.
func (j *FileJournal) Close() error { return j.store.Close() }

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

// JournalCheck is the result of VerifyFileJournal.
type JournalCheck struct {
	Schema  int   `json:"schema"`  // 1 has no hashes: what was cut out of it is not seen
	Entries int   `json:"entries"` // as they are now
	Open    int   `json:"open"`    // of them, not settled
	Frames  int   `json:"frames"`  // of the file; one may have several versions of entries, or an index
	Bytes   int64 `json:"bytes"`
	// Torn is the bytes at the end that a crash cut short. Opening the journal drops them.
	// If it is open, they are being written.
	Torn   int64          `json:"torn,omitempty"`
	Damage *JournalDamage `json:"damage,omitempty"` // the first, nil if there is none
}

// JournalDamage says where a file does not hold what was written to it.
type JournalDamage struct {
	File    string `json:"file"`
	At      int64  `json:"at"`      // the byte at which the frame begins
	Problem string `json:"problem"` // and what it means
}

// VerifyFileJournal reads all of a journal and changes nothing. It holds every frame
// against its checksum and the hash in the next, the settled entries against their index,
// and the whole against path.head. A process may have it open. Its errors are those of
// OpenFileJournal; of ErrJournalDamaged the check says where.
func VerifyFileJournal(path string) (JournalCheck, error) {
	found, err := entryfile.Verify(journalConfig(framelog.Config{Path: path}))
	check := JournalCheck{Schema, found.Records, found.Open, int(found.Frames), found.Size, found.Torn, nil}
	if found.Old {
		check.Schema = 1
	}
	var damage *framelog.DamageError
	if errors.As(err, &damage) {
		check.Damage = &JournalDamage{damage.File, damage.At, damage.Problem}
	}
	if err != nil {
		err = fmt.Errorf("journal %s: %w", path, err)
	}
	return check, err
}

var (
	_ Journal = (*MemoryJournal)(nil)
	_ Journal = (*FileJournal)(nil)
)
