// Package entryfile keeps records by key in a file, for one process: those that are open
// in memory too, the settled ones on disk alone. A change is on disk when Put returns. The
// file is a framelog; the settled records are what its Replace keeps.
package entryfile

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// Record is the record of a key. It is not changed after Put.
type Record struct {
	Key     string
	Version uint64
	Open    bool // it is not settled, and stays in memory
	Gone    bool // nothing of it has to be kept
	Since   time.Time
	Hashes  []uint64 // what it is found by: see Hashes
	Text    []byte   // as it is on disk
	Value   any      // the caller's; nil if it is settled and in memory

	place   int64        // in the file that keeps it, 0 in memory
	written func() error // returns once it is on disk; nil if it is
}

// Config configures a Store.
type Config struct {
	framelog.Config // Base and Replay are the store's own
	// Parse reads a record's text. Its Value is the caller's.
	Parse func(text []byte) (*Record, error)
}

// Store is an open file. It is safe for concurrent use.
type Store struct {
	cfg        *Config
	log        *framelog.Log
	file       framelog.File // if it is only read; else nil
	compacting sync.Mutex
	ctx        context.Context // ends with Close
	stop       context.CancelFunc

	mu         sync.Mutex
	hot        map[string]*Record   // what is open, and what was settled since the last compaction
	named      map[uint64][]*Record // those by the hashes of their names
	settled    int                  // of hot
	limit      int                  // of settled, from which on a compaction is due
	cold       *kept
	superseded []string // keys of cold, since the last compaction began
	err        error    // why nothing more is taken
}

// Open opens or creates a file, and steps one of the old format up.
func Open(cfg Config) (*Store, error) {
	s := newStore(cfg, openKept)
	old := false
	s.cfg.Accept = func(header string) (suffix string, err error) {
		suffix, err = cfg.Accept(header)
		old = suffix != ""
		return suffix, err
	}
	var err error
	if s.log, err = framelog.Open(s.cfg.Config); err != nil || !old {
		return s, err
	}
	// What it holds is all in memory. Opened again it is not.
	if err := errors.Join(s.Prune(nil), s.Close()); err != nil {
		return nil, err
	}
	return Open(cfg)
}

// Peek opens a file as it is now, to be read with Get and List only. Another process may
// have it open, and is not disturbed.
func Peek(cfg Config) (s *Store, err error) {
	s = newStore(cfg, openKept)
	_, s.file, err = framelog.Read(s.cfg.Config)
	return s, err
}

func newStore(cfg Config, open func(framelog.Kept) (*kept, error)) *Store {
	s := &Store{cfg: &cfg, hot: map[string]*Record{}, named: map[uint64][]*Record{}, cold: &kept{}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.limited()
	cfg.Base = func(k framelog.Kept) error {
		cold, err := open(k)
		if err == nil {
			s.cold = cold
			s.limited()
		}
		return err
	}
	cfg.Replay = func(text []byte) error {
		r, err := cfg.Parse(slices.Clone(text))
		if err != nil {
			return err
		}
		old, err := s.find(r.Key)
		if err == nil {
			s.change(old, r)
		}
		return err
	}
	return s
}

// find returns the record of key, nil if there is none. The lock is held.
func (s *Store) find(key string) (*Record, error) {
	if r := s.hot[key]; r != nil {
		return r, nil
	}
	return s.cold.match(s.cfg, key, s.cold.keys.find(hashOf(key)))
}

// inMemory returns the record of key, nil if none is in memory, and what returns once it
// is on disk. The lock is held.
func (s *Store) inMemory(key string) (r *Record, written func() error) {
	r, written = s.hot[key], func() error { return nil }
	if r != nil && r.written != nil {
		written = r.written
	}
	return r, written
}

// change puts r in the place of what find returned. The lock is held.
func (s *Store) change(old, r *Record) {
	switch {
	case old == nil:
	case old.place > 0:
		s.cold.remove(old.Hashes, old.place)
		s.superseded = append(s.superseded, old.Key)
	default:
		s.forget(old)
	}
	if !r.Open {
		r.Value = nil
	}
	if !r.Gone {
		s.remember(r)
	}
}

func (s *Store) remember(r *Record) {
	if !r.Open {
		s.settled++
	}
	s.hot[r.Key] = r
	for _, hash := range r.Hashes[1:] {
		s.named[hash] = append(s.named[hash], r)
	}
}

func (s *Store) forget(r *Record) {
	if !r.Open {
		s.settled--
	}
	delete(s.hot, r.Key)
	for _, hash := range r.Hashes[1:] {
		s.named[hash] = slices.DeleteFunc(s.named[hash], func(other *Record) bool { return other == r })
		if len(s.named[hash]) == 0 {
			delete(s.named, hash)
		}
	}
}

// limited sets how many settled records may be in memory: what they take is less than 60
// bytes for each that is on disk.
func (s *Store) limited() { s.limit = max(1000, s.cold.records/24) }

// Put keeps r if its key is at version was, 0 meaning not at all. It returns the version
// that the key was at: if that differs, nothing was changed. After an error r may have
// been kept, and nothing more is until the file is opened again.
func (s *Store) Put(was uint64, r *Record) (now uint64, err error) {
	written, now, err := s.queue(was, r)
	if written == nil || err != nil {
		return now, err
	}
	if err := written(); err != nil || now != was {
		return now, err
	}
	if s.due(r) && s.compacting.TryLock() {
		go func() {
			defer s.compacting.Unlock()
			_ = s.compact(nil) // it is tried again when the file has grown
		}()
	}
	return now, nil
}

// due reports whether a compaction is, now that r is on disk.
func (s *Store) due(r *Record) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.written = nil
	return s.settled >= s.limit || s.log.Due()
}

func (s *Store) queue(was uint64, r *Record) (written func() error, now uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, err := s.find(r.Key)
	if old != nil && err == nil {
		now, written = old.Version, old.written
	}
	if err = cmp.Or(s.err, err); err != nil || now != was {
		return written, now, err
	}
	// Queued under the lock, so that the file has a key's versions in order.
	if r.written, err = s.log.Queue(r.Text); err == nil {
		s.change(old, r)
	}
	return r.written, now, err
}

// Get returns the record of key once it is on disk, nil if there is none.
func (s *Store) Get(key string) (*Record, error) {
	s.mu.Lock()
	r, written := s.inMemory(key)
	cold := s.cold
	places := cold.keys.find(hashOf(key))
	cold.users.Add(1)
	s.mu.Unlock()
	defer cold.users.Done()
	if r != nil {
		return r, written()
	}
	return cold.match(s.cfg, key, places)
}

// Close ends a compaction and releases the file.
func (s *Store) Close() error {
	s.stop()
	if s.file != nil {
		return s.file.Close()
	}
	s.compacting.Lock()
	defer s.compacting.Unlock()
	return s.log.Close()
}
