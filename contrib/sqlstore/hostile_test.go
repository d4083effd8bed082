package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// watched counts what a wallet signs and sends.
type watched struct {
	signing.Signer
	signed, sent atomic.Int64
}

func (w *watched) Sign(ctx context.Context, message []byte) (signing.Signature, error) {
	w.signed.Add(1)
	return w.Signer.Sign(ctx, message)
}

func (w *watched) Submit(_ context.Context, tx walletfi.Signed) (string, error) {
	w.sent.Add(1)
	return tx.Signature, nil
}

func (w *watched) SignatureStatus(context.Context, string) (walletfi.SignatureStatus, error) {
	return walletfi.SignatureStatus{}, errors.New("not asked")
}

// payer is a wallet that began while its database was well.
type payer struct {
	*watched
	*wallet.Wallet
	key solana.PrivateKey
}

func newPayer(t *testing.T, s *sqlstore.Store) payer {
	t.Helper()
	private := solana.NewWallet().PrivateKey
	local, err := signing.NewLocalKey([]byte(private))
	require.NoError(t, err)
	w := &watched{Signer: local}
	pays, err := wallet.New(wallet.Config{
		Signer: w, Guard: signing.NewGuard(signing.Policy{}), Submitter: w, Confirmer: w, Journal: s.Journal(), ConfirmTimeout: time.Second,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = pays.Close() }) // it may be unable to end its lease
	return payer{w, pays, private}
}

// paysNothing holds a wallet on a broken database to it: nothing is signed, nothing
// is sent, and the error says which database and why. In a full one there may be
// room for the claim and none for the signed bytes, which are then dropped.
func (p payer) paysNothing(t *testing.T, key string, want error, words ...string) {
	t.Helper()
	shop, hash := solana.NewWallet().PublicKey().String(), solana.NewWallet().PublicKey().String()
	_, err := p.Execute(t.Context(), transfer(t, p.key, shop, 1, hash, 1000), wallet.ExecuteOptions{Key: key})
	require.ErrorIs(t, err, want)
	require.ErrorIs(t, err, walletfi.ErrNotSent)
	if want != sqlstore.ErrFull {
		words = append(words, "nothing was signed")
		require.Zero(t, p.signed.Load())
	}
	for _, word := range append(words, "nothing was s", "sqlstore: ") {
		assert.ErrorContains(t, err, word)
	}
	require.Zero(t, p.sent.Load())
}

func fill(t *testing.T, s *sqlstore.Store, n int) {
	t.Helper()
	for i := range n {
		require.NoError(t, s.Journal().Store(t.Context(), 0, bigEntry(fmt.Sprint("filled ", i))))
	}
}

func bigEntry(key string) wallet.Entry {
	return wallet.Entry{Key: key, Version: 1, State: wallet.KeyConfirmed, Overridden: []string{strings.Repeat("x", 2000)}}
}

