package sqlstore_test

import (
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
)

// pgx gives a connection whose query was cancelled up to 15 s to close behind our back.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/jackc/pgx/v5/pgconn.(*PgConn).asyncClose.func1"))
}

// testKey encrypts tokens in tests.
var testKey = walletfi.NewSecret("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")

// engine is a new and empty database.
type engine struct {
	dialect sqlstore.Dialect
	config  sqlstore.Config // how a further process opens it
}

// open opens the database as a further process would, until the test ends.
func (e engine) open(t *testing.T) *sqlstore.Store {
	t.Helper()
	s, err := sqlstore.Open(t.Context(), e.config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// onEach runs a test on a new database of each engine that is there: SQLite, and
// the PostgreSQL server whose URL WALLETFI_TEST_POSTGRES is.
func onEach(t *testing.T, test func(t *testing.T, e engine)) {
	t.Run("sqlite", func(t *testing.T) { test(t, newSQLite(t)) })
	if os.Getenv("WALLETFI_TEST_POSTGRES") != "" {
		t.Run("postgres", func(t *testing.T) { test(t, newPostgreSQL(t)) })
	}
}

// newEngine returns how to make databases of an engine, for suites that need many.
func newEngine(d sqlstore.Dialect) func(t *testing.T) engine {
	if d == sqlstore.SQLite {
		return newSQLite
	}
	return newPostgreSQL
}

func newSQLite(t *testing.T) engine {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b?c#d%20.db")
	return engine{sqlstore.SQLite, sqlstore.Config{Path: path, Keys: []walletfi.Secret{testKey}}}
}

// newPostgreSQL makes a schema of its own for the test.
func newPostgreSQL(t *testing.T) engine {
	t.Helper()
	address, err := url.Parse(os.Getenv("WALLETFI_TEST_POSTGRES"))
	require.NoError(t, err)
	db, err := sql.Open("pgx", address.String())
	require.NoError(t, err)
	schema := "test_" + strings.ToLower(rand.Text())
	_, err = db.Exec("CREATE SCHEMA " + schema)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := db.Exec("DROP SCHEMA " + schema + " CASCADE")
		require.NoError(t, err)
		require.NoError(t, db.Close())
	})
	query := address.Query()
	query.Set("search_path", schema)
	address.RawQuery = query.Encode()
	return engine{sqlstore.PostgreSQL, sqlstore.Config{URL: walletfi.NewSecret(address.String()), Keys: []walletfi.Secret{testKey}}}
}
