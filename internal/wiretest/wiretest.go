// Package wiretest tests a client's calls on the wire, one table row per call:
// what is sent, byte for byte, and what the answer is decoded to.
package wiretest

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Case is one call. The server gives every request the same answer.
type Case struct {
	Name string // that of the method if empty
	Call Made   // made against the server, which is a client's base URL

	Method string            // expected
	Target string            // expected path and query as on the wire
	Header map[string]string // expected, "" if the header must be absent
	Body   string            // expected JSON, "" if there must be none

	Status int    // answered, 0 means 200
	File   string // answered: a file under testdata
	Reply  string // answered if File is empty

	Want any                            // expected result
	Err  func(t *testing.T, err error)  // set if an error is expected; checks it
	Then func(t *testing.T, result any) // checks the result if Want cannot
}

// Request is a request as the server saw it.
type Request struct {
	Method string
	URL    *url.URL // has no host if a Server saw it
	Target string   // path and query, escaped as received
	Header http.Header
	Body   string
	At     time.Time

	Context context.Context // set by a Carrier only
}

// Server gives every request the same answer and records the requests.
type Server struct {
	URL string

	mu   sync.Mutex
	seen []Request
}

// Serve starts a server that answers with handler; nil answers 200 and {}.
func Serve(t testing.TB, handler http.HandlerFunc) *Server {
	t.Helper()
	s := &Server{}
	if handler == nil {
		handler = func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }
	}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.seen = append(s.seen, Request{
			Method: r.Method,
			URL:    r.URL,
			Target: r.RequestURI,
			Header: r.Header.Clone(),
			Body:   string(body),
			At:     time.Now(),
		})
		s.mu.Unlock()
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		handler(w, r)
	}))
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// Requests returns the requests so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.seen...)
}

// Run runs the table.
func Run(t *testing.T, cases []Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(cmp.Or(c.Name, c.Call.name), func(t *testing.T) {
			reply := c.Reply
			if c.File != "" {
				reply = File(t, c.File)
			}
			server := Serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if c.Status != 0 {
					w.WriteHeader(c.Status)
				}
				io.WriteString(w, reply)
			})
			result, err := c.Call.make(t, server.URL)
			c.checkRequest(t, server.Requests())
			if c.Err != nil {
				require.Error(t, err)
				c.Err(t, err)
				return
			}
			require.NoError(t, err)
			if c.Want != nil {
				require.Equal(t, c.Want, result)
			}
			if c.Then != nil {
				c.Then(t, result)
			}
		})
	}
}

func (c Case) checkRequest(t *testing.T, seen []Request) {
	t.Helper()
	require.NotEmpty(t, seen, "nothing was sent")
	r := seen[0]
	require.Equal(t, c.Method, r.Method)
	require.Equal(t, c.Target, r.Target)
	for name, want := range c.Header {
		require.Equal(t, want, r.Header.Get(name), name)
	}
	if c.Body == "" {
		require.Empty(t, r.Body)
		return
	}
	require.JSONEq(t, c.Body, r.Body)
	require.Equal(t, "application/json", r.Header.Get("Content-Type"))
}

// File returns a file under testdata.
func File(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(b)
}

// FileWith is [File] of an object with other values for some of its members.
func FileWith(t testing.TB, name, members string) string {
	t.Helper()
	whole := map[string]json.RawMessage{}
	require.NoError(t, json.Unmarshal([]byte(File(t, name)), &whole))
	require.NoError(t, json.Unmarshal([]byte(members), &whole))
	text, err := json.Marshal(whole)
	require.NoError(t, err)
	return string(text)
}
