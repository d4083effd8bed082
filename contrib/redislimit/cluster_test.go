package redislimit_test

import (
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/contrib/redislimit"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// TestCluster: a scope has one slot of a cluster, so that the script may use it.
func TestCluster(t *testing.T) {
	s := startServer(t)
	s.kill()
	s.start(t, "--cluster-enabled", "yes")
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
