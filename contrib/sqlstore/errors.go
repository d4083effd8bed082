package sqlstore

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/walletfi/walletfi-go/wallet"
)

// What is wrong with a database. Nothing was stored, unless the error is of a
// commit whose answer was lost.
var (
	// ErrDamaged: the database does not hold what was written to it, or its file was
	// moved, deleted or replaced while it was open. Restore it from
	// a backup that is not older than the last payment, or settle what was open by
	// hand.
	ErrDamaged = errors.New("the database is damaged")
	// ErrFull: the disk, or the database, has no room.
	ErrFull = errors.New("the database is full")
	// ErrReadOnly: the database cannot be written.
	ErrReadOnly = errors.New("the database is read-only")
	// ErrBusy: another process or session held a lock for too long, or the
	// statement took longer than the server allows.
	ErrBusy = errors.New("the database is busy")
	// ErrNewerSchema: a newer version of this package made or updated the tables.
	ErrNewerSchema = errors.New("the schema was made by a newer version")
	// ErrNoKey: tokens are kept encrypted only, and Config.Keys is empty, or has
	// not the key that a token was encrypted with.
	ErrNoKey = errors.New("no key to encrypt tokens with")
)

// failed names the database in an error that is about it.
func (s *Store) failed(err error) error {
	if err == nil || errors.Is(err, wallet.ErrFenced) || strings.HasPrefix(err.Error(), "sqlstore: ") {
		return err
	}
	return fmt.Errorf("sqlstore: %s: %w", s.name, explain(err))
}

// explain puts a sentinel of this package before an error that a driver has.
func explain(err error) error {
	for _, known := range []error{ErrDamaged, ErrFull, ErrReadOnly, ErrBusy, ErrNewerSchema, ErrNoKey} {
		if errors.Is(err, known) {
			return err
		}
	}
	if kind := kindOf(err); kind != nil {
		return fmt.Errorf("%w: %w", kind, err)
	}
	return err
}

func kindOf(err error) error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			return ErrDamaged
		case sqlite3.SQLITE_FULL:
			return ErrFull
		case sqlite3.SQLITE_READONLY:
			return ErrReadOnly
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return ErrBusy
		}
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch e.Code {
		case "XX001", "XX002": // data_corrupted, index_corrupted
			return ErrDamaged
		case "53100": // disk_full
			return ErrFull
		case "25006": // read_only_sql_transaction
			return ErrReadOnly
		case "55P03", "57014": // lock_not_available, query_canceled
			return ErrBusy
		}
	}
	return nil
}
