package main

import (
	"io"
	"net/http"
	"sync"

	"github.com/walletfi/walletfi-go/sandbox"
)

// mostRecorded bounds a body, and mostFixtures the fixtures of a file.
const (
	mostRecorded = 1 << 20
	mostFixtures = 256 << 20
)

// recorder carries requests on and keeps them. It is not go-vcr's: that reads an answer to its end, however long
// it is, before the client gets any of it, so that no stream would pass, and its point is to play answers back.
type recorder struct {
	service sandbox.Service
	base    string // path of the upstream
	mu      sync.Mutex
	all     []*exchange
}

// exchange is a request and its answer as they came, with their secrets.
type exchange struct {
	method, path, query string
	headers             http.Header
	status              int
	cookies             []*http.Cookie // of the answer
	request, answer     *capture
}

// RoundTrip implements http.RoundTripper. Bodies pass as they come, and are kept in passing.
func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	e := &exchange{
		method: request.Method, path: request.URL.EscapedPath(), query: request.URL.RawQuery,
		headers: request.Header.Clone(), request: &capture{done: true}, answer: &capture{},
	}
	if request.Body != nil && request.Body != http.NoBody {
		e.request = &capture{
			ReadCloser: request.Body, length: request.ContentLength, packed: packed(request.Header),
		}
		request.Body = e.request
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil || answer.StatusCode == http.StatusSwitchingProtocols {
		return answer, err
	}
	e.status, e.cookies = answer.StatusCode, answer.Cookies()
	e.answer = &capture{ReadCloser: answer.Body, length: answer.ContentLength, packed: packed(answer.Header)}
	answer.Body = e.answer
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, e)
	return answer, nil
}

// packed reports whether a body is compressed, or has parts: no secret could be found in it.
func packed(h http.Header) bool {
	return h.Get("Content-Encoding") != "" || multipartType.MatchString(h.Get("Content-Type"))
}

// capture keeps what is read of a body, if it is not too long.
type capture struct {
	io.ReadCloser
	length int64 // as declared, -1 if it was not
	packed bool
	mu     sync.Mutex
	kept   []byte
	long   bool
	done   bool // the end was read
}

func (c *capture) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.long = c.long || len(c.kept)+n > mostRecorded; c.long {
		c.kept = nil
	} else {
		c.kept = append(c.kept, p[:n]...)
	}
	c.done = c.done || err == io.EOF
	return n, err
}

// text returns the body, or false if it is not to be written: a part of it could end within a secret.
func (c *capture) text() (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	whole := c.done || c.length > 0 && int64(len(c.kept)) == c.length
	if c.long || c.packed || !whole {
		return "", false
	}
	return string(c.kept), true
}
