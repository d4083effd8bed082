package signer

import (
	"context"
	"crypto/rand"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"modernc.org/sqlite" // also the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// schema has the store's tables. The log is append only; what it says of debits can be read
// again from it.
//
//go:embed schema.sql
var schema string

// forever is the time of a debit that is open: it is within every window.
const forever = int64(1<<63 - 1)

// The states of a signed message.
const (
	stateOpen   = "open"
	stateLanded = "landed"
	stateFailed = "failed"
	stateDead   = "dead"
)

// openStore opens the SQLite file at path for this process alone. What was committed
// survives a loss of power.
func openStore(ctx context.Context, path string) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("signer: the store: %w", err)
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	options := url.Values{
		"mode":    {"rw"},
		"_pragma": {"locking_mode(EXCLUSIVE)", "busy_timeout(1000)", "journal_mode(WAL)", "synchronous(FULL)"},
		"_txlock": {"exclusive"},
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // which holds the lock as long as the process lives
	if err := prepare(ctx, db); err != nil {
		return nil, errors.Join(fmt.Errorf("signer: the store %s: %w", path, err), db.Close())
	}
	return db, nil
}

func prepare(ctx context.Context, db *sql.DB) error {
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return errors.New("it is damaged: " + found)
	}
	_, err := db.ExecContext(ctx, schema)
	return err
}

func getMeta(ctx context.Context, tx querier, name string) (value string, err error) {
	err = tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = ?", name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

func setMeta(ctx context.Context, tx *sql.Tx, name, value string) error {
	const query = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
	return exec(ctx, tx, query, name, value)
}

func exec(ctx context.Context, tx *sql.Tx, query string, args ...any) error {
	_, err := tx.ExecContext(ctx, query, args...)
	return err
}

// changed is exec that reports whether a row was changed.
func changed(ctx context.Context, tx *sql.Tx, query string, args ...any) (bool, error) {
	result, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// querier is the store, or a transaction of it.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Whose debits a sum is of.
const (
	ofOwner  = "owner = ?"
	ofClient = "owner = ? AND client = ?"
	ofPayee  = "payee = ?"
	// ungranted goes before one of them.
	ungranted = "id NOT IN (SELECT id FROM granted) AND "
)

// spent adds up what counts of a mint within a length before now: what is open, and what has
// landed since. A sum beyond 2^63-1 is an error of SQLite's.
func spent(
	ctx context.Context, q querier, now time.Time, length time.Duration, mint Mint, whose string, who ...any,
) (sum int64, err error) {
	query := "SELECT COALESCE(SUM(amount), 0) FROM debit WHERE mint = ? AND at >= ? AND " + whose
	args := append([]any{string(mint), spendwindow.Since(now, length).UnixNano()}, who...)
	err = q.QueryRowContext(ctx, query, args...).Scan(&sum)
	return sum, err
}

// exposed is how much of a mint the live transactions may reach that a simulation has judged.
func exposed(ctx context.Context, q querier, owner string, mint Mint) (sum int64, err error) {
	err = q.QueryRowContext(ctx,
		"SELECT COALESCE(SUM(exposure), 0) FROM debit WHERE owner = ? AND mint = ? AND at = ?", owner, string(mint), forever,
	).Scan(&sum)
	return sum, err
}

// rows reads each row of a query.
func rows(ctx context.Context, q querier, read func(scan func(...any) error) error, query string, args ...any) error {
	found, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		if err := read(found.Scan); err != nil {
			return err
		}
	}
	return found.Err()
}

// SharedSchema is the SQL by which an administrator of a PostgreSQL database makes a store that signers
// share, in a schema of its own that no other role can read, and lets a role write to it. The role is the
// signers' alone. It adds to the log, and can neither change nor delete what is in it.
func SharedSchema(role string) string {
	types := strings.NewReplacer("INTEGER", "BIGINT", "BLOB", "BYTEA", ") STRICT;", ");")
	return fmt.Sprintf(`BEGIN;
CREATE SCHEMA IF NOT EXISTS walletfi_signer;
SET LOCAL search_path = walletfi_signer;
%sALTER TABLE debit ADD COLUMN IF NOT EXISTS rowid BIGINT GENERATED ALWAYS AS IDENTITY;
CREATE OR REPLACE FUNCTION instr(whole BYTEA, part BYTEA) RETURNS INTEGER
	LANGUAGE sql IMMUTABLE STRICT RETURN position(part IN whole);
INSERT INTO meta VALUES ('time', '0') ON CONFLICT DO NOTHING;
REVOKE ALL ON SCHEMA walletfi_signer FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA walletfi_signer FROM PUBLIC, %[2]s;
GRANT USAGE ON SCHEMA walletfi_signer TO %[2]s;
GRANT SELECT, INSERT ON log TO %[2]s;
GRANT SELECT, INSERT, UPDATE ON holding TO %[2]s;
GRANT SELECT, INSERT, UPDATE, DELETE ON meta, signed, debit, granted TO %[2]s;
COMMIT;
`, types.Replace(schema), `"`+strings.ReplaceAll(role, `"`, `""`)+`"`)
}

// stop says since when and why the store takes no writes.
type stop struct {
	Since time.Time `json:"since"`
	Why   string    `json:"why"`
}

// isFull reports an error of a file system that has no room, or takes no writes.
func isFull(err error) bool {
	if failed, ok := errors.AsType[*sqlite.Error](err); ok {
		code := failed.Code()
		return code == sqlite3.SQLITE_IOERR_WRITE || code&0xff == sqlite3.SQLITE_FULL || code&0xff == sqlite3.SQLITE_READONLY
	}
	if failed, ok := errors.AsType[interface {
		error
		SQLState() string
	}](err); ok {
		return failed.SQLState() == "53100" // PostgreSQL's disk_full
	}
	number, _ := errors.AsType[syscall.Errno](err)
	return slices.Contains([]syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EFBIG}, number)
}

// noted stops the signer after an error of a full disk, for who holds deciding.
func (s *Signer) noted(err error) error {
	if isFull(err) && s.stopped == nil {
		s.stopped = &stop{s.time(), err.Error()}
	}
	return err
}

// ready reports whether the store may take a write: after one that found no room, not before the
// anchor and the reserve have theirs again.
func (s *Signer) ready() error {
	if s.broken != nil || s.stopped == nil {
		return s.broken
	}
	if err := s.drop(s.head); err != nil {
		return err
	}
	return s.setAside()
}

// newest is the newest entry of the store.
func (s *Signer) newest(ctx context.Context) (h head, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1").Scan(&h.seq, &h.hash)
	return h, err
}

// release gives that up.
func (s *Signer) release() error {
	if s.reserve == "" {
		return nil
	}
	return os.Remove(s.reserve)
}

// setAside keeps some of the disk free for a freeze, in a file next to the store.
func (s *Signer) setAside() error {
	if s.reserve == "" { // the store is on another disk
		return nil
	}
	const size = 1 << 20
	if info, err := os.Stat(s.reserve); err == nil && info.Size() == size {
		return nil
	}
	text := make([]byte, size)
	_, _ = rand.Read(text) // which no file system compresses
	if err := os.WriteFile(s.reserve, text, 0o600); err != nil {
		return errors.Join(fmt.Errorf("signer: the reserve of disk: %w", err), os.Remove(s.reserve))
	}
	return nil
}
