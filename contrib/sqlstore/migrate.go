package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations
var migrations embed.FS

// schemaTable lists the migrations that were applied.
const schemaTable = "walletfi_schema"

// migrate updates the tables.
func (s *Store) migrate(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(s.timeout, time.Minute))
	defer cancel()
	files, err := fs.Sub(migrations, "migrations/"+string(s.dialect.name))
	if err != nil {
		return err
	}
	options := []goose.ProviderOption{
		goose.WithTableName(schemaTable), goose.WithAllowOutofOrder(true), goose.WithDisableGlobalRegistry(true),
	}
	if !s.dialect.oneWriter {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
		if err != nil {
			return err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(s.dialect.goose, s.db, files, options...)
	if err != nil {
		return err
	}
	// Another process may be at it, too. Each migration is one transaction, so that
	// of two the one that comes second fails and finds it done when it looks again.
	passing := func(err error) bool {
		kind := kindOf(err)
		return !errors.Is(err, ErrNewerSchema) && (kind == nil || kind == ErrBusy)
	}
	return again(ctx, passing, func() error { return s.applyMigrations(ctx, provider) })
}

// again repeats what another process may be at, too, while its error is a passing one.
func again(ctx context.Context, passing func(error) bool, do func() error) error {
	for wait := 10 * time.Millisecond; ; wait *= 2 {
		err := do()
		if err == nil || wait > 5*time.Second || !passing(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(wait):
		}
	}
}

func (s *Store) applyMigrations(ctx context.Context, provider *goose.Provider) error {
	pending, err := provider.HasPending(ctx)
	if err != nil {
		return err
	}
	if err := s.refuseNewer(ctx, provider.ListSources()); err != nil {
		return err
	}
	if !pending {
		return nil
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("updating the tables: %w", err)
	}
	return nil
}

// refuseNewer refuses a database with migrations that this program does not have.
func (s *Store) refuseNewer(ctx context.Context, sources []*goose.Source) error {
	known := []int64{0}
	for _, source := range sources {
		known = append(known, source.Version)
	}
	// Not only the newest: each part of the package numbers its migrations by itself.
	return s.query(ctx, "SELECT version_id FROM "+schemaTable, nil, func(rows *sql.Rows) error {
		var applied int64
		if err := rows.Scan(&applied); err != nil {
			return err
		}
		if !slices.Contains(known, applied) {
			return fmt.Errorf("%w: %d, this one knows %d", ErrNewerSchema, applied, known[1:])
		}
		return nil
	})
}
