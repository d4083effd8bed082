package rpcnode_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode"
)

// TestSendRate: what is left of the budgets next to what is read, at least a fifth; 0 without a
// limit, until the node asks for space.
func TestSendRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		status, body := http.StatusOK, `{"jsonrpc":"2.0","id":1,"result":{"absoluteSlot":9,"blockHeight":8}}`
		answer := inMemory(func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
			w.WriteHeader(status)
			w.Write([]byte(body))
		})
		node := func(limiter ratelimit.Limiter, costs map[string]int) *rpcnode.Client {
			c, err := rpcnode.New(rpcnode.Config{
				URL: walletfi.NewSecret("http://localhost"), HTTPClient: &http.Client{Transport: answer}, Limiter: limiter, Costs: costs,
			})
			require.NoError(t, err)
			return c
		}
		budget := ratelimit.New(ratelimit.Budget{Requests: 10, Per: time.Second}, ratelimit.Budget{Requests: 1000, Per: time.Second})
		free, limited, dear := node(nil, nil), node(budget, nil), node(budget, map[string]int{"sendTransaction": 5, "getEpochInfo": 1000})
		require.Equal(t, []float64{0, 10, 2}, []float64{free.SendRate(), limited.SendRate(), dear.SendRate()})
		read := func(c *rpcnode.Client, n int) {
			for range n {
				_, err := c.Head(t.Context())
				require.NoError(t, err)
			}
		}
		read(limited, 10)
		require.InDelta(t, 9, limited.SendRate(), 0.2)
		time.Sleep(100 * time.Second)
		require.InDelta(t, 10, limited.SendRate(), 0.01)
		for range 60 {
			read(limited, 10)
			time.Sleep(time.Second)
		}
		require.InDelta(t, 2, limited.SendRate(), 0.01)

		pool := func(sendTo int, nodes ...*rpcnode.Client) *rpcnode.Pool {
			p, err := rpcnode.NewPool(rpcnode.PoolConfig{Nodes: nodes, SendTo: sendTo})
			require.NoError(t, err)
			return p
		}
		fresh := node(ratelimit.New(ratelimit.Budget{Requests: 8, Per: time.Second}), nil)
		require.InDelta(t, 10, pool(1, fresh, limited).SendRate(), 0.1)
		require.InDelta(t, 5, pool(2, fresh, limited).SendRate(), 0.1)
		require.InDelta(t, 8, pool(2, fresh).SendRate(), 0.1)
		require.Zero(t, pool(1, fresh, free).SendRate())

		read(free, 1)
		require.Zero(t, free.SendRate())
		status, body = http.StatusTooManyRequests, ""
		_, _ = free.Submit(t.Context(), signedOffline(t))
		require.InDelta(t, 2.5, free.SendRate(), 0.1)
	})
}
