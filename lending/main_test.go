package lending_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// unreachable is a client whose server fails the test when it is asked.
func unreachable(t *testing.T) *lending.Client {
	t.Helper()
	server := wiretest.Unasked(t)
	return client(t, server.URL)
}

// answer is what a carried request is answered with.
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
	seen    []*http.Request
}

func (c *carried) RoundTrip(r *http.Request) (*http.Response, error) {
	c.seen = append(c.seen, r)
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
func carriedClient(t testing.TB, tier lending.Tier, options walletfi.Options, answers ...answer) (*lending.Client, *carried) {
	t.Helper()
	wire := &carried{answers: answers}
	options.HTTPClient = &http.Client{Transport: wire}
	c, err := lending.New(lending.Config{
		BaseURL: "https://lending.test", APIKey: walletfi.NewSecret("k-123456"), Tier: tier, Options: options,
	})
	require.NoError(t, err)
	return c, wire
}
