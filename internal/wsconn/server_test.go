package wsconn

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script plays the service on the n-th connection, the first being 1. The
// connection is cut without a word when it returns.
type script func(ws *websocket.Conn, n int)

// service is a real WebSocket server.
type service struct {
	script   script
	upgrader websocket.Upgrader
	refuse   func(w http.ResponseWriter, r *http.Request, n int) bool // true where it answered otherwise

	mu       sync.Mutex
	requests []http.Header
	open     sync.WaitGroup
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.open.Add(1)
	defer s.open.Done()
	s.mu.Lock()
	s.requests = append(s.requests, r.Header.Clone())
	n := len(s.requests)
	s.mu.Unlock()
	if s.refuse != nil && s.refuse(w, r, n) {
		return
	}
	ws, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	s.script(ws, n)
}

func (s *service) seen() []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]http.Header(nil), s.requests...)
}

// onLoopback starts s and returns its address.
func onLoopback(t testing.TB, s *service) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.Close()
		s.open.Wait()
	})
	return "ws" + strings.TrimPrefix(server.URL, "http") + "/ws"
}

// pipes is a listener of in-memory connections, for virtual time.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func newPipes() *pipes {
	return &pipes{accepted: make(chan net.Conn), closed: make(chan struct{})}
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

// inBubble runs f on virtual time against s, which it reaches through the
// returned Config.
func inBubble(t *testing.T, s *service, f func(t *testing.T, cfg Config)) {
	synctest.Test(t, func(t *testing.T) {
		listener := newPipes()
		server := &http.Server{Handler: s}
		var serving sync.WaitGroup
		serving.Go(func() { _ = server.Serve(listener) })
		defer func() {
			server.Close()
			s.open.Wait()
			serving.Wait()
		}()
		f(t, Config{URL: "ws://localhost/ws", Transport: &http.Transport{DialContext: listener.DialContext}})
	})
}

// event is what a Handler was told, one field of the three set.
type event struct {
	message string
	gap     *Gap
	down    error
	retryIn time.Duration
	at      time.Time
}

// recorder hands events to the test, which must take them.
type recorder struct{ events chan event }

func (r *recorder) put(e event) {
	e.at = time.Now()
	r.events <- e
}

func (r *recorder) Message(message []byte)                { r.put(event{message: string(message)}) }
func (r *recorder) Gap(gap Gap)                           { r.put(event{gap: &gap}) }
func (r *recorder) Down(err error, retryIn time.Duration) { r.put(event{down: err, retryIn: retryIn}) }

// client is a running Conn.
type client struct {
	*Conn
	*recorder
	cancel context.CancelFunc
	ended  chan error
}

// start runs a Conn until the test ends.
func start(t *testing.T, cfg Config) *client {
	t.Helper()
	rec := &recorder{make(chan event, 1024)}
	conn, err := New(cfg, rec)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	c := &client{Conn: conn, recorder: rec, cancel: cancel, ended: make(chan error, 1)}
	go func() { c.ended <- conn.Run(ctx) }()
	return c
}

// stop ends the run and fails unless it ends with the cancel.
func (c *client) stop(t *testing.T) {
	t.Helper()
	c.cancel()
	require.ErrorIs(t, <-c.ended, context.Canceled)
}

func (c *client) message(t *testing.T) string {
	t.Helper()
	e := <-c.events
	require.Nil(t, e.gap)
	require.NoError(t, e.down)
	return e.message
}

func (c *client) nextGap(t *testing.T) event {
	t.Helper()
	e := <-c.events
	require.NotNil(t, e.gap, "%+v", e)
	return e
}

func (c *client) nextDown(t *testing.T) event {
	t.Helper()
	e := <-c.events
	require.Error(t, e.down, "%+v", e)
	return e
}

func say(ws *websocket.Conn, text string) { _ = ws.WriteMessage(websocket.TextMessage, []byte(text)) }

// linger reads, and so answers pings, until the client goes.
func linger(ws *websocket.Conn) {
	for {
		if _, _, err := ws.NextReader(); err != nil {
			return
		}
	}
}
