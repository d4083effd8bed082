package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// openSQLite opens the file at path, as WAL with synchronous FULL: what was
// committed survives a loss of power, and readers do not wait for the writer.
func (s *Store) openSQLite(ctx context.Context, path string, conns int) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return invalid("path", err.Error())
	}
	if s.file, err = createFile(path); err != nil {
		return err
	}
	options := url.Values{
		"mode": {"rw"}, // a later connection must not create another file
		"_pragma": {
			"busy_timeout(" + strconv.FormatInt(s.timeout.Milliseconds(), 10) + ")",
			"journal_mode(WAL)", "synchronous(FULL)",
		},
		"_txlock": {"immediate"},
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: options.Encode()}
	if s.db, err = sql.Open("sqlite", name.String()); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(conns)
	s.db.SetMaxIdleConns(conns)
	s.own, s.dialect, s.name = true, dialects[SQLite], "SQLite database "+path
	return nil
}

// checkSQLite reads the whole file once: SQLite itself tells damage only of the
// pages that a query touches.
func checkSQLite(ctx context.Context, db *sql.DB) error {
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, found)
	}
	return nil
}

// checkSQLiteSettings refuses settings by which a commit can be lost, or readers and
// the writer fail each other.
func checkSQLiteSettings(ctx context.Context, db *sql.DB) error {
	var mode string
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return invalid("db", "must have journal_mode WAL, not "+mode)
	}
	var synchronous int
	if err := db.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&synchronous); err != nil {
		return err
	}
	if synchronous < 2 { // 2 is FULL, 3 EXTRA
		return invalid("db", "must have synchronous FULL: a loss of power would undo commits")
	}
	return nil
}
