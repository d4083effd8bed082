package webhooks_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/webhooks"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// The transport that all clients share keeps idle connections.
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"),
		goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"),
		goleak.IgnoreTopFunction("internal/poll.runtime_pollWait"),
	)
}

// client is a client of base that repeats nothing.
func client(t testing.TB, base string) *webhooks.Client {
	t.Helper()
	c, err := webhooks.New(webhooks.Config{
		BaseURL: base, APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
	})
	require.NoError(t, err)
	return c
}

// unreachable is a client whose server fails the test when it is asked.
func unreachable(t *testing.T) *webhooks.Client {
	t.Helper()
	server := wiretest.Unasked(t)
	return client(t, server.URL)
}

// carried answers requests without a network, so that they can run in a
// synctest bubble: one answer after the other, the last for ever.
type carried struct {
	answers []answer
	seen    []*http.Request
}

type answer struct {
	status int
	header map[string]string
	body   string
	err    error
}

func (c *carried) RoundTrip(r *http.Request) (*http.Response, error) {
	c.seen = append(c.seen, r)
	a := c.answers[min(len(c.seen), len(c.answers))-1]
	if a.err != nil {
		return nil, a.err
	}
	header := http.Header{}
	for name, value := range a.header {
		header.Set(name, value)
	}
	return &http.Response{StatusCode: a.status, Header: header, Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, nil
}

// carriedClient is a client whose requests are answered in order.
func carriedClient(t testing.TB, answers ...answer) (*webhooks.Client, *carried) {
	t.Helper()
	wire := &carried{answers: answers}
	c, err := webhooks.New(webhooks.Config{
		BaseURL: "https://webhooks.test", APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{HTTPClient: &http.Client{Transport: wire}},
	})
	require.NoError(t, err)
	return c, wire
}
