package rows

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/bench/internal/turns"
	"github.com/walletfi/walletfi-go/internal/bodies"
	"github.com/walletfi/walletfi-go/webhooks"
)

// senders is how many deliveries are under way.
const senders = 8

// throughput is the time of a delivery of 3 KB over a socket, sender included, next to
// a handler that verifies, decodes and remembers by hand.
func throughput(e Effort) (Figure, error) {
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{walletfi.NewSecret(webhookSecret)}},
		Handler:  func(_ context.Context, d *webhooks.Delivery) error { return want(d.EVM != nil, "not read") },
	})
	if err != nil {
		return Figure{}, err
	}
	ours, theirs := httptest.NewServer(receiver), httptest.NewServer(&handReceiver{})
	defer ours.Close()
	defer theirs.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: senders}}
	defer client.CloseIdleConnections()
	plan := e.plan()
	plan.Clock = turns.Wall
	return overSecond(turns.Run(plan,
		turns.Contender{Name: "walletfi", Work: concurrently(senders, sender(client, ours.URL))},
		turns.Contender{Name: "by hand", Work: concurrently(senders, sender(client, theirs.URL))},
	))
}

// sender sends a delivery that is new.
func sender(client *http.Client, url string) func() error {
	signer := webhooks.DeliverySigner{Secret: walletfi.NewSecret(webhookSecret)}
	body := bodies.EVM(2)
	var sent atomic.Int64
	return func() error {
		own := bytes.Replace([]byte(body), []byte(`"blockNumber":21000001`),
			fmt.Appendf(nil, `"blockNumber":%d`, sent.Add(1)), 1)
		r := signer.Request(url, own)
		r.RequestURI = ""
		response, err := client.Do(r)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		io.Copy(io.Discard, response.Body)
		return want(response.StatusCode == http.StatusOK, "HTTP %d", response.StatusCode)
	}
}

// handReceiver is the handler that a careful program writes.
type handReceiver struct {
	mu   sync.Mutex
	seen map[[32]byte]bool
}

func (h *handReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := verifyByHand(r)
	if err != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var payload plainEVM
	if json.Unmarshal(body, &payload) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen == nil {
		h.seen = map[[32]byte]bool{}
	}
	h.seen[sha256.Sum256(body)] = true
}
