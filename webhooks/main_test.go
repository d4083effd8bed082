package webhooks_test

import (
	"net/http"
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

// answer is the answer to a carried request.
type answer = wiretest.Answer

// carriedClient is a client whose requests are answered in order.
func carriedClient(t testing.TB, answers ...answer) (*webhooks.Client, *wiretest.Carrier) {
	t.Helper()
	wire := &wiretest.Carrier{Answers: answers}
	c, err := webhooks.New(webhooks.Config{
		BaseURL: "https://webhooks.test", APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{HTTPClient: &http.Client{Transport: wire}},
	})
	require.NoError(t, err)
	return c, wire
}
