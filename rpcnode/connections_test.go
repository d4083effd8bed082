package rpcnode_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/connections"
	"github.com/walletfi/walletfi-go/rpcnode"
)

// TestConnectionsAreKept: without an HTTP client of the caller's, 16 callers at once keep theirs from
// one call to the next. net/http by itself keeps 2.
func TestConnectionsAreKept(t *testing.T) {
	const callers, rounds = 16, 5
	for name, c := range map[string]struct {
		client *http.Client
		most   int64
		more   bool
	}{
		"the pool of the services": {nil, callers, false}, "net/http's own": {httpClient(t, 0), callers + 2*rounds, true},
	} {
		t.Run(name, func(t *testing.T) {
			var opened, under atomic.Int64
			var round atomic.Pointer[chan struct{}]
			round.Store(new(make(chan struct{})))
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var asked struct{ ID json.RawMessage }
				_ = json.NewDecoder(r.Body).Decode(&asked)
				together := *round.Load()
				if under.Add(1)%callers == 0 {
					round.Store(new(make(chan struct{})))
					close(together) // all of a round have their connection by now
				}
				<-together
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":77}`, asked.ID)
			}))
			s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					opened.Add(1)
				}
			}
			s.Start()
			defer s.Close()
			defer connections.Shared().CloseIdleConnections()
			node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL), HTTPClient: c.client})
			require.NoError(t, err)
			for range rounds {
				var all sync.WaitGroup
				for range callers {
					all.Go(func() {
						_, err := node.BlockHeight(t.Context())
						require.NoError(t, err)
					})
				}
				all.Wait()
			}
			require.Equal(t, int64(callers*rounds), under.Load())
			require.Equal(t, c.more, opened.Load() > c.most, "%d were opened", opened.Load())
			t.Log(opened.Load())
		})
	}
}
