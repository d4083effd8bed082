package predictmeta_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// asked is a message of a client.
type asked struct{ Action, Channel, Ticker string }

// feed is a server of the feed at /ws.
type feed struct {
	// script plays the service on the n-th connection, the first being 1. The
	// connection is cut without a word when it returns. Nil listens.
	script   func(ws *websocket.Conn, n int)
	rest     http.HandlerFunc // everything but /ws
	upgrader websocket.Upgrader
	refuse   func(w http.ResponseWriter, n int) bool // true where it answered otherwise

	mu       sync.Mutex
	requests []*http.Request
	open     sync.WaitGroup
}

func (f *feed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.rest != nil && r.URL.Path != "/ws" {
		f.rest(w, r)
		return
	}
	f.open.Add(1)
	defer f.open.Done()
	f.mu.Lock()
	f.requests = append(f.requests, r)
	n := len(f.requests)
	f.mu.Unlock()
	if f.refuse != nil && f.refuse(w, n) {
		return
	}
	ws, err := f.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	if f.script == nil {
		listen(ws, nil)
		return
	}
	f.script(ws, n)
}

func (f *feed) connections() []*http.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]*http.Request(nil), f.requests...)
}

// serve starts the feed on loopback and returns the address of its host.
func (f *feed) serve(t testing.TB) string {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(func() {
		server.Close()
		f.open.Wait()
	})
	return strings.TrimPrefix(server.URL, "http://")
}

func say(ws *websocket.Conn, text string) { _ = ws.WriteMessage(websocket.TextMessage, []byte(text)) }

// listen reads, and so answers pings, until the client goes.
func listen(ws *websocket.Conn, heard func(asked)) {
	for {
		_, message, err := ws.ReadMessage()
		if err != nil {
			return
		}
		var a asked
		if err := json.Unmarshal(message, &a); err != nil {
			panic(err)
		}
		if heard != nil {
			heard(a)
		}
	}
}

// streamOf starts a stream from the feed on loopback.
func streamOf(t testing.TB, f *feed, req predictmeta.StreamRequest) *predictmeta.Stream {
	t.Helper()
	host := f.serve(t)
	return started(t, predictmeta.Config{BaseURL: "http://" + host, WebSocketURL: "ws://" + host}, req)
}

func started(t testing.TB, cfg predictmeta.Config, req predictmeta.StreamRequest) *predictmeta.Stream {
	t.Helper()
	s, err := clientOf(t, cfg).Stream(t.Context(), req)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// next receives an event of type E, and fails on any other.
func next[E predictmeta.FeedEvent](t testing.TB, s *predictmeta.Stream) E {
	t.Helper()
	event, err := s.Recv(t.Context())
	require.NoError(t, err)
	e, ok := event.(E)
	require.True(t, ok, "%#v", event)
	return e
}

// pipes is a listener of in-memory connections, for virtual time.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.accepted:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func (p *pipes) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.accepted <- far:
		return near, nil
	case <-p.closed:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inBubble runs test on virtual time against f, which it reaches through cfg.
func inBubble(t *testing.T, f *feed, test func(t *testing.T, cfg predictmeta.Config)) {
	synctest.Test(t, func(t *testing.T) {
		listener := &pipes{accepted: make(chan net.Conn), closed: make(chan struct{})}
		server := &http.Server{Handler: f}
		var serving sync.WaitGroup
		serving.Go(func() { _ = server.Serve(listener) })
		dialler := &http.Transport{DialContext: listener.DialContext}
		t.Cleanup(func() { // behind the streams'
			dialler.CloseIdleConnections()
			server.Close()
			f.open.Wait()
			serving.Wait()
		})
		test(t, predictmeta.Config{
			BaseURL: "http://localhost", WebSocketURL: "ws://localhost",
			Options: walletfi.Options{HTTPClient: &http.Client{Transport: dialler}},
		})
	})
}
