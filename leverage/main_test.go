package leverage_test

import (
	"testing"

	"github.com/mr-tron/base58"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const maxAmount = walletfi.Amount(1<<64 - 1)

// signature is that of signedTransaction.
var signature = wiretest.Signature(7)

// signedTransaction is the least that passes for a signed legacy transaction.
func signedTransaction() walletfi.Base58Transaction { return transactionSigned(7) }

func transactionSigned(filler byte) walletfi.Base58Transaction {
	return walletfi.Base58Transaction(base58.Encode(wiretest.Transaction(filler, make([]byte, 32+32+1)...)))
}

// client is a client of base that repeats nothing.
func client(t testing.TB, base string) *leverage.Client { return clientOf(t, base, "k-123456") }

// clientOf is client with another key, or none.
func clientOf(t testing.TB, base, key string) *leverage.Client {
	t.Helper()
	return wiretest.Client(t, leverage.New, leverage.Config{
		BaseURL: base, APIKey: walletfi.NewSecret(key), Options: wiretest.Once(),
	})
}

// unreachable is a client whose server fails the test when it is asked.
func unreachable(t *testing.T, key string) *leverage.Client {
	t.Helper()
	return clientOf(t, wiretest.Unasked(t).URL, key)
}

type answer = wiretest.Answer

// carriedClient is a client whose requests are answered in order.
func carriedClient(t testing.TB, answers ...answer) (*leverage.Client, *wiretest.Carrier) {
	t.Helper()
	wire := &wiretest.Carrier{Answers: answers}
	return wiretest.Client(t, leverage.New, leverage.Config{
		BaseURL: "https://leverage.test", APIKey: wiretest.Key(), Options: walletfi.Options{HTTPClient: wire.Client()},
	}), wire
}

func ok(body string) answer { return answer{Status: 200, Body: body} }
