package rows

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// memory answers every request from memory, so that the clients' own work is all that
// is measured.
type memory struct{ body []byte }

func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, ContentLength: int64(len(m.body)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}, "Date": {"Mon, 02 Jan 2006 15:04:05 GMT"}},
		Body:   io.NopCloser(bytes.NewReader(m.body)),
	}, nil
}

const (
	base = "https://bench.example"
	key  = "bench-key-0123456789"
)

// byHand is a call as a careful program writes it on net/http: a timeout, the
// headers, a cap on the body, the status.
func byHand(ctx context.Context, client *http.Client, url string, decode func([]byte) error) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "bench")
	r.Header.Set("X-Api-Key", key)
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 32<<20))
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP %d", response.StatusCode)
	}
	return decode(body)
}

func handClient(transport http.RoundTripper) *http.Client {
	return &http.Client{Transport: transport, Timeout: 30 * time.Second}
}
