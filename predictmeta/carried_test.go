package predictmeta_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
	"go.uber.org/goleak"
)

// answer is the answer to a carried request.
type answer struct {
	status int
	header map[string]string
	body   string
	err    error
}

// carried answers requests without a network, so that they can run in a
// synctest bubble: one answer after the other, the last for ever.
type carried struct {
	answers []answer

	mu   sync.Mutex
	seen []*http.Request
	at   []time.Time
}

func (c *carried) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen, c.at = append(c.seen, r), append(c.at, time.Now())
	a := c.answers[min(len(c.seen), len(c.answers))-1]
	if a.err != nil {
		return nil, a.err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	for name, value := range a.header {
		header.Set(name, value)
	}
	return &http.Response{StatusCode: a.status, Header: header, Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, nil
}

// carriedClient is a client whose requests are answered in order.
func carriedClient(t testing.TB, cfg predictmeta.Config, answers ...answer) (*predictmeta.Client, *carried) {
	t.Helper()
	wire := &carried{answers: answers}
	cfg.BaseURL, cfg.HTTPClient = "https://meta.test", &http.Client{Transport: wire}
	c, err := predictmeta.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c, wire
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const maxUint64 = 1<<64 - 1

// client is a client of base that repeats nothing.
func client(t testing.TB, base string) *predictmeta.Client {
	t.Helper()
	return clientOf(t, predictmeta.Config{BaseURL: base, APIKey: walletfi.NewSecret("k-123456")})
}

func clientOf(t testing.TB, cfg predictmeta.Config) *predictmeta.Client {
	t.Helper()
	cfg.Retry.MaxRetries = new(0)
	c, err := predictmeta.New(cfg)
	require.NoError(t, err)
	return c
}

// unreachable is a client whose server fails the test when it is asked.
func unreachable(t *testing.T) *predictmeta.Client {
	t.Helper()
	server := wiretest.Serve(t, func(http.ResponseWriter, *http.Request) { t.Error("something was sent") })
	return client(t, server.URL)
}

func instant(t testing.TB, text string) walletfi.Time {
	t.Helper()
	parsed, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return walletfi.Time{Time: parsed}
}

// mint is the n-th address of a series of valid ones.
func mint(n int) string {
	var key [32]byte
	key[0], key[1], key[31] = byte(n>>8), byte(n), 7
	return base58.Encode(key[:])
}

func mints(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = mint(i)
	}
	return all
}
