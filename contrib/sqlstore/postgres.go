package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

func (s *Store) openPostgreSQL(address string, conns int) error {
	cfg, err := pgx.ParseConfig(address)
	if err != nil {
		return invalid("url", "is not that of a PostgreSQL database") // the driver's error may show the password
	}
	s.db = stdlib.OpenDB(*cfg, stdlib.OptionAfterConnect(durable))
	s.db.SetMaxOpenConns(conns)
	s.db.SetMaxIdleConns(conns)
	s.own, s.dialect = true, dialects[PostgreSQL]
	s.name = fmt.Sprintf("PostgreSQL database %q on %s", cfg.Database, cfg.Host)
	return nil
}

// durable undoes a setting of the user or the database by which a commit returns
// before it is on disk.
func durable(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(
		ctx, "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
	)
	return err
}

// checkPostgreSQL asks whether the server is there, and has a schema for the tables.
func checkPostgreSQL(ctx context.Context, db *sql.DB) error {
	var schema sql.NullString
	if err := db.QueryRowContext(ctx, "SELECT current_schema()").Scan(&schema); err != nil {
		return err
	}
	if !schema.Valid {
		return errors.New("no schema of the search_path is there")
	}
	return nil
}

// checkPostgreSQLSettings refuses what durable undoes on the store's own connections.
func checkPostgreSQLSettings(ctx context.Context, db *sql.DB) error {
	var commit string
	if err := db.QueryRowContext(ctx, "SHOW synchronous_commit").Scan(&commit); err != nil {
		return err
	}
	if commit == "off" {
		return invalid("db", "must not have synchronous_commit off: a crash of the server would undo commits")
	}
	return nil
}
