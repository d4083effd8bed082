package wiretest

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Answer is the answer to a request that no network carries.
type Answer struct {
	Status int
	Header map[string]string // in addition to a Content-Type of JSON
	Body   string
	Err    error // a broken connection; the other fields are ignored
}

// To returns the answer in the form that a RoundTripper returns.
func (a Answer) To(r *http.Request) (*http.Response, error) {
	if a.Err != nil {
		return nil, a.Err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	for name, value := range a.Header {
		header.Set(name, value)
	}
	return &http.Response{
		StatusCode: a.Status,
		Header:     header,
		Body:       io.NopCloser(strings.NewReader(a.Body)),
		Request:    r,
	}, nil
}

// Carrier answers requests without a network, so that a test can run in a
// synctest bubble.
type Carrier struct {
	Answers []Answer                      // given one after the other, the last again and again
	Reply   func(n int, r Request) Answer // replaces Answers; n counts from 1
	Seen    []Request                     // in order; read it only while no request is under way

	mu sync.Mutex
}

// RoundTrip records the request and answers it.
func (c *Carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	seen := Record(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Seen = append(c.Seen, seen)
	if c.Reply != nil {
		return c.Reply(len(c.Seen), seen).To(r)
	}
	return c.Answers[min(len(c.Seen), len(c.Answers))-1].To(r)
}

// Client returns an HTTP client whose requests the carrier answers.
func (c *Carrier) Client() *http.Client { return &http.Client{Transport: c} }

// Paths returns the paths of the requests in order.
func (c *Carrier) Paths() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var paths []string
	for _, r := range c.Seen {
		paths = append(paths, r.URL.Path)
	}
	return paths
}

// ByPath is a Carrier's Reply that gives each path its own answers, one after
// the other, the last again and again. Other paths are answered with 404.
func ByPath(answers map[string][]Answer) func(n int, r Request) Answer {
	asked := map[string]int{}
	return func(_ int, r Request) Answer {
		path := r.URL.Path
		if len(answers[path]) == 0 {
			return Answer{Status: http.StatusNotFound}
		}
		asked[path]++
		return answers[path][min(asked[path], len(answers[path]))-1]
	}
}

// Record reads a request that a client is sending.
func Record(r *http.Request) Request {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	return Request{
		Method: r.Method, URL: r.URL, Target: r.URL.RequestURI(), Header: r.Header.Clone(), Body: string(body),
		At: time.Now(), Context: r.Context(),
	}
}
