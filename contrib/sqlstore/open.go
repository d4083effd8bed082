package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"sync"
	"time"
)

// Store is a database that keeps what a program must not forget. It is safe for
// concurrent use, by several processes too.
type Store struct {
	db      *sql.DB
	own     bool // Close closes db
	name    string
	dialect dialect
	timeout time.Duration
	file    *databaseFile // of SQLite, if Close closes db
	writer  chan struct{} // held while this process writes to SQLite, which has one writer
	sealer  *sealer

	mu      sync.Mutex
	closers []func() // of what was opened on the store
}

// Open opens a database, creates or updates its tables, and makes sure that it is
// whole and can be written. Several processes may open it at once. A schema that a
// newer version of this package made is refused with [ErrNewerSchema].
func Open(ctx context.Context, cfg Config) (*Store, error) {
	if err := cfg.problem(); err != nil {
		return nil, err
	}
	keys, err := newSealer(cfg.Keys)
	if err != nil {
		return nil, err
	}
	s := &Store{sealer: keys, timeout: cmp.Or(cfg.Timeout, defaultTimeout)}
	conns := cmp.Or(cfg.MaxConns, defaultMaxConns)
	switch {
	case cfg.Path != "":
		err = s.openSQLite(ctx, cfg.Path, conns)
	case !cfg.URL.IsZero():
		err = s.openPostgreSQL(cfg.URL.Reveal(), conns)
	default:
		s.db, s.dialect, s.name = cfg.DB, dialects[cfg.Dialect], "the database"
	}
	if err != nil {
		return nil, err
	}
	if s.dialect.oneWriter {
		s.writer = make(chan struct{}, 1)
	}
	if err := s.prepare(ctx); err != nil {
		_ = s.Close()
		return nil, s.failed(err)
	}
	return s, nil
}

// prepare makes the database usable, or says why it is not.
func (s *Store) prepare(ctx context.Context) error {
	// SQLite does not wait for another process's lock when it makes a file WAL.
	if err := s.check(ctx); err != nil {
		return err
	}
	if !s.own {
		if err := s.dialect.checkSettings(ctx, s.db); err != nil {
			return err
		}
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	if err := s.checkOpen(ctx); err != nil {
		return err
	}
	return s.tidyHolders(ctx)
}

// check holds the database to what the store needs, and waits meanwhile for whoever has it locked.
func (s *Store) check(ctx context.Context) error {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	busy := func(err error) bool { return kindOf(err) == ErrBusy }
	return because(ctx, again(ctx, busy, func() error { return s.dialect.check(ctx, s.db) }))
}

// Close closes the database, unless the program opened it. Close the wallets,
// clients and receivers that use it first.
func (s *Store) Close() error {
	s.mu.Lock()
	for _, close := range s.closers {
		close()
	}
	s.closers = nil
	s.mu.Unlock()
	if !s.own {
		return nil
	}
	return s.db.Close()
}

// onClose has close called by Close.
func (s *Store) onClose(close func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closers = append(s.closers, close)
}

// DB returns the database, for transactions of the program's own.
func (s *Store) DB() *sql.DB { return s.db }

// Dialect returns the SQL that the database speaks.
func (s *Store) Dialect() Dialect { return s.dialect.name }
