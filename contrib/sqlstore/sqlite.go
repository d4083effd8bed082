package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
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
	// SQLite would create it for all to read.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDONLY, 0o600)
	if err != nil {
		return fmt.Errorf("sqlstore: SQLite database: %w", err)
	}
	if err := file.Close(); err != nil {
		return err
	}
	options := url.Values{
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
