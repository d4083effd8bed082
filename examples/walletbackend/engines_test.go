package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"

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