// sqliteWith opens a SQLite file with one connection and further options.
func sqliteWith(t *testing.T, path, options string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_txlock=immediate&_pragma=busy_timeout(100)&"+options)
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func TestDamagedFile(t *testing.T) {
	for name, damage := range map[string]func(raw []byte){
		"the beginning": func(raw []byte) { copy(raw, "not a database at all") },
		"in the middle": func(raw []byte) {
			for i := len(raw) / 4; i < len(raw)/2; i++ {
				raw[i] ^= 0x5a
			}
		},
		"cut short": func(raw []byte) { clear(raw[len(raw)/2:]) },
	} {
		t.Run(name, func(t *testing.T) {
			e := newSQLite(t)
			s, err := sqlstore.Open(t.Context(), e.config)
			require.NoError(t, err)
			fill(t, s, 100)
			require.NoError(t, s.Close())
			raw, err := os.ReadFile(e.config.Path)
			require.NoError(t, err)
			require.Greater(t, len(raw), 100_000)
			damage(raw)
			require.NoError(t, os.WriteFile(e.config.Path, raw, 0o600))
			_, err = sqlstore.Open(t.Context(), e.config)
			require.ErrorIs(t, err, sqlstore.ErrDamaged)
			require.ErrorContains(t, err, filepath.Base(e.config.Path))
		})
	}
}

// TestDamagedWhileInUse: pages that rot under an open store.
func TestDamagedWhileInUse(t *testing.T) {
	e := newSQLite(t)
	s := e.open(t)
	s.DB().SetMaxIdleConns(0) // each question reads the file again
	fill(t, s, 100)
	p := newPayer(t, s)
	_, err := s.DB().Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	require.NoError(t, err)
	raw, err := os.ReadFile(e.config.Path)
	require.NoError(t, err)
	file, err := os.OpenFile(e.config.Path, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer file.Close()
	for i := range raw[4096:] {
		raw[4096+i] = byte(i)
	}
	_, err = file.WriteAt(raw[4096:], 4096)
	require.NoError(t, err)
	p.paysNothing(t, "filled 50", sqlstore.ErrDamaged, e.config.Path)
	p.paysNothing(t, "another", sqlstore.ErrDamaged, e.config.Path)
}

// TestDamagedEntry: a row that somebody, or a broken disk, changed.
func TestDamagedEntry(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		for i, change := range []string{
			"entry = replace(entry, 'confirmed', 'released')", "version = version + 1", "since = since + 1",
			"entry = (SELECT entry FROM walletfi_entries WHERE key = 'key:other')",
			"state = 'released'", "intent = 'x'", "open = true", "entry = substr(entry, 1, 99)",
		} {
			s := e.open(t)
			p := newPayer(t, s)
			key := fmt.Sprint("key:", i)
			for _, key := range []string{key, "key:other"} {
				err := s.Journal().Store(t.Context(), 0, bigEntry(key))
				require.True(t, err == nil || key == "key:other")
			}
			_, err := s.DB().Exec("UPDATE walletfi_entries SET " + change + " WHERE key = '" + key + "'")
			require.NoError(t, err)
			p.paysNothing(t, strings.TrimPrefix(key, "key:"), sqlstore.ErrDamaged, key)
			var failed error
			for _, err := range s.Journal().List(t.Context(), wallet.Query{}) {
				failed = errors.Join(failed, err)
			}
			require.ErrorIs(t, failed, sqlstore.ErrDamaged)
		}
	})
}

// TestHiddenEntry: the column by which a list finds what is open is damaged. A list does not see
// the payment; who loads it, and the next process that opens the database, does.
func TestHiddenEntry(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s := e.open(t)
		open := wallet.Entry{Key: "key:a", Version: 1, State: wallet.KeyInDoubt}
		require.NoError(t, s.Journal().Store(t.Context(), 0, open))
		e.open(t)
		_, err := s.DB().Exec("UPDATE walletfi_entries SET open = false")
		require.NoError(t, err)
		_, err = s.Journal().Load(t.Context(), "key:a")
		require.ErrorIs(t, err, sqlstore.ErrDamaged)
		_, err = sqlstore.Open(t.Context(), e.config)
		require.ErrorIs(t, err, sqlstore.ErrDamaged)
		require.ErrorContains(t, err, "key:a")
	})
}

// TestStateOfAnEarlierVersion: its word for a doubt had a blank, in the column and in the entry.
func TestStateOfAnEarlierVersion(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s := e.open(t)
		doubt := wallet.Entry{Key: "key:a", Version: 1, State: wallet.KeyInDoubt}
		require.NoError(t, s.Journal().Store(t.Context(), 0, doubt))
		_, err := s.DB().Exec("UPDATE walletfi_entries SET state = 'in doubt'")
		require.NoError(t, err)
		loaded, err := s.Journal().Load(t.Context(), "key:a")
		require.NoError(t, err)
		require.Equal(t, doubt, loaded)
	})
}

// TestSwappedRows: two rows that have each other's columns.
func TestSwappedRows(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s := e.open(t)
		for _, columns := range []string{"state", "intent", "open", "state, open", "entry, sum", "version", "since"} {
			_, err := s.DB().Exec("DELETE FROM walletfi_entries")
			require.NoError(t, err)
			one := wallet.Entry{Key: "key:a", Version: 1, State: wallet.KeyInDoubt, Intent: "one", Since: time.UnixMicro(1)}
			two := wallet.Entry{Key: "key:b", Version: 2, State: wallet.KeyConfirmed, Intent: "two", Since: time.UnixMicro(2)}
			require.NoError(t, s.Journal().Store(t.Context(), 0, one))
			require.NoError(t, s.Journal().Store(t.Context(), 0, two))
			var sets []string
			for column := range strings.SplitSeq(columns, ", ") {
				sets = append(sets, column+" = (SELECT o."+column+" FROM o WHERE o.key <> walletfi_entries.key)")
			}
			_, err = s.DB().Exec("WITH o AS MATERIALIZED (SELECT * FROM walletfi_entries) UPDATE walletfi_entries SET " + strings.Join(sets, ", "))
			require.NoError(t, err)
			for _, key := range []string{"key:a", "key:b"} {
				_, err := s.Journal().Load(t.Context(), key)
				require.ErrorIs(t, err, sqlstore.ErrDamaged, columns)
			}
		}
	})
}

