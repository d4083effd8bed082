package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/walletfi/walletfi-go"
)

// Open opens a store for signer.Config.Shared: the schema that signer.SharedSchema makes, in the
// database of a URL such as postgres://signer@db.internal/signer?sslmode=verify-full. It fails if the
// URL's role could change the log, or if the server is a standby.
func Open(ctx context.Context, url walletfi.Secret) (*sql.DB, error) {
	cfg, err := pgx.ParseConfig(url.Reveal())
	if err != nil {
		// The driver's error may show the password.
		return nil, errors.New("postgres: the URL is not that of a database")
	}
	for name, value := range settings {
		cfg.RuntimeParams[name] = value
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = 5 * time.Second
	}
	cfg.DialFunc = dial
	db := sql.OpenDB(&connector{stdlib.GetConnector(*cfg, stdlib.OptionAfterConnect(durable))})
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	if err := check(ctx, db); err != nil {
		return nil, errors.Join(fmt.Errorf("postgres: the store on %s: %w", cfg.Host, err), db.Close())
	}
	return db, nil
}

const maxConns = 8

// settings are those of each connection. A signer that is cut off amid a transaction holds up the others
// no longer than the database waits for its next statement.
var settings = map[string]string{
	"search_path":                         "walletfi_signer",
	"idle_in_transaction_session_timeout": "5s",
	"lock_timeout":                        "10s",
}

// durable undoes a setting of the role or the database by which a commit returns before it is on disk.
func durable(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(
		ctx, "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
	)
	return err
}

func check(ctx context.Context, db *sql.DB) error {
	var standby, alters bool
	var found sql.NullString
	err := db.QueryRowContext(ctx, "SELECT pg_is_in_recovery(), to_regclass('log')").Scan(&standby, &found)
	switch {
	case err != nil:
		return err
	case standby:
		return errors.New("the server is a standby")
	case !found.Valid:
		return errors.New("it is not there: an administrator makes it with the SQL of signer.SharedSchema")
	}
	const query = "SELECT has_table_privilege('log', 'UPDATE, DELETE, TRUNCATE')"
	if err := db.QueryRowContext(ctx, query).Scan(&alters); err != nil {
		return err
	}
	if alters {
		return errors.New("its role could change the log: take one that SharedSchema gives less")
	}
	return nil
}
