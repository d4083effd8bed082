// Package wstest is the WebSocket server of the tests: it plays the service on
// loopback, or on in-memory connections for virtual time.
package wstest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/gorilla/websocket"
	"github.com/walletfi/walletfi-go/internal/running"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// Server plays the service.
type Server struct {
	// Script plays the n-th connection, the first being 1. The connection is cut
	// without a word when it returns. Nil lingers.
	Script func(ws *websocket.Conn, n int)
	// Refuse answers the n-th handshake in another way and returns true. Nil
	// refuses none.
	Refuse func(w http.ResponseWriter, r *http.Request, n int) bool
	// Rest answers everything but /ws. Nil means that every path is a handshake.
	Rest     http.HandlerFunc
	Upgrader websocket.Upgrader

	mu       sync.Mutex
	requests []*http.Request
	open     running.Group
}

// ServeHTTP answers a handshake and plays the script.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.Rest != nil && r.URL.Path != "/ws" {
		s.Rest(w, r)
		return
	}
	s.open.Add()
	defer s.open.Done()
	s.mu.Lock()
	s.requests = append(s.requests, r)
	n := len(s.requests)
	s.mu.Unlock()
	if s.Refuse != nil && s.Refuse(w, r, n) {
		return
	}
	ws, err := s.Upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	if s.Script == nil {
		Linger(ws)
		return
	}
	s.Script(ws, n)
}

// Handshakes returns the requests of all handshakes so far.
func (s *Server) Handshakes() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*http.Request(nil), s.requests...)
}

// Count is how many handshakes there were.
func (s *Server) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// Wait waits for the scripts of all connections to end.
func (s *Server) Wait() { s.open.Wait() }

// Loopback starts the server and returns its host and port.
func (s *Server) Loopback(t testing.TB) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.Close()
		s.Wait()
	})
	return strings.TrimPrefix(server.URL, "http://")
}

// InBubble runs test on virtual time. It reaches the server through dialler,
// as host "localhost".
func (s *Server) InBubble(t *testing.T, test func(t *testing.T, dialler *http.Transport)) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(s.Wait) // after the server is closed
		test(t, wiretest.InMemory(t, s))
	})
}

// Say writes a text message.
func Say(ws *websocket.Conn, text string) { _ = ws.WriteMessage(websocket.TextMessage, []byte(text)) }

// Linger reads, and so answers pings, until the client goes.
func Linger(ws *websocket.Conn) {
	for {
		if _, _, err := ws.NextReader(); err != nil {
			return
		}
	}
}
