package main

import (
	"database/sql"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestOnPostgreSQLAndRedis pays with everything in PostgreSQL and the limits in Redis.
// .ci/programs starts both.
func TestOnPostgreSQLAndRedis(t *testing.T) {
	postgres, redis := os.Getenv("WALLETFI_TEST_POSTGRES"), os.Getenv("WALLETFI_TEST_REDIS")
	if postgres == "" || redis == "" {
		t.Log("not run: WALLETFI_TEST_POSTGRES or WALLETFI_TEST_REDIS is not set")
		return
	}
	t.Setenv(settings.Variable(settings.DatabaseURL), postgres)
	t.Setenv(settings.Variable(settings.RedisURL), "redis://"+redis)
	r := newRigWith(t, sandbox.Config{InstantConfirmation: true}, options{postgres: true, redis: true})
	require.NoFileExists(t, databaseOf(r.data).Path)
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	alice.approve(t, p)
	alice.await(t, p.ID, "confirmed")
	require.EqualValues(t, 975_000_000, r.usdc(t, "alice"))
	require.NotContains(t, r.log.String(), postgres)
}

// TestACollectorIsTold pays with telemetry, and counts what a collector gets.
func TestACollectorIsTold(t *testing.T) {
	var traces, metrics atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/traces":
			traces.Add(1)
		case "/v1/metrics":
			metrics.Add(1)
		default:
			t.Error("unexpected", r.URL.Path)
		}
	}))
	t.Cleanup(collector.Close)
	r := newRigWith(t, sandbox.Config{InstantConfirmation: true}, options{collector: collector.URL})
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	alice.approve(t, p)
	alice.await(t, p.ID, "confirmed")
	telemetry := r.backend.telemetry
	require.NoError(t, telemetry.traces.ForceFlush(t.Context()))
	require.NoError(t, telemetry.metrics.ForceFlush(t.Context()))
	require.Positive(t, traces.Load())
	require.Positive(t, metrics.Load())
}

// second opens the database as another program does.
func (r *rig) second(t *testing.T) *sql.Conn {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+databaseOf(r.data).Path+"?_pragma=busy_timeout(10000)")
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// lock keeps others from writing until the returned function is called.
func (r *rig) lock(t *testing.T) (unlock func()) {
	t.Helper()
	conn := r.second(t)
	_, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	return func() {
		_, err := conn.ExecContext(t.Context(), "ROLLBACK")
		require.NoError(t, err)
	}
}

// TestALockedDatabase: another process holds the lock for seconds while a payment is
// approved. The approval waits, and the payment is paid once; one that waited too long
// is refused with why, and can be made again.
func TestALockedDatabase(t *testing.T) {
	t.Parallel()
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	unlock := r.lock(t)
	approved := make(chan payment, 1)
	go func() { approved <- alice.approve(t, p) }()
	require.Never(t, func() bool { return len(approved) > 0 }, time.Second, waitEvery, "nothing can be written")
	require.Equal(t, "review", alice.await(t, p.ID, "review").State, "it can be read")
	unlock()
	require.Equal(t, "executing", (<-approved).State)
	alice.await(t, p.ID, "confirmed")
	require.EqualValues(t, 975_000_000, r.usdc(t, "alice"))

	next := alice.prepare(t, r.swapOf("25"))
	unlock = r.lock(t)
	var answer struct{ Error string }
	require.Equal(t, http.StatusServiceUnavailable, alice.call(t, "POST", "/api/payments/"+next.ID+"/approval", map[string]string{"digest": next.Digest}, &answer))
	require.Equal(t, "the database is busy: try again", answer.Error)
	unlock()
	require.EqualValues(t, 975_000_000, r.usdc(t, "alice"), "nothing was paid")
	alice.approve(t, next)
	alice.await(t, next.ID, "confirmed")
	require.EqualValues(t, 950_000_000, r.usdc(t, "alice"))
}

// TestAnEndThatCannotBeKept: the payment lands while the database cannot keep its end.
// The end is kept once that is possible, without a restart.
func TestAnEndThatCannotBeKept(t *testing.T) {
	t.Parallel()
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	conn := r.second(t)
	_, err := conn.ExecContext(t.Context(), `CREATE TRIGGER broken BEFORE UPDATE ON payments WHEN NEW.state = 'confirmed' BEGIN SELECT RAISE(FAIL, 'disk full'); END`)
	require.NoError(t, err)
	alice.approve(t, p)
	require.Eventually(t, func() bool { return r.usdc(t, "alice") == 975_000_000 }, waitMost, waitEvery, "it lands")
	require.Eventually(t, func() bool { return r.log.contains("keeping a payment's end") }, waitMost, waitEvery)
	require.Equal(t, "executing", alice.await(t, p.ID, "executing").State)
	_, err = conn.ExecContext(t.Context(), `DROP TRIGGER broken`)
	require.NoError(t, err)
	alice.await(t, p.ID, "confirmed")
	require.EqualValues(t, 975_000_000, r.usdc(t, "alice"), "paid once")
}
