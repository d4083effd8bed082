package wallet

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// FileJournal is a Journal in a file, for one process on one machine. Every
// entry is on disk before Store returns. A file that a crash cut short is
// mended when it is opened; any other damage is an error. All entries are in
// memory too, the settled ones without their transactions. Links to the file are
// the same file; it must not be opened by two hard links after one another.
type FileJournal struct {
	table
	log *framelog.Log
}

// ErrJournalInUse means that another process has the file open, or this one
// twice.
var ErrJournalInUse = framelog.ErrLocked

// ErrJournalDamaged means that the file does not hold what was written to it.
var ErrJournalDamaged = framelog.ErrCorrupt

const journalTitle = "walletfi journal "

// OpenFileJournal opens or creates the journal at path. The folder must exist.
// Close it after the wallet that uses it.
func OpenFileJournal(path string) (*FileJournal, error) {
	if path == "" {
		return nil, &walletfi.ValidationError{Field: "path", Problem: "is required"}
	}
	j := &FileJournal{}
	log, err := framelog.Open(framelog.Config{
		Path: path, Header: journalTitle + strconv.Itoa(Schema),
		Accept: acceptJournal, Replay: j.replay, Snapshot: j.snapshot,
	})
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	j.log = log
	return j, nil
}

func acceptJournal(header string) error {
	text, ok := strings.CutPrefix(header, journalTitle)
	schema, err := strconv.Atoi(text)
	switch {
	case !ok || err != nil || schema < 1:
		return fmt.Errorf("%w: the file begins with %q", ErrJournalDamaged, header)
	case schema > Schema:
		return fmt.Errorf("%w: schema %d, this one knows %d", ErrNewerJournal, schema, Schema)
	}
	return nil
}

// replay puts one entry of the file into the table.
func (j *FileJournal) replay(payload []byte) error {
	var e Entry
	if err := json.Unmarshal(payload, &e); err != nil {
		return fmt.Errorf("%w: %w", ErrJournalDamaged, err)
	}
	if e.Schema > Schema {
		return fmt.Errorf("%w: schema %d, this one knows %d", ErrNewerJournal, e.Schema, Schema)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.put(j.entries[e.Key].Version, e)
}

func (j *FileJournal) snapshot(add func([]byte) error) error {
	for e, err := range j.List(context.Background(), Query{}) {
		if err != nil {
			return err
		}
		payload, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if err := add(payload); err != nil {
			return err
		}
	}
	return nil
}

// Store implements Journal. After a failed write the journal takes nothing more
// until it is opened again, because what the disk holds is not known.
func (j *FileJournal) Store(_ context.Context, was uint64, e Entry) error {
	payload, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.mu.Lock()
	err = j.put(was, e)
	var written func() error
	if err == nil {
		// Queued under the lock, so that the file has a key's versions in order.
		written, err = j.log.Queue(payload)
	}
	j.mu.Unlock()
	if err != nil {
		return err
	}
	return written()
}

// Prune drops the settled entries that were last claimed before a time, and writes the
// file anew. Their keys can be used again and would pay again: prune what no caller will
// ask for any more. An order that the service still has to fill stays.
func (j *FileJournal) Prune(before time.Time) error {
	j.mu.Lock()
	j.prune(before)
	j.mu.Unlock()
	return j.log.Compact()
}

// Close releases the file.
func (j *FileJournal) Close() error { return j.log.Close() }

var (
	_ Journal = (*MemoryJournal)(nil)
	_ Journal = (*FileJournal)(nil)
)
