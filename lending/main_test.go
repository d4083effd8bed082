package lending_test

import (
	"net/http"
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
type answer = wiretest.Answer

// carriedClient is a client whose requests are answered in order.
func carriedClient(t testing.TB, tier lending.Tier, options walletfi.Options, answers ...answer) (*lending.Client, *wiretest.Carrier) {
	t.Helper()
	wire := &wiretest.Carrier{Answers: answers}
	options.HTTPClient = &http.Client{Transport: wire}
	c, err := lending.New(lending.Config{
		BaseURL: "https://lending.test", APIKey: walletfi.NewSecret("k-123456"), Tier: tier, Options: options,
	})
	require.NoError(t, err)
	return c, wire
}
