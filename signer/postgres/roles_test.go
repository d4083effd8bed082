package postgres_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/postgres"
)

// TestRoles: the role of a backend reads nothing of the store, and that of the signers adds to the log alone.
func TestRoles(t *testing.T) {
	role, admin := newStore(t)
	refused := 0
	deny := func(name, statement string) {
		conn, err := pgx.Connect(t.Context(), as(t, role.Reveal(), name).Reveal())
		require.NoError(t, err)
		defer conn.Close(t.Context())
		_, err = conn.Exec(t.Context(), statement)
		require.Error(t, err, "%s: %s", name, statement)
		require.True(t, strings.Contains(err.Error(), "42501"), "%s: %s: %v", name, statement, err)
		refused++
	}
	for _, table := range []string{"meta", "signed", "debit", "granted", "holding", "log"} {
		deny("backend", "SELECT * FROM walletfi_signer."+table)
		deny("backend", "DELETE FROM walletfi_signer."+table)
	}
	deny("backend", "SELECT walletfi_signer.instr('a', 'a')")
	for _, statement := range []string{
		"UPDATE walletfi_signer.log SET body = ''", "DELETE FROM walletfi_signer.log", "TRUNCATE walletfi_signer.log",
		"DROP TABLE walletfi_signer.log", "ALTER TABLE walletfi_signer.log DISABLE TRIGGER ALL",
		"CREATE TABLE walletfi_signer.other (n INTEGER)", "DELETE FROM walletfi_signer.holding",
	} {
		deny("signers", statement)
	}
	require.Equal(t, 20, refused)
	_, err := postgres.Open(t.Context(), walletfi.NewSecret(admin.Config().ConnString()))
	require.ErrorContains(t, err, "could change the log")
	_, err = postgres.Open(t.Context(), walletfi.NewSecret("postgres://user:hunter2@[/"))
	require.Error(t, err)
	require.NotContains(t, err.Error(), "hunter2")
	db, err := postgres.Open(t.Context(), role)
	require.NoError(t, err)
	require.NoError(t, db.Close())
}
