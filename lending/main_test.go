package lending_test

import (
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client returns a client of the server at base that repeats no request.
func client(t testing.TB, base string) *lending.Client {
	t.Helper()
	return wiretest.Client(t, lending.New, lending.Config{BaseURL: base, APIKey: wiretest.Key(), Options: wiretest.Once()})
}

// unreachable returns a client whose server fails the test if it gets a request.
func unreachable(t *testing.T) *lending.Client {
	t.Helper()
	return client(t, wiretest.Unasked(t).URL)
}

// answer is the answer to a carried request.
type answer = wiretest.Answer

// carriedClient returns a client whose requests get the answers in order.
func carriedClient(t testing.TB, tier lending.Tier, options walletfi.Options, answers ...answer) (*lending.Client, *wiretest.Carrier) {
	t.Helper()
	wire := &wiretest.Carrier{Answers: answers}
	options.HTTPClient = wire.Client()
	return wiretest.Client(t, lending.New, lending.Config{
		BaseURL: "https://lending.test", APIKey: wiretest.Key(), Tier: tier, Options: options,
	}), wire
}
