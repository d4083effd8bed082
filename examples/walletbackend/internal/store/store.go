// Package store keeps the backend's users, sessions, keys, payments and events
// in SQLite or PostgreSQL.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/webhooks"
)

// ErrNotFound means that there is no such record, or that it is another user's.
var ErrNotFound = errors.New("not found")

// DB is the database. It is safe for concurrent use.
type DB struct {
	kept *sqlstore.Store
	sql  *sql.DB
}

// Open opens or creates the database that cfg names, with the tables of package
// sqlstore and this one's.
func Open(ctx context.Context, cfg sqlstore.Config) (*DB, error) {
	kept, err := sqlstore.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	d := &DB{kept, kept.DB()}
	for _, statement := range schema {
		if _, err := d.sql.ExecContext(ctx, statement); err != nil {
			kept.Close()
			return nil, fmt.Errorf("creating tables: %w", err)
		}
	}
	return d, nil
}

// Journal is the wallet's journal.
func (d *DB) Journal() wallet.Journal { return d.kept.Journal() }

// Token keeps the bearer token of a user, encrypted.
func (d *DB) Token(userID string) walletfi.TokenStore { return d.kept.Tokens(userID) }

// Seen remembers which webhooks were handled.
func (d *DB) Seen() webhooks.Seen { return d.kept.Seen() }

// Close closes the database.
func (d *DB) Close() error { return d.kept.Close() }

// schema is the same in both databases: text for binary, integers for times (Unix
// milliseconds), and JSON as text.
var schema = []string{
	`CREATE TABLE IF NOT EXISTS users (
		id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL, address TEXT NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS sessions (
		id TEXT PRIMARY KEY, user_id TEXT NOT NULL, csrf TEXT NOT NULL, expires BIGINT NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS keys (
		user_id TEXT PRIMARY KEY, address TEXT NOT NULL, sealed TEXT NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS payments (
		id TEXT PRIMARY KEY, user_id TEXT NOT NULL, created BIGINT NOT NULL,
		title TEXT NOT NULL, request TEXT NOT NULL, unsigned TEXT NOT NULL, report TEXT NOT NULL,
		digest TEXT NOT NULL, fee_level BIGINT NOT NULL,
		state TEXT NOT NULL, problem TEXT NOT NULL, result TEXT NOT NULL, replaced_by TEXT NOT NULL)`,
	`CREATE INDEX IF NOT EXISTS payments_by_user ON payments (user_id, created)`,
	`CREATE INDEX IF NOT EXISTS payments_by_state ON payments (state)`,
	`CREATE TABLE IF NOT EXISTS events (
		id TEXT PRIMARY KEY, user_id TEXT NOT NULL, received BIGINT NOT NULL, title TEXT NOT NULL, detail TEXT NOT NULL)`,
	`CREATE INDEX IF NOT EXISTS events_by_user ON events (user_id, received)`,
}

// Busy reports whether the database did not do something because others held its locks
// for too long.
func Busy(err error) bool {
	var lite interface{ Code() int }        // of SQLite's driver
	var post interface{ SQLState() string } // of PostgreSQL's
	const busy, locked = 5, 6
	switch {
	case errors.Is(err, sqlstore.ErrBusy):
		return true
	case errors.As(err, &lite):
		return lite.Code()&0xff == busy || lite.Code()&0xff == locked
	case errors.As(err, &post):
		return post.SQLState() == "55P03" || post.SQLState() == "57014" // lock not available, query cancelled
	}
	return false
}
