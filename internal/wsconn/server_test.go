package wsconn

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(bothWays{m}) }

// bothWays runs all tests twice: on connections that the Conn dials itself, and on
// those of a round tripper of another kind.
type bothWays struct{ *testing.M }

func (b bothWays) Run() int {
	if code := b.M.Run(); code != 0 {
		return code
	}
	tunnelling = true
	return b.M.Run()
}

// tunnelling hides the kind of the round tripper from the Conn.
var tunnelling bool

// wrapped is a round tripper as a program's own is.
type wrapped struct{ http.RoundTripper }

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
		cfg := Config{URL: "ws://localhost/ws", Transport: dialler}
		if tunnelling {
			cfg.Transport = wrapped{dialler}
		}
		f(t, cfg)
	})
}

// event is a call of a Handler: a message, a gap or a loss.
type event struct {
	message string
	gap     *Gap
	down    error
	retryIn time.Duration
	at      time.Time
}

// recorder hands events to the test, which must take them. It holds every test to
// the order of a Handler's calls.
type recorder struct {
	t      *testing.T
	events chan event
	ups    atomic.Int32
	marks  chan uint64 // of Reached; what does not fit is forgotten

	up, told bool // is, since the last Up or Down; a message or Reached was told since
}

func newRecorder(t *testing.T, size int) *recorder {
	return &recorder{t: t, events: make(chan event, size), marks: make(chan uint64, size)}
}

func (r *recorder) put(e event) {
	e.at = time.Now()
	r.events <- e
}

func (r *recorder) Message(message []byte) {
	assert.True(r.t, r.up, "a message before Up")
	r.told = true
	r.put(event{message: string(message)})
}

func (r *recorder) Gap(gap Gap) {
	assert.True(r.t, !r.up || r.told, "a gap after Up, without a message before it")
	r.put(event{gap: &gap})
}

func (r *recorder) Up() {
	assert.False(r.t, r.up, "Up twice for one connection")
	r.up, r.told = true, false
	r.ups.Add(1)
}

func (r *recorder) Reached(mark uint64) {
	assert.True(r.t, r.up, "Reached before Up")
	r.told = true
	select {
	case r.marks <- mark:
	default:
	}
}

func (r *recorder) Down(err error, retryIn time.Duration) {
	r.up = false
	r.put(event{down: err, retryIn: retryIn})
}

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
	rec := newRecorder(t, 1024)
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
