package postgres_test

import (
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/postgres"
	"github.com/walletfi/walletfi-go/signer/signertest"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// at opens a signer of the pair's on a store, with an anchor.
func (p *pair) at(t *testing.T, role walletfi.Secret, anchor string) *signer.Signer {
	cfg := p.Config
	cfg.Anchor = anchor
	s, err := opens(role)(t, cfg)
	require.NoError(t, err)
	require.NoError(t, s.Settle(t.Context()))
	return s
}

// frozen requires that a signer found that its store is another one: it is frozen, and once it is thawed its
// windows are used up.
func (p *pair) frozen(t *testing.T, s *signer.Signer) {
	t.Helper()
	require.ErrorContains(t, sign(t, s, p.Payment(t, payee, 1)), signer.CodeFrozen)
	require.NoError(t, s.Thaw(t.Context(), "admin", "we know"))
	require.ErrorContains(t, sign(t, s, p.Payment(t, payee, 2)), signer.CodeWindow)
	require.NoError(t, s.Close())
}

// TestRestored: a copy of the database of an earlier moment freezes each signer that opens it, the one that
// has written since, by its anchor, and the one that has not.
func TestRestored(t *testing.T) {
	role, admin := newStore(t)
	require.NoError(t, admin.Close(t.Context()))
	p := &pair{Signer: signertest.Start(t, policy)}
	p.Config.Seed = signingtest.Key("seed")
	dir := t.TempDir()
	newer, older := filepath.Join(dir, "newer"), filepath.Join(dir, "older")
	s := p.at(t, role, newer)
	require.NoError(t, sign(t, s, p.Payment(t, payee, 300_000_000)))
	require.NoError(t, s.Close())
	require.NoError(t, p.at(t, role, older).Close())

	name := strings.TrimPrefix(parsed(t, role).Path, "/")
	copies := []walletfi.Secret{}
	for _, as := range []string{"_one", "_two"} {
		first, err := pgx.Connect(t.Context(), os.Getenv("WALLETFI_TEST_POSTGRES"))
		require.NoError(t, err)
		_, err = first.Exec(t.Context(), "CREATE DATABASE "+name+as+" TEMPLATE "+name)
		require.NoError(t, err)
		require.NoError(t, first.Close(t.Context()))
		u := parsed(t, role)
		u.Path += as
		copies = append(copies, walletfi.NewSecret(u.String()))
	}
	s = p.at(t, role, newer)
	require.NoError(t, sign(t, s, p.Payment(t, payee, 300_000_001)))
	require.NoError(t, s.Close())

	p.frozen(t, p.at(t, copies[0], newer))
	p.frozen(t, p.at(t, copies[1], older))
	s = p.at(t, copies[1], newer) // whose entries another signer has gone on without
	require.ErrorContains(t, sign(t, s, p.Payment(t, payee, 3)), signer.CodeFrozen)
	require.NoError(t, s.Close())
	s = p.at(t, role, newer+"2") // the original is as it was
	require.NoError(t, sign(t, s, p.Payment(t, payee, 4)))
	require.NoError(t, s.Close())
}

// TestRestoredBeneath: a store that loses entries while a signer has it open is not signed on.
func TestRestoredBeneath(t *testing.T) {
	role, admin := newStore(t)
	p := &pair{Signer: signertest.Start(t, policy)}
	p.Config.Seed = signingtest.Key("seed")
	anchor := filepath.Join(t.TempDir(), "anchor")
	s := p.at(t, role, anchor)
	was := count(t, admin, "SELECT max(seq) FROM log")
	require.NoError(t, sign(t, s, p.Payment(t, payee, 300_000_000)))
	for _, statement := range []string{
		"DELETE FROM log WHERE seq > $1", "DELETE FROM signed WHERE made > $1", "DELETE FROM debit WHERE at > $1",
	} {
		_, err := admin.Exec(t.Context(), strings.Replace(statement, "FROM ", "FROM walletfi_signer.", 1), was)
		require.NoError(t, err)
	}
	require.ErrorContains(t, sign(t, s, p.Payment(t, payee, 1)), signer.CodeStore)
	health, err := s.Health(t.Context())
	require.NoError(t, err)
	require.Contains(t, health.Stopped, "older than its anchor")
	require.NoError(t, s.Close())
	p.frozen(t, p.at(t, role, anchor))
}

func parsed(t *testing.T, role walletfi.Secret) *url.URL {
	u, err := url.Parse(role.Reveal())
	require.NoError(t, err)
	return u
}

// replica copies the server into a standby, which has what the server has and follows it.
const replica = `
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | sort -V | tail -n 1)
as() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
if [ "$(id -u)" = 0 ]; then chown postgres "$DIR"; fi
cd "$DIR"
as "$bin/pg_basebackup" -D "$DIR/data" -R -X stream -c fast -d "$PRIMARY"
as "$bin/pg_ctl" -D "$DIR/data" -w -t 60 -l "$DIR/log" -o "-p $PORT -c listen_addresses=127.0.0.1 \
	-c unix_socket_directories='' -c fsync=off -c max_connections=500" start > /dev/null`

// script runs one of the shell's.
func script(t *testing.T, text string, variables ...string) {
	c := exec.Command("bash", "-euo", "pipefail", "-c", text)
	c.Env = append(os.Environ(), variables...)
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func receivers(t *testing.T, admin *pgx.Conn) (n int64) {
	require.NoError(t, admin.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_wal_receiver").Scan(&n))
	return n
}

// freePort is a port to which nothing listens.
func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	return port
}

// TestReplica: a standby that does not have the newest entries is promoted, and freezes also the signer that
// has not seen those.
func TestReplica(t *testing.T) {
	role, _ := newStore(t)
	p := &pair{Signer: signertest.Start(t, policy)}
	p.Config.Seed = signingtest.Key("seed")
	files := t.TempDir()
	newer, older := filepath.Join(files, "newer"), filepath.Join(files, "older")
	s := p.at(t, role, newer)
	require.NoError(t, sign(t, s, p.Payment(t, payee, 300_000_000)))
	require.NoError(t, p.at(t, role, older).Close())

	dir, err := os.MkdirTemp("", "replica")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755)) // for the user postgres
	at := parsed(t, role)
	at.Host = "127.0.0.1:" + freePort(t)
	variables := []string{"DIR=" + dir, "PORT=" + at.Port(), "PRIMARY=" + os.Getenv("WALLETFI_TEST_POSTGRES")}
	script(t, replica, variables...)
	const stop = `
cd "$DIR"
as() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
as "$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)/pg_ctl" -D "$DIR/data" -m immediate stop > /dev/null
cd /; rm -rf "$DIR"`
	t.Cleanup(func() { script(t, stop, variables...) })
	standby := walletfi.NewSecret(at.String())
	_, err = postgres.Open(t.Context(), standby)
	require.ErrorContains(t, err, "standby")

	u := *at
	u.User = url.User("walletfi")
	admin, err := pgx.Connect(t.Context(), u.String())
	require.NoError(t, err)
	has := count(t, admin, "SELECT max(seq) FROM log")
	require.NoError(t, sign(t, s, p.Payment(t, payee, 300_000_001)))
	require.Eventually(t, func() bool { return count(t, admin, "SELECT max(seq) FROM log") > has }, 30*time.Second,
		10*time.Millisecond, "it follows")
	for _, statement := range []string{"ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"} {
		_, err = admin.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		return receivers(t, admin) == 0
	}, 30*time.Second, 10*time.Millisecond, "it lags from now on")
	require.NoError(t, sign(t, s, p.Payment(t, payee, 300_000_002)))
	require.NoError(t, s.Close())
	var promoted bool
	require.NoError(t, admin.QueryRow(t.Context(), "SELECT pg_promote()").Scan(&promoted))
	require.True(t, promoted)
	require.NoError(t, admin.Close(t.Context()))
	p.frozen(t, p.at(t, standby, older))
	s = p.at(t, standby, newer)
	require.ErrorContains(t, sign(t, s, p.Payment(t, payee, 5)), signer.CodeFrozen)
	require.NoError(t, s.Close())
}
