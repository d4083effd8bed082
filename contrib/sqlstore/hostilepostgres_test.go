package sqlstore_test

import (
	"net/url"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/wallet"
)

func onPostgreSQL(t *testing.T, test func(t *testing.T, e engine)) {
	if os.Getenv("WALLETFI_TEST_POSTGRES") != "" {
		t.Run("postgres", func(t *testing.T) { test(t, newPostgreSQL(t)) })
	}
}

// with returns the configuration with a setting of the session's.
func (e engine) with(t *testing.T, setting, value string) sqlstore.Config {
	t.Helper()
	address, err := url.Parse(e.config.URL.Reveal())
	require.NoError(t, err)
	query := address.Query()
	query.Set(setting, value)
	address.RawQuery = query.Encode()
	c := e.config
	c.URL = walletfi.NewSecret(address.String())
	return c
}

// TestKilledConnection: the server ends the session in the middle of a write. What
// was not committed is not there, and the error does not say that the key is lost.
func TestKilledConnection(t *testing.T) {
	onPostgreSQL(t, func(t *testing.T, e engine) {
		s, other := e.open(t), e.open(t)
		j := s.Journal()
		entry := bigEntry("key")
		entry.State = wallet.KeyClaimed
		require.NoError(t, j.Store(t.Context(), 0, entry))
		tx, err := other.DB().Begin()
		require.NoError(t, err)
		_, err = tx.Exec("SELECT * FROM walletfi_entries FOR UPDATE")
		require.NoError(t, err)
		stored := make(chan error)
		go func() {
			next := entry
			next.Version = 2
			stored <- j.Store(t.Context(), 1, next)
		}()
		killed := 0
		for killed == 0 {
			require.NoError(t, other.DB().QueryRow(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE walletfi_entries%' AND pid <> pg_backend_pid()
				AND pg_backend_pid() IS NOT NULL AND cardinality(pg_blocking_pids(pid)) > 0`).Scan(&killed))
		}
		err = <-stored
		require.Error(t, err)
		require.NotErrorIs(t, err, wallet.ErrFenced)
		require.ErrorContains(t, err, "sqlstore: PostgreSQL database")
		require.NoError(t, tx.Rollback())
		got, err := j.Load(t.Context(), "key")
		require.NoError(t, err, "the next question finds a new connection")
		require.Equal(t, uint64(1), got.Version)
	})
}

// TestServerErrors: what the server says when it has no room or a page is damaged,
// as far as that can be had without breaking its disk.
func TestServerErrors(t *testing.T) {
	onPostgreSQL(t, func(t *testing.T, e engine) {
		s := e.open(t)
		p := newPayer(t, s)
		for code, want := range map[string]error{"53100": sqlstore.ErrFull, "XX001": sqlstore.ErrDamaged, "XX002": sqlstore.ErrDamaged, "25006": sqlstore.ErrReadOnly} {
			_, err := s.DB().Exec(`CREATE OR REPLACE FUNCTION fails() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'broken' USING ERRCODE = '` + code + `'; END $$ LANGUAGE plpgsql;
				CREATE OR REPLACE TRIGGER fails BEFORE INSERT ON walletfi_entries EXECUTE FUNCTION fails()`)
			require.NoError(t, err)
			p.paysNothing(t, "key", want)
		}
	})
}
