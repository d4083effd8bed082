package redislimit_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/contrib/redislimit"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// address returns a Redis that tests share: WALLETFI_TEST_REDIS, or one of the test's
// own.
func address(t testing.TB) string {
	t.Helper()
	if addr := os.Getenv("WALLETFI_TEST_REDIS"); addr != "" {
		return addr
	}
	return startServer(t).addr
}

// server is a Redis of the test's own, which it may kill.
type server struct {
	addr, port, dir string
	process         *exec.Cmd
}

func startServer(t testing.TB) *server {
	t.Helper()
	s := &server{addr: wiretest.UnusedAddress(t), dir: t.TempDir()}
	_, s.port, _ = net.SplitHostPort(s.addr)
	s.start(t)
	t.Cleanup(func() { s.kill() })
	return s
}

// start runs the server on its port, with what it saved.
func (s *server) start(t testing.TB, more ...string) {
	t.Helper()
	args := []string{"--port", s.port, "--bind", "127.0.0.1", "--dir", s.dir, "--save", "", "--appendonly", "no"}
	s.process = exec.Command("redis-server", append(args, more...)...)
	var log bytes.Buffer
	s.process.Stdout, s.process.Stderr = &log, &log
	require.NoError(t, s.process.Start(), "redis-server is needed: .ci/engine install redis")
	client := redis.NewClient(&redis.Options{Addr: s.addr})
	defer client.Close()
	for end := time.Now().Add(20 * time.Second); client.Ping(t.Context()).Err() != nil; {
		if time.Now().After(end) {
			s.kill()
			require.Fail(t, "redis-server does not answer", log.String())
		}
		require.NoError(t, pause.For(t.Context(), 10*time.Millisecond))
	}
}

// kill is kill -9.
func (s *server) kill() {
	if s.process.ProcessState == nil {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
	}
}

// open returns a fleet of one process more.
func open(t *testing.T, addr, key string, change ...func(*redislimit.Config)) *redislimit.Fleet {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: addr})
	cfg := redislimit.Config{Client: client, Key: key, ReportPeriod: 60 * time.Millisecond, Lease: 3 * time.Second}
	for _, c := range change {
		c(&cfg)
	}
	f, err := redislimit.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, f.Close())
		require.NoError(t, client.Close())
	})
	return f
}

// ready waits until the fleet gives slots.
func ready(t *testing.T, l ratelimit.Limiter) {
	t.Helper()
	done, err := l.Permit(t.Context(), 20*time.Second)
	require.NoError(t, err)
	require.NoError(t, done(t.Context(), false))
}

func unique(t *testing.T) string { return fmt.Sprint(t.Name(), time.Now().UnixNano()) }

func scopeOf(budgets ...ratelimit.Budget) ratelimit.Scope {
	return ratelimit.Scope{Service: "test", Class: "read", Budgets: budgets}
}

func take(t *testing.T, l ratelimit.Limiter) func(context.Context, bool) error {
	t.Helper()
	done, err := l.Permit(t.Context(), 0)
	require.NoError(t, err)
	return done
}

func refused(t *testing.T, l ratelimit.Limiter) time.Duration {
	t.Helper()
	_, err := l.Permit(t.Context(), 0)
	e := wiretest.As[*ratelimit.Error](t, err)
	return time.Until(e.ResetAt)
}
