package leverage_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
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
	seen    []wiretest.Request
}

func (c *carried) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	c.seen = append(c.seen, wiretest.Request{Method: r.Method, Target: r.URL.RequestURI(), Header: r.Header.Clone(), Body: string(body)})
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
func carriedClient(t testing.TB, answers ...answer) (*leverage.Client, *carried) {
	t.Helper()
	wire := &carried{answers: answers}
	c, err := leverage.New(leverage.Config{
		BaseURL: "https://leverage.test", APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{HTTPClient: &http.Client{Transport: wire}},
	})
	require.NoError(t, err)
	return c, wire
}

func ok(body string) answer { return answer{status: 200, body: body} }

func decimal(t testing.TB, text string) walletfi.Decimal {
	t.Helper()
	d, err := walletfi.NewDecimal(text)
	require.NoError(t, err)
	return d
}
