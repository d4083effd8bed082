package linear

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that makes the schemas
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/wallet"
)

// postgresVariable has the URL of a PostgreSQL database for tests.
const postgresVariable = "WALLETFI_TEST_POSTGRES"

// postgresSubject is a database server that several stores use. Each run has a schema
// of its own, which is dropped at its end.
func postgresSubject() subject {
	return subject{name: "postgres", start: func(t *testing.T, seed uint64) *fleet {
		address := withSchema(t, os.Getenv(postgresVariable), fmt.Sprintf("linear_%d_%d", os.Getpid(), seed))
		return sharing(3, func(int) wallet.Journal {
			return openStore(t, sqlstore.Config{URL: walletfi.NewSecret(address), MaxConns: 2})
		})
	}}
}

// withSchema makes a schema and returns the URL under which it is the first.
func withSchema(t *testing.T, address, schema string) string {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	run := func(statement string) {
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			t.Errorf("%s: %v", statement, err)
		}
	}
	run("CREATE SCHEMA " + schema)
	t.Cleanup(func() {
		run("DROP SCHEMA " + schema + " CASCADE")
		_ = db.Close()
	})
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := parsed.Query()
	q.Set("search_path", schema)
	parsed.RawQuery = q.Encode()
	return parsed.String()
}
