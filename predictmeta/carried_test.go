package predictmeta_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/predictmeta"
)

// answer is the answer to a carried request.
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

	mu   sync.Mutex
	seen []*http.Request
	at   []time.Time
}

func (c *carried) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen, c.at = append(c.seen, r), append(c.at, time.Now())
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
func carriedClient(t testing.TB, cfg predictmeta.Config, answers ...answer) (*predictmeta.Client, *carried) {
	t.Helper()
	wire := &carried{answers: answers}
	cfg.BaseURL, cfg.HTTPClient = "https://meta.test", &http.Client{Transport: wire}
	c, err := predictmeta.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c, wire
}
