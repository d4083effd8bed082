package wsconn

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script plays the service on the n-th connection, the first being 1.
type script = func(ws *websocket.Conn, n int)

// onLoopback starts s and returns its address.
func onLoopback(t testing.TB, s *wstest.Server) string {
	t.Helper()
	return "ws://" + s.Loopback(t) + "/ws"
}

// inBubble runs f on virtual time against s, which it reaches through the
// Config.
func inBubble(t *testing.T, s *wstest.Server, f func(t *testing.T, cfg Config)) {
	t.Helper()
	s.InBubble(t, func(t *testing.T, dialler *http.Transport) {
		f(t, Config{URL: "ws://localhost/ws", Transport: dialler})
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
