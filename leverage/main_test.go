package leverage_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const maxAmount = walletfi.Amount(1<<64 - 1)

// signature is that of signedTransaction.
var signature = base58.Encode(bytes.Repeat([]byte{7}, 64))

// signedTransaction is the least that passes for a signed legacy transaction.
func signedTransaction() walletfi.Base58Transaction { return transactionSigned(7) }

func transactionSigned(filler byte) walletfi.Base58Transaction {
	b := append([]byte{1}, bytes.Repeat([]byte{filler}, 64)...)
	b = append(b, 1, 0, 0, 1)
	return walletfi.Base58Transaction(base58.Encode(append(b, make([]byte, 64)...)))
}

// client is a client of base that repeats nothing.
func client(t testing.TB, base string) *leverage.Client { return clientOf(t, base, "k-123456") }

// clientOf is client with another key, or none.
func clientOf(t testing.TB, base, key string) *leverage.Client {
	t.Helper()
	c, err := leverage.New(leverage.Config{
		BaseURL: base, APIKey: walletfi.NewSecret(key),
		Options: walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
	})
	require.NoError(t, err)
	return c
}

// unreachable is a client whose server fails the test when it is asked.
func unreachable(t *testing.T, key string) *leverage.Client {
	t.Helper()
	server := wiretest.Unasked(t)
	return clientOf(t, server.URL, key)
}

// answer is what a carried request is answered with.
type answer = wiretest.Answer

// carriedClient is a client whose requests are answered in order.
func carriedClient(t testing.TB, answers ...answer) (*leverage.Client, *wiretest.Carrier) {
	t.Helper()
	wire := &wiretest.Carrier{Answers: answers}
	c, err := leverage.New(leverage.Config{
		BaseURL: "https://leverage.test", APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{HTTPClient: &http.Client{Transport: wire}},
	})
	require.NoError(t, err)
	return c, wire
}

func ok(body string) answer { return answer{Status: 200, Body: body} }

func decimal(t testing.TB, text string) walletfi.Decimal {
	t.Helper()
	d, err := walletfi.NewDecimal(text)
	require.NoError(t, err)
	return d
}
