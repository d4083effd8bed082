package sqlstore

import (
	"database/sql"
	"time"

	"github.com/walletfi/walletfi-go"
)

// Dialect is the SQL that a database speaks.
type Dialect string

// The dialects.
const (
	SQLite     Dialect = "sqlite"
	PostgreSQL Dialect = "postgres"
)

// Config says where a [Store] keeps its data. One of Path, URL and DB is required.
type Config struct {
	// Path is a SQLite database file, which is created if it does not exist, for
	// its owner alone. It must be on a local disk: SQLite does not work on network
	// file systems. Several processes of one machine may use it. If it is moved,
	// deleted or replaced while it is open, each call fails with ErrDamaged. Nothing
	// else of the process may open it except through SQLite, not even to copy it:
	// closing it would end SQLite's locks.
	Path string
	// URL is that of a PostgreSQL database, as in postgres://user:password@host/name.
	// The tables are made in the first schema of its search_path.
	URL walletfi.Secret
	// DB is a database that the program has opened, of the Dialect stated. Close
	// leaves it open. A SQLite database must have journal_mode WAL, synchronous
	// FULL, a busy_timeout, and transactions that begin IMMEDIATE; PostgreSQL must
	// not have synchronous_commit off. Open checks what decides whether a commit
	// survives a crash. That the file is not moved or replaced is for the program to
	// see to.
	DB      *sql.DB
	Dialect Dialect // only with DB

	// Keys encrypt the tokens: each 32 random bytes as base64, such as openssl rand
	// -base64 32 prints. The first encrypts; the others decrypt what was stored
	// before the first was added. Without a key a TokenStore keeps nothing: its
	// methods return ErrNoKey.
	Keys []walletfi.Secret

	// Timeout bounds each operation, the wait for other writers included. 0 means
	// 10 seconds.
	Timeout time.Duration
	// MaxConns bounds the connections, if DB is not set. 0 means 8.
	MaxConns int
}

const (
	defaultTimeout  = 10 * time.Second
	defaultMaxConns = 8
)

func (c Config) problem() error {
	given := 0
	for _, set := range []bool{c.Path != "", !c.URL.IsZero(), c.DB != nil} {
		if set {
			given++
		}
	}
	switch {
	case given != 1:
		return invalid("path, url, db", "one of them is required")
	case c.Path == ":memory:":
		return invalid("path", "must be a file: what is in memory is lost with the process")
	case c.DB != nil && c.Dialect != SQLite && c.Dialect != PostgreSQL:
		return invalid("dialect", "must be SQLite or PostgreSQL")
	case c.DB == nil && c.Dialect != "":
		return invalid("dialect", "is only for DB")
	case c.Timeout < 0:
		return invalid("timeout", "must not be negative")
	case c.MaxConns < 0:
		return invalid("maxConns", "must not be negative")
	}
	return nil
}

func invalid(field, problem string) error {
	return &walletfi.ValidationError{Field: field, Problem: problem}
}
