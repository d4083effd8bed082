package wiretest

import (
	"io"
	"net/http"
	"strings"
	"sync"
)

// Answer is what a request is answered with that no network carries.
type Answer struct {
	Status int
	Header map[string]string // beside a Content-Type of JSON
	Body   string
	Err    error // a connection that broke, instead of all else
}

// To is the answer as a RoundTripper returns it.
func (a Answer) To(r *http.Request) (*http.Response, error) {
	if a.Err != nil {
		return nil, a.Err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	for name, value := range a.Header {
		header.Set(name, value)
	}
	return &http.Response{StatusCode: a.Status, Header: header, Body: io.NopCloser(strings.NewReader(a.Body)), Request: r}, nil
}

// Carrier answers requests without a network, so that they can run in a
// synctest bubble: one answer after the other, the last for ever.
type Carrier struct {
	Answers []Answer
	Seen    []Request // in order; to be read when no request is under way

	mu sync.Mutex
}

// RoundTrip keeps the request and gives the answer whose turn it is.
func (c *Carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	seen := Record(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Seen = append(c.Seen, seen)
	return c.Answers[min(len(c.Seen), len(c.Answers))-1].To(r)
}

// Record reads a request that a client is sending.
func Record(r *http.Request) Request {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	return Request{Method: r.Method, URL: r.URL, Target: r.URL.RequestURI(), Header: r.Header.Clone(), Body: string(body)}
}
