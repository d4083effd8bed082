package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

// The drivers without what listens for notifications: that of river 0.49 can crash
// the process while it stops. Without it river looks for new jobs after each insert
// of its own, and polls for those of others.
type (
	polledSQLite     struct{ *riversqlite.Driver }
	polledPostgreSQL struct{ *riverpgxv5.Driver }
)

// SupportsListener implements river's Driver.
func (polledSQLite) SupportsListener() bool { return false }

// SupportsListener implements river's Driver.
func (polledPostgreSQL) SupportsListener() bool { return false }

func (i *Inbox) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(i.store.timeout, time.Minute))
	defer cancel()
	if i.store.dialect.name == SQLite {
		return i.openSQLite(ctx)
	}
	return i.openPostgreSQL(ctx)
}

func (i *Inbox) openSQLite(ctx context.Context) error {
	driver := polledSQLite{riversqlite.New(i.store.db)}
	i.newClient = func(cfg *river.Config) (client, error) { return river.NewClient(driver, cfg) }
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: i.cfg.Logger})
	if err != nil {
		return err
	}
	if done, err := migrator.Validate(ctx, nil); err == nil && done.OK {
		return nil
	}
	// Another process may be at it, too. Each migration is one transaction, so that of
	// two the one that comes second fails, and finds it done when it looks again.
	for wait := 10 * time.Millisecond; ; wait *= 2 {
		_, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
		if err == nil || wait > 5*time.Second || ctx.Err() != nil || kindOf(err) != nil && kindOf(err) != ErrBusy {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// migrationLock is the number of the advisory lock under which one process at a time
// creates or updates river's tables.
const migrationLock = 7_709_653_241

func (i *Inbox) openPostgreSQL(ctx context.Context) error {
	pool, err := i.pool(ctx)
	if err != nil {
		return err
	}
	i.store.onClose(pool.Close)
	driver := polledPostgreSQL{riverpgxv5.New(pool)}
	i.newClient = func(cfg *river.Config) (client, error) { return river.NewClient(driver, cfg) }
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: i.cfg.Logger, Schema: i.cfg.Schema})
	if err != nil {
		return err
	}
	conn, err := i.store.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", int64(migrationLock)); err != nil {
		return err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", int64(migrationLock))
	schema := pgx.Identifier{i.cfg.Schema}.Sanitize()
	if _, err := conn.ExecContext(ctx, "CREATE SCHEMA IF NOT EXISTS "+schema); err != nil {
		return err
	}
	_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}

// pool opens connections like those of the store, which river needs as pgx's own.
func (i *Inbox) pool(ctx context.Context) (*pgxpool.Pool, error) {
	conn, err := i.store.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	var cfg *pgxpool.Config
	err = conn.Raw(func(driver any) error {
		own, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("the inbox needs a database that was opened with pgx, not %T", driver)
		}
		like := own.Conn().Config()
		cfg, err = pgxpool.ParseConfig(like.ConnString())
		if err == nil {
			cfg.ConnConfig, cfg.AfterConnect, cfg.MaxConns = like, durable, int32(i.cfg.Conns)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return pgxpool.NewWithConfig(ctx, cfg)
}
