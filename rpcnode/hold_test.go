package rpcnode_test

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
)

// TestTooManyIsHeededInTheQueue: calls that wait when the node has too many requests leave it alone,
// too, and the space between calls grows although some always wait.
func TestTooManyIsHeededInTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const allowed = 2 // a second
		var mu sync.Mutex
		var second int64
		taken, refused, served := 0, 0, 0
		answer := inMemory(func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
			mu.Lock()
			defer mu.Unlock()
			if now := time.Now().Unix(); now != second {
				second, taken = now, 0
			}
			if taken++; taken > allowed {
				refused++
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			served++
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{"absoluteSlot":9,"blockHeight":8}}`))
		})
		node, err := rpcnode.New(rpcnode.Config{
			URL: walletfi.NewSecret("http://localhost"), HTTPClient: &http.Client{Transport: answer},
		})
		require.NoError(t, err)
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() { // the answer is another request's, which is no matter here
				for range 20 {
					_, _ = node.Head(t.Context())
				}
			})
		}
		time.Sleep(2 * time.Minute)
		mu.Lock()
		t.Logf("served=%d refused=%d", served, refused)
		require.Greater(t, served, allowed*60)
		require.Less(t, refused, 3*served)
		mu.Unlock()
		all.Wait()
	})
}
