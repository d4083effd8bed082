package rows

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/bench/internal/turns"
	"github.com/walletfi/walletfi-go/rpcnode"
)

func nodes() []Row {
	return []Row{{
		Group: "Calls", Name: "node over TLS, 16 goroutines", Unit: "x net/http by hand", Goal: 1.2, Bound: 1.7,
		Why:     "An answer is held to its request's id and to be one document, which a call by hand does not.",
		Measure: nodeCalls,
	}}
}

// height is the blockhash's end that the node tells.
const height = 123_456_789

// nodeServer answers each JSON-RPC call with the height, over TLS, as far away as a node is.
func nodeServer() *httptest.Server {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			ID json.RawMessage `json:"id"`
		}
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(time.Millisecond)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"absoluteSlot":%d,"blockHeight":%d,"epoch":1,"slotIndex":1,`+
			`"slotsInEpoch":432000,"transactionCount":1}}`, call.ID, height+10, height)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	return server
}

// nodeCalls is the time of a call when 16 goroutines ask a node for its head, by a client
// that was given no HTTP client.
func nodeCalls(e Effort) (Figure, error) {
	if err := trust(); err != nil {
		return Figure{}, err
	}
	server := nodeServer()
	defer server.Close()
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(server.URL)})
	if err != nil {
		return Figure{}, err
	}
	hundred := &http.Transport{MaxIdleConns: 100, MaxIdleConnsPerHost: 100, IdleConnTimeout: 90 * time.Second}
	defer hundred.CloseIdleConnections()
	shared := func(operation func() error) turns.Work { return concurrently(16, operation) }
	plan := turns.Plan{Turns: e.Turns, Turn: 4 * e.Turn, Clock: turns.Wall}
	return overSecond(turns.Run(plan,
		turns.Contender{Name: "walletfi", Work: shared(func() error {
			head, err := node.Head(context.Background())
			return orWant(err, func() error { return want(head.Height == height, "height %d", head.Height) })
		})},
		turns.Contender{Name: "net/http, 100 idle connections", Work: shared(headByHand(hundred, server.URL))},
		turns.Contender{Name: "net/http's default client", Work: shared(headByHand(http.DefaultTransport, server.URL))},
	))
}

func headByHand(transport http.RoundTripper, url string) func() error {
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	return func() error {
		call := []byte(`{"jsonrpc":"2.0","id":1,"method":"getEpochInfo","params":[{"commitment":"confirmed"}]}`)
		response, err := client.Post(url, "application/json", bytes.NewReader(call))
		if err != nil {
			return err
		}
		defer response.Body.Close()
		var answer struct {
			Result struct {
				BlockHeight uint64 `json:"blockHeight"`
			} `json:"result"`
		}
		err = json.NewDecoder(response.Body).Decode(&answer)
		_, drained := io.Copy(io.Discard, response.Body)
		return orWant(errors.Join(err, drained), func() error {
			return want(answer.Result.BlockHeight == height, "height %d", answer.Result.BlockHeight)
		})
	}
}
