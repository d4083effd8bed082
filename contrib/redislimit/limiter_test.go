package redislimit_test

import (
	"net"
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/contrib/redislimit"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/ratelimit/limitertest"
)

func TestRedisLimiter(t *testing.T) {
	addr := address(t)
	limitertest.Run(t, func(t *testing.T, scope ratelimit.Scope) limitertest.Fleet {
		key := unique(t)
		ready(t, open(t, addr, key).Limiter(scope))
		return limitertest.Fleet{Open: func(t *testing.T) ratelimit.Limiter {
			l := open(t, addr, key).Limiter(scope)
			ready(t, l)
			return l
		}}
	})
}

// TestCluster: a scope has one slot of a cluster, so that the script may use it.
func TestCluster(t *testing.T) {
	s := startServer(t)
	s.kill()
	// By itself the cluster's bus takes the port 10,000 above, which any connection may hold.
	_, bus, err := net.SplitHostPort(wiretest.UnusedAddress(t))
	require.NoError(t, err)
	s.start(t, "--cluster-enabled", "yes", "--cluster-port", bus)
	out, err := exec.Command("redis-cli", "-p", s.port, "cluster", "addslotsrange", "0", "16383").CombinedOutput()
	require.NoError(t, err, string(out))
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{s.addr}})
	defer client.Close()
	for end := time.Now().Add(20 * time.Second); client.Set(t.Context(), "x", 1, 0).Err() != nil; wait(t, 20*time.Millisecond) {
		require.True(t, time.Now().Before(end), "the cluster does not come up")
	}
	fleet := open(t, s.addr, "k", func(c *redislimit.Config) { c.Client = client })
	for _, class := range []string{"read", "write", "execution"} {
		l := fleet.Limiter(ratelimit.Scope{Service: "test", Class: class, Budgets: []ratelimit.Budget{{Requests: 2, Per: time.Hour}, {Requests: 5, Per: time.Minute}}})
		ready(t, l)
		require.NoError(t, take(t, l)(t.Context(), true))
		take(t, l)
		refused(t, l)
	}
}

// BenchmarkPermit is a permit and its done without contention: two round trips. A PING is
// one.
func BenchmarkPermit(b *testing.B) {
	client := redis.NewClient(&redis.Options{Addr: address(b)})
	defer client.Close()
	fleet, err := redislimit.New(redislimit.Config{Client: client, Key: time.Now().String(), ReportPeriod: 100 * time.Millisecond})
	require.NoError(b, err)
	defer fleet.Close()
	l := fleet.Limiter(ratelimit.Scope{Service: "bench", Budgets: []ratelimit.Budget{
		{Requests: 1 << 30, Per: 24 * time.Hour}, {Requests: 1 << 30, Per: time.Minute},
	}})
	_, err = l.Permit(b.Context(), time.Minute)
	require.NoError(b, err)
	b.Run("permit", func(b *testing.B) {
		for b.Loop() {
			done, err := l.Permit(b.Context(), 0)
			if err != nil {
				b.Fatal(err)
			}
			_ = done(b.Context(), true)
		}
	})
	b.Run("ping", func(b *testing.B) {
		for b.Loop() {
			if err := client.Ping(b.Context()).Err(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
