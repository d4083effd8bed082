package sqlstore_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/tokenstoretest"
)

func TestTokenStore(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		fresh := newEngine(e.dialect)
		tokenstoretest.Run(t, func(t *testing.T) tokenstoretest.Store {
			e := fresh(t)
			open := func(t *testing.T) walletfi.TokenStore { return e.open(t).Tokens("account") }
			return tokenstoretest.Store{Open: open, Reopen: open}
		})
	})
}

func canary() walletfi.Token {
	return walletfi.Token{Access: walletfi.NewSecret("canary-access"), Refresh: walletfi.NewSecret("canary-refresh"), Expiry: time.Now()}
}

// TestNoKey: without a key nothing is stored, and the error says what to do.
func TestNoKey(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		e.config.Keys = nil
		s := e.open(t)
		tokens := s.Tokens("account")
		_, err := tokens.Load(t.Context())
		require.ErrorIs(t, err, sqlstore.ErrNoKey)
		require.ErrorContains(t, err, "Config.Keys")
		require.ErrorIs(t, tokens.Save(t.Context(), canary()), sqlstore.ErrNoKey)
		require.ErrorIs(t, tokens.Save(t.Context(), walletfi.Token{}), sqlstore.ErrNoKey)
		_, err = tokens.Replace(t.Context(), walletfi.Token{}, canary())
		require.ErrorIs(t, err, sqlstore.ErrNoKey)
		_, err = tokens.TryLock(t.Context(), time.Minute)
		require.ErrorIs(t, err, sqlstore.ErrNoKey)
		require.Zero(t, rows(t, s, "walletfi_tokens"))
	})
}

func rows(t *testing.T, s *sqlstore.Store, table string) (n int) {
	t.Helper()
	require.NoError(t, s.DB().QueryRow("SELECT count(*) FROM "+table).Scan(&n))
	return n
}

// TestKeyRotation: the newest key encrypts, older ones still decrypt.
func TestKeyRotation(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		newer := walletfi.NewSecret("bmV3ZXJuZXdlcm5ld2VybmV3ZXJuZXdlcm5ld2VyMDE=")
		with := func(keys ...walletfi.Secret) *sqlstore.TokenStore {
			e.config.Keys = keys
			return e.open(t).Tokens("account")
		}
		require.NoError(t, with(testKey).Save(t.Context(), canary()))
		got, err := with(newer, testKey).Load(t.Context())
		require.NoError(t, err)
		require.True(t, got.Same(canary()))
		_, err = with(newer).Load(t.Context())
		require.ErrorIs(t, err, sqlstore.ErrNoKey)
		replaced, err := with(newer).Replace(t.Context(), canary(), canary())
		require.ErrorIs(t, err, sqlstore.ErrNoKey)
		require.False(t, replaced)
		require.NoError(t, with(newer, testKey).Save(t.Context(), canary()))
		got, err = with(newer).Load(t.Context())
		require.NoError(t, err)
		require.True(t, got.Same(canary()))
		_, err = with(testKey).Load(t.Context())
		require.ErrorIs(t, err, sqlstore.ErrNoKey)
	})
}

// TestTokensAreBoundToTheirRow: a token that is copied to another account's row, or
// changed, is damage, not a token.
func TestTokensAreBoundToTheirRow(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s := e.open(t)
		for _, name := range []string{"ann", "bob"} {
			require.NoError(t, s.Tokens(name).Save(t.Context(), canary()))
		}
		_, err := s.DB().Exec("UPDATE walletfi_tokens SET sealed = (SELECT sealed FROM walletfi_tokens WHERE name = 'ann') WHERE name = 'bob'")
		require.NoError(t, err)
		_, err = s.Tokens("bob").Load(t.Context())
		require.ErrorIs(t, err, sqlstore.ErrDamaged)
		require.ErrorContains(t, err, "bob")
		_, err = s.Tokens("ann").Load(t.Context())
		require.NoError(t, err)
	})
}

// TestSecretsAtRest: neither token nor key is in the database, or in what is
// printed of the store.
func TestSecretsAtRest(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s := e.open(t)
		require.NoError(t, s.Tokens("account").Save(t.Context(), canary()))
		var sealed string
		require.NoError(t, s.DB().QueryRow("SELECT "+map[sqlstore.Dialect]string{
			sqlstore.SQLite: "hex(sealed)", sqlstore.PostgreSQL: "encode(sealed, 'escape')",
		}[e.dialect]+" FROM walletfi_tokens").Scan(&sealed))
		require.NotEmpty(t, sealed)
		printed := []string{sealed, fmt.Sprintf("%v %+v %#v", e.config, e.config, e.config), fmt.Sprintf("%+v %#v", s, s.Tokens("account"))}
		if e.dialect == sqlstore.SQLite {
			for _, suffix := range []string{"", "-wal"} {
				raw, err := os.ReadFile(e.config.Path + suffix)
				require.NoError(t, err)
				printed = append(printed, string(raw))
			}
		}
		require.GreaterOrEqual(t, len(printed), 3)
		for _, text := range printed {
			for _, secret := range []string{"canary", testKey.Reveal(), "0123456789abcdef"} {
				require.NotContains(t, text, secret)
			}
		}
	})
}
