package sqlstore_test

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestFileIsMovedOrReplaced: whoever takes the file away from an open store finds
// that it takes nothing more. It would be lost, and another process would pay again.
func TestFileIsMovedOrReplaced(t *testing.T) {
	for name, take := range map[string]func(t *testing.T, path string){
		"deleted": func(t *testing.T, path string) {
			for _, suffix := range []string{"", "-wal", "-shm"} {
				require.NoError(t, os.Remove(path+suffix))
			}
		},
		"moved": func(t *testing.T, path string) { require.NoError(t, os.Rename(path, path+".old")) },
		"replaced": func(t *testing.T, path string) {
			backup, err := sqlstore.Open(t.Context(), sqlstore.Config{Path: path + ".backup"})
			require.NoError(t, err)
			require.NoError(t, backup.Close())
			require.NoError(t, os.Rename(path+".backup", path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newSQLite(t)
			s := e.open(t)
			inbox, err := s.OpenInbox(t.Context(), e.inboxConfig(t))
			require.NoError(t, err)
			p := newPayer(t, s)
			entry := wallet.Entry{Key: "key", Version: 1, State: wallet.KeyConfirmed}
			require.NoError(t, s.Journal().Store(t.Context(), 0, entry))
			tx, err := s.DB().BeginTx(t.Context(), nil)
			require.NoError(t, err)
			defer tx.Rollback()

			take(t, e.config.Path)
			require.ErrorIs(t, s.Seen().CommitTx(t.Context(), tx, webhooks.ParseDelivery([]byte("{}"))), sqlstore.ErrDamaged)
			require.NoError(t, tx.Rollback())
			p.paysNothing(t, "another", sqlstore.ErrDamaged, e.config.Path)
			_, err = s.Journal().Load(t.Context(), "key")
			require.ErrorIs(t, err, sqlstore.ErrDamaged)
			for _, err := range s.Journal().List(t.Context(), wallet.Query{}) {
				require.ErrorIs(t, err, sqlstore.ErrDamaged)
			}
			require.ErrorIs(t, s.Tokens("account").Save(t.Context(), canary()), sqlstore.ErrDamaged)
			_, err = s.Seen().Seen(t.Context(), "key")
			require.ErrorIs(t, err, sqlstore.ErrDamaged)
			require.ErrorIs(t, inbox.Put(t.Context(), webhooks.StoredDelivery{Key: "key", ReceivedAt: time.Now()}), sqlstore.ErrDamaged,
				"the receiver must not answer 200")
			if name != "replaced" {
				_, err = os.Stat(e.config.Path)
				require.ErrorIs(t, err, os.ErrNotExist, "no later connection may create it anew")
			}
		})
	}
}

// lockedVariable holds the path of a file that TestLockedForOthers looks at.
const lockedVariable = "WALLETFI_TEST_LOCKED"

// TestLockedForOthers is another process. It asks for the lock that SQLite's tools
// take to remove the write-ahead log, when they are the last to close a file.
func TestLockedForOthers(t *testing.T) {
	path := os.Getenv(lockedVariable)
	if path == "" {
		return // TestSecondOpenKeepsTheLocks runs it in a process of its own
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer file.Close()
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Start: 0x40000002, Len: 510} // SQLite's SHARED_FIRST and SHARED_SIZE
	require.NoError(t, syscall.FcntlFlock(file.Fd(), syscall.F_GETLK, &lock))
	require.NotEqual(t, int16(syscall.F_UNLCK), lock.Type, "it could remove the log")
}

// TestSecondOpenKeepsTheLocks: POSIX ends all of a process's locks on a file when the
// process closes it anywhere. A further Open of the same file must not do that.
func TestSecondOpenKeepsTheLocks(t *testing.T) {
	e := newSQLite(t)
	s := e.open(t)
	fill(t, s, 1)
	second, err := sqlstore.Open(t.Context(), e.config)
	require.NoError(t, err)
	require.NoError(t, second.Close())
	other := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLockedForOthers$")
	other.Env = append(os.Environ(), lockedVariable+"="+e.config.Path)
	out, err := other.CombinedOutput()
	require.NoError(t, err, string(out))
}

// TestUnsafeSettings: a database that the program opened so that a commit can be lost
// is refused.
func TestUnsafeSettings(t *testing.T) {
	refused := func(t *testing.T, db *sql.DB, d sqlstore.Dialect, want string) {
		_, err := sqlstore.Open(t.Context(), sqlstore.Config{DB: db, Dialect: d})
		require.ErrorContains(t, err, "db: must ")
		require.ErrorContains(t, err, want)
	}
	for options, want := range map[string]string{
		"_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)":     "synchronous FULL",
		"_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)":  "synchronous FULL",
		"_pragma=journal_mode(MEMORY)&_pragma=synchronous(FULL)": "not memory",
		"": "not delete",
	} {
		refused(t, sqliteWith(t, filepath.Join(t.TempDir(), "a.db"), options), sqlstore.SQLite, want)
	}
	onPostgreSQL(t, func(t *testing.T, e engine) {
		db, err := sql.Open("pgx", e.with(t, "synchronous_commit", "off").URL.Reveal())
		require.NoError(t, err)
		defer db.Close()
		refused(t, db, sqlstore.PostgreSQL, "synchronous_commit")
	})
}
