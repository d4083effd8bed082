package amm_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const maxAmount = walletfi.Amount(1<<64 - 1)

// Addresses of nobody. The first two are the mints in testdata.
var (
	mintA = address(1)
	mintB = address(2)
	owner = address(3)
	other = address(4)
)

func address(filler byte) string { return base58.Encode(bytes.Repeat([]byte{filler}, 32)) }

// once repeats nothing.
var once = walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}}

// client is a client of base, both hosts, without pauses and repeats.
func client(t testing.TB, base string) *amm.Client {
	t.Helper()
	return clientOf(t, amm.Config{TradeURL: base, DataURL: base, Pause: new(time.Duration(0)), Options: once})
}

func clientOf(t testing.TB, cfg amm.Config) *amm.Client {
	t.Helper()
	c, err := amm.New(cfg)
	require.NoError(t, err)
	return c
}

func decimal(t testing.TB, text string) walletfi.Decimal {
	t.Helper()
	d, err := walletfi.NewDecimal(text)
	require.NoError(t, err)
	return d
}

// sent is a request that a carrier saw.
type sent struct {
	host, target, body string
	at                 time.Time
}

// carrier answers without a network, so that it runs on synctest's clock.
type carrier struct {
	mu     sync.Mutex
	seen   []sent
	answer func(n int, r sent) (status int, body string)
}

func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := sent{r.URL.Host, r.URL.RequestURI(), string(body), time.Now()}
	c.seen = append(c.seen, s)
	status, text := c.answer(len(c.seen), s)
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
}

// carried is a client of two hosts whose requests go to answer.
func carried(t testing.TB, cfg amm.Config, answer func(n int, r sent) (int, string)) (*amm.Client, *carrier) {
	t.Helper()
	wire := &carrier{answer: answer}
	cfg.TradeURL, cfg.DataURL = "https://trade.test", "https://data.test/api"
	cfg.HTTPClient = &http.Client{Transport: wire}
	return clientOf(t, cfg), wire
}
