package swap_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	maxAmount = walletfi.Amount(1<<64 - 1)
	sol       = walletfi.NativeMint
	usdc      = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	user      = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
	other     = "ComputeBudget111111111111111111111111111111"
)

// signature is that of signedTransaction.
var signature = base58.Encode(bytes.Repeat([]byte{7}, 64))

// signedTransaction is the least that passes for a signed legacy transaction.
func signedTransaction() walletfi.Base64Transaction { return transactionSigned(7) }

func transactionSigned(filler byte) walletfi.Base64Transaction {
	b := append([]byte{1}, bytes.Repeat([]byte{filler}, 64)...)
	b = append(b, 1, 0, 0, 1)
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(append(b, make([]byte, 64)...)))
}

// client is a client of base with a key that repeats nothing.
func client(t testing.TB, base string) *swap.Client {
	t.Helper()
	c, err := swap.New(swap.Config{
		BaseURL: base, APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
	})
	require.NoError(t, err)
	return c
}

// unreachable is a client whose server fails the test when it is asked.
func unreachable(t *testing.T) *swap.Client {
	t.Helper()
	server := wiretest.Unasked(t)
	return client(t, server.URL)
}

// answer is what a carried request is answered with.
type answer = wiretest.Answer

// carried answers requests without a network, so that they can run in a
// synctest bubble. Each path has its answers, one after the other, the last
// for ever.
type carried struct {
	mu      sync.Mutex
	answers map[string][]answer
	seen    []wiretest.Request
}

func (c *carried) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = append(c.seen, wiretest.Record(r))
	queue := c.answers[r.URL.Path]
	if len(queue) == 0 {
		return &http.Response{StatusCode: 404, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	a := queue[0]
	if len(queue) > 1 {
		c.answers[r.URL.Path] = queue[1:]
	}
	return a.To(r)
}

// paths are those that were asked, in order.
func (c *carried) paths() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var paths []string
	for _, r := range c.seen {
		path, _, _ := strings.Cut(r.Target, "?")
		paths = append(paths, path)
	}
	return paths
}

// carriedClient is a client whose requests are answered by path. The config
// may lack a base URL and an HTTP client.
func carriedClient(t testing.TB, cfg swap.Config, answers map[string][]answer) (*swap.Client, *carried) {
	t.Helper()
	wire := &carried{answers: answers}
	cfg.BaseURL, cfg.HTTPClient = "https://swap.test", &http.Client{Transport: wire}
	c, err := swap.New(cfg)
	require.NoError(t, err)
	return c, wire
}

// keyed is a config without a budget.
func keyed() swap.Config { return swap.Config{APIKey: walletfi.NewSecret("k-123456")} }

func decimal(t testing.TB, text string) walletfi.Decimal {
	t.Helper()
	d, err := walletfi.NewDecimal(text)
	require.NoError(t, err)
	return d
}
