package providerswap_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/providerswap"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const maxAmount = walletfi.Amount(1<<64 - 1)

// Addresses of nobody.
var (
	mintA = address(1)
	mintB = address(2)
	owner = address(3)
	other = address(4)
)

func address(filler byte) string { return base58.Encode(bytes.Repeat([]byte{filler}, 32)) }

func signature(filler byte) string { return base58.Encode(bytes.Repeat([]byte{filler}, 64)) }

// transaction has the shape of one whose first signature is of that filler;
// 0 is unsigned. Its base64 holds +, / and =.
func transaction(filler byte) walletfi.Base64Transaction {
	b := append([]byte{1}, bytes.Repeat([]byte{filler}, 64)...)
	b = append(b, 1, 0, 0, 1)
	b = append(b, bytes.Repeat([]byte{0xfb, 0xff}, 32)...)
	b = append(b, 0)
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(b))
}

// once repeats nothing.
var once = walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}}

func client(t testing.TB, base string) *providerswap.Client {
	t.Helper()
	return clientOf(t, providerswap.Config{BaseURL: base, Options: once})
}

func clientOf(t testing.TB, cfg providerswap.Config) *providerswap.Client {
	t.Helper()
	cfg.APIKey = walletfi.NewSecret("k-123456")
	c, err := providerswap.New(cfg)
	require.NoError(t, err)
	return c
}

func decimal(t testing.TB, text string) walletfi.Decimal {
	t.Helper()
	d, err := walletfi.NewDecimal(text)
	require.NoError(t, err)
	return d
}

// carrier answers without a network, so that it runs on synctest's clock. An
// error is a connection that broke after the request was sent.
type carrier struct {
	answer func(n int) (status int, body string, err error)
	seen   []string // targets
}

func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	c.seen = append(c.seen, r.URL.RequestURI())
	status, text, err := c.answer(len(c.seen))
	return wiretest.Answer{Status: status, Body: text, Err: err}.To(r)
}

// carried is a client whose requests go to answer.
func carried(t testing.TB, options walletfi.Options, answer func(n int) (int, string, error)) (*providerswap.Client, *carrier) {
	t.Helper()
	wire := &carrier{answer: answer}
	options.HTTPClient = &http.Client{Transport: wire}
	return clientOf(t, providerswap.Config{BaseURL: "https://swap.test", Options: options}), wire
}

// always gives every request the same answer.
func always(status int, body string) func(int) (int, string, error) {
	return func(int) (int, string, error) { return status, body, nil }
}