func TestFullDatabase(t *testing.T) {
	e := newSQLite(t)
	e.open(t)
	s, err := sqlstore.Open(t.Context(), sqlstore.Config{DB: sqliteWith(t, e.config.Path, "_pragma=max_page_count(60)"), Dialect: sqlstore.SQLite})
	require.NoError(t, err)
	p := newPayer(t, s)
	for _, size := range []int{2000, 10} {
		stored := 0
		for err = nil; err == nil && stored < 1000; stored++ {
			e := bigEntry(fmt.Sprint(size, " ", stored))
			e.Overridden[0] = e.Overridden[0][:size]
			err = s.Journal().Store(t.Context(), 0, e)
		}
		require.ErrorIs(t, err, sqlstore.ErrFull)
		require.Less(t, stored, 1000)
	}
	p.paysNothing(t, "key", sqlstore.ErrFull)
	_, err = s.Journal().Load(t.Context(), "2000 0")
	require.NoError(t, err, "what was stored can be read")
}

func TestReadOnlyDatabase(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		e := newSQLite(t)
		fill(t, e.open(t), 1)
		readOnly := sqlstore.Config{DB: sqliteWith(t, e.config.Path, "mode=ro"), Dialect: sqlstore.SQLite}
		_, err := sqlstore.Open(t.Context(), readOnly)
		require.ErrorIs(t, err, sqlstore.ErrReadOnly)
		later := sqliteWith(t, e.config.Path, "")
		s, err := sqlstore.Open(t.Context(), sqlstore.Config{DB: later, Dialect: sqlstore.SQLite})
		require.NoError(t, err)
		p := newPayer(t, s)
		_, err = later.Exec("PRAGMA query_only = 1")
		require.NoError(t, err)
		p.paysNothing(t, "key", sqlstore.ErrReadOnly)
	})
	onPostgreSQL(t, func(t *testing.T, e engine) {
		e.open(t)
		_, err := sqlstore.Open(t.Context(), e.with(t, "default_transaction_read_only", "on"))
		require.ErrorIs(t, err, sqlstore.ErrReadOnly)
	})
}

// TestLockedDatabase: another process holds the lock that a write needs.
func TestLockedDatabase(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		e := newSQLite(t)
		e.config.Timeout = 300 * time.Millisecond
		s := e.open(t)
		p := newPayer(t, s)
		tx, err := sqliteWith(t, e.config.Path, "").Begin()
		require.NoError(t, err)
		defer tx.Rollback()
		p.paysNothing(t, "key", sqlstore.ErrBusy, e.config.Path)
		_, err = sqlstore.Open(t.Context(), e.config)
		require.ErrorIs(t, err, sqlstore.ErrBusy)
	})
	onPostgreSQL(t, func(t *testing.T, e engine) {
		s := e.open(t)
		for name, config := range map[string]sqlstore.Config{
			"the store's timeout":     {URL: e.config.URL, Timeout: 300 * time.Millisecond},
			"the statement's":         e.with(t, "statement_timeout", "300"),
			"the wait for the lock's": e.with(t, "lock_timeout", "300"),
		} {
			busy, err := sqlstore.Open(t.Context(), config)
			require.NoError(t, err, name)
			p := newPayer(t, busy)
			tx, err := s.DB().Begin()
			require.NoError(t, err)
			_, err = tx.Exec("LOCK TABLE walletfi_entries IN SHARE MODE")
			require.NoError(t, err)
			p.paysNothing(t, "key", sqlstore.ErrBusy)
			require.NoError(t, tx.Rollback())
			require.NoError(t, p.Close())
			require.NoError(t, busy.Close())
		}
	})
}
