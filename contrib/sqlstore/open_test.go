package sqlstore_test

import (
	"database/sql"
	"errors"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestOpenAtOnce: of several processes that find an empty database, one makes the
// tables, and all can use them.
func TestOpenAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		const processes = 6
		stores, errs := make([]*sqlstore.Store, processes), make([]error, processes)
		var all sync.WaitGroup
		for i := range processes {
			all.Go(func() { stores[i], errs[i] = sqlstore.Open(t.Context(), e.config) })
		}
		all.Wait()
		require.NoError(t, errors.Join(errs...))
		entry := wallet.Entry{Schema: 1, Key: "key", Version: 1, State: wallet.KeyClaimed, Intent: "intent"}
		require.NoError(t, stores[0].Journal().Store(t.Context(), 0, entry))
		for _, s := range stores {
			got, err := s.Journal().Load(t.Context(), "key")
			require.NoError(t, err)
			require.Equal(t, uint64(1), got.Version)
			require.NoError(t, s.Close())
		}
	})
}

// lockedByAnother begins a transaction of another connection, which locks a file that is not WAL yet.
func lockedByAnother(t *testing.T, path string) *sql.Tx {
	other, err := sql.Open("sqlite", "file:"+url.PathEscape(path)+"?_txlock=immediate")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, other.Close()) })
	_, err = other.Exec("CREATE TABLE another (name TEXT)")
	require.NoError(t, err)
	tx, err := other.Begin()
	require.NoError(t, err)
	return tx
}

// TestOpenWhileAnotherMakesItWAL: SQLite does not wait for a lock when it changes a file
// to WAL, so that whoever opens a new file beside another process must ask again.
func TestOpenWhileAnotherMakesItWAL(t *testing.T) {
	e := newSQLite(t)
	tx := lockedByAnother(t, e.config.Path)
	released := time.AfterFunc(200*time.Millisecond, func() { assert.NoError(t, tx.Rollback()) })
	defer released.Stop()
	s, err := sqlstore.Open(t.Context(), e.config)
	require.NoError(t, err)
	require.False(t, released.Stop(), "the store did not wait")
	require.NoError(t, s.Close())
}

// TestOpenOfALockedFile: whoever keeps a file locked that is to become WAL holds Open for its timeout alone.
func TestOpenOfALockedFile(t *testing.T) {
	e := newSQLite(t)
	tx := lockedByAnother(t, e.config.Path)
	defer tx.Rollback()
	e.config.Timeout = 200 * time.Millisecond
	began := time.Now()
	_, err := sqlstore.Open(t.Context(), e.config)
	require.ErrorIs(t, err, sqlstore.ErrBusy)
	require.Less(t, time.Since(began), 4*time.Second)
}

// TestNewerSchema: a database that a newer version updated is not touched.
func TestNewerSchema(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s := e.open(t)
		for _, version := range []string{"50", "9999"} { // migrations are numbered with gaps
			_, err := s.DB().Exec("INSERT INTO walletfi_schema (version_id, is_applied) VALUES (" + version + ", true)")
			require.NoError(t, err)
			_, err = sqlstore.Open(t.Context(), e.config)
			require.ErrorIs(t, err, sqlstore.ErrNewerSchema)
			require.ErrorContains(t, err, version)
			_, err = s.DB().Exec("DELETE FROM walletfi_schema WHERE version_id = " + version)
			require.NoError(t, err)
		}
	})
}

// TestOwnDB: a store on a database that the program opened leaves it open.
func TestOwnDB(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		db := e.open(t).DB()
		s, err := sqlstore.Open(t.Context(), sqlstore.Config{DB: db, Dialect: e.dialect})
		require.NoError(t, err)
		require.Equal(t, e.dialect, s.Dialect())
		require.NoError(t, s.Journal().Store(t.Context(), 0, wallet.Entry{Key: "key", Version: 1}))
		require.NoError(t, s.Close())
		require.NoError(t, db.Ping())
	})
}

// TestSQLiteFile: the file is for its owner alone, and written as is safe.
func TestSQLiteFile(t *testing.T) {
	e := newSQLite(t)
	s := e.open(t)
	info, err := os.Stat(e.config.Path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "10000"} {
		var got string
		require.NoError(t, s.DB().QueryRow("PRAGMA "+pragma).Scan(&got))
		require.Equal(t, want, got, pragma)
	}
}

func TestConfigIsRefused(t *testing.T) {
	url := walletfi.NewSecret("postgres://user:hunter2@127.0.0.1:1/db")
	for name, c := range map[string]struct {
		config sqlstore.Config
		want   string
	}{
		"nothing":    {sqlstore.Config{}, "path, url, db: one of them is required"},
		"two":        {sqlstore.Config{Path: "a", URL: url}, "path, url, db: one of them is required"},
		"memory":     {sqlstore.Config{Path: ":memory:"}, "path: must be a file"},
		"dialect":    {sqlstore.Config{Path: "a", Dialect: sqlstore.SQLite}, "dialect: is only for DB"},
		"timeout":    {sqlstore.Config{Path: "a", Timeout: -1}, "timeout: must not be negative"},
		"maxConns":   {sqlstore.Config{Path: "a", MaxConns: -1}, "maxConns: must not be negative"},
		"a bad URL":  {sqlstore.Config{URL: walletfi.NewSecret("postgres://user:hunter2@:x/%zz")}, "url: is not that of a PostgreSQL database"},
		"a bad key":  {sqlstore.Config{Path: "a", Keys: []walletfi.Secret{walletfi.NewSecret("hunter2")}}, "keys[0]: must be 32 bytes as base64"},
		"no server":  {sqlstore.Config{URL: url}, `PostgreSQL database "db" on 127.0.0.1`},
		"no folder":  {sqlstore.Config{Path: "/nowhere/at/all.db"}, "/nowhere/at/all.db"},
		"a folder":   {sqlstore.Config{Path: t.TempDir()}, "SQLite database"},
		"no dialect": {sqlstore.Config{DB: newSQLite(t).open(t).DB()}, "dialect: must be SQLite or PostgreSQL"},
	} {
		_, err := sqlstore.Open(t.Context(), c.config)
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "hunter2", name)
	}
}
