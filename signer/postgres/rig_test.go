package postgres_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/postgres"
)

// databases numbers those of the tests.
var databases atomic.Int64

// newStore makes a database with a store, and returns its URL for the signers' role, and a connection of
// an administrator's.
func newStore(t *testing.T) (role walletfi.Secret, admin *pgx.Conn) {
	engine := os.Getenv("WALLETFI_TEST_POSTGRES")
	if engine == "" {
		t.Skip("WALLETFI_TEST_POSTGRES, see .ci/engine, has no server")
	}
	first, err := pgx.Connect(t.Context(), engine)
	require.NoError(t, err)
	defer first.Close(t.Context())
	name := fmt.Sprintf("signers_%d_%d", os.Getpid(), databases.Add(1))
	_, err = first.Exec(t.Context(), "CREATE DATABASE "+name)
	require.NoError(t, err)
	at, err := url.Parse(engine)
	require.NoError(t, err)
	at.Path = "/" + name
	return prepare(t, at.String())
}

// prepare makes the store in a database.
func prepare(t *testing.T, at string) (role walletfi.Secret, admin *pgx.Conn) {
	admin, err := pgx.Connect(t.Context(), at)
	require.NoError(t, err)
	t.Cleanup(func() { _ = admin.Close(context.WithoutCancel(t.Context())) })
	for _, name := range []string{"signers", "backend"} {
		const role = "DO $$ BEGIN CREATE ROLE %s LOGIN; EXCEPTION WHEN others THEN NULL; END $$"
		_, err = admin.Exec(t.Context(), fmt.Sprintf(role, name))
		require.NoError(t, err)
	}
	_, err = admin.Exec(t.Context(), signer.SharedSchema("signers"))
	require.NoError(t, err)
	return as(t, at, "signers"), admin
}

// as is a URL for a role.
func as(t *testing.T, at, role string) walletfi.Secret {
	u, err := url.Parse(at)
	require.NoError(t, err)
	u.User = url.User(role)
	return walletfi.NewSecret(u.String())
}

// opens opens signers on a store.
func opens(role walletfi.Secret) func(*testing.T, signer.Config) (*signer.Signer, error) {
	return func(t *testing.T, cfg signer.Config) (*signer.Signer, error) {
		var err error
		cfg.Store = ""
		cfg.Shared, err = postgres.Open(t.Context(), role)
		require.NoError(t, err)
		return signer.Open(t.Context(), cfg)
	}
}

// count is a number that an administrator reads in the store.
func count(t *testing.T, admin *pgx.Conn, query string) (n int64) {
	query = strings.ReplaceAll(query, "FROM ", "FROM walletfi_signer.")
	require.NoError(t, admin.QueryRow(t.Context(), query).Scan(&n))
	return n
}
