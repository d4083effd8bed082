package wsconn

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/scripttest"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestScripts plays testdata/scripts: a Conn and a service on virtual time.
func TestScripts(t *testing.T) {
	scripttest.Run(t, func(t *testing.T, trace *scripttest.Trace) func(*scripttest.Event) {
		s := newService(trace)
		c := &scripted{t: t, trace: trace, service: s, transport: wiretest.InMemory(t, s)}
		t.Cleanup(func() {
			c.stop()
			s.Wait()
		})
		return func(e *scripttest.Event) {
			if !c.play(e) && !s.play(e) {
				e.Unknown()
			}
		}
	})
}

// scripted is the Conn of a script, and its Handler.
type scripted struct {
	t         *testing.T
	trace     *scripttest.Trace
	service   *service
	transport http.RoundTripper

	conn   *Conn
	cancel context.CancelFunc
	ended  chan struct{}
	key    string
	asked  int // of the headers
	topics topics
	slow   time.Duration // for each message
	// headers is the error of the next requests for headers.
	headers []error
}

// play runs an event of the client's, and reports whether it is one.
func (c *scripted) play(e *scripttest.Event) bool {
	switch e.Name {
	case "start":
		c.start(e)
	case "stop":
		c.stop()
	case "update":
		for range e.Int("n", 1) {
			c.conn.Update(func(mark uint64) [][]byte { return [][]byte{fmt.Appendf(nil, "update %d", mark)} })
		}
	case "want":
		c.topics.want(c.conn, e.First())
	case "unwant":
		c.topics.drop(c.conn, e.First())
	case "slow":
		c.slow = e.Lasts()
	case "no-headers":
		err := errors.New("the token service is down")
		if e.Has("forbidden") {
			err = walletfi.ErrForbidden
		}
		for range e.Int("times", 1) {
			c.headers = append(c.headers, err)
		}
	default:
		return false
	}
	return true
}

// start makes a Conn and runs it.
func (c *scripted) start(e *scripttest.Event) {
	require.Nil(c.t, c.conn, "stop the one before")
	c.trace.Begin()
	c.service.before = c.service.Count()
	c.key, c.asked, c.topics, c.slow = e.Text("key", "key"), 0, topics{}, 0
	cfg := Config{
		URL: "ws://localhost/ws", Transport: c.transport, Clock: scripttest.Clock{}, Header: c.header,
		PingEvery: e.Duration("ping", 10*time.Second), HandshakeTimeout: e.Duration("handshake", 0),
		MinBackoff: e.Duration("backoff", 0), MaxBackoff: e.Duration("most", 0),
		ReadLimit: e.Int("limit", 0), Compression: e.Has("compress"), ConfirmUpdates: e.Has("confirm"),
	}
	if tunnelling {
		cfg.Transport = wrapped{c.transport}
	}
	cfg.Resubscribe = c.topics.all
	if n := e.Int("resubscribe", 0); n > 0 {
		cfg.Resubscribe = resubscribing(n)
	}
	conn, err := New(cfg, c)
	require.NoError(c.t, err)
	if topic := e.Text("wants", ""); topic != "" {
		c.topics.want(conn, topic)
	}
	ctx, cancel := context.WithCancel(c.t.Context())
	c.conn, c.cancel, c.ended = conn, cancel, make(chan struct{})
	go func() {
		defer close(c.ended)
		c.say("ended: %s", c.described(conn.Run(ctx)))
	}()
}

// stop ends the Conn, which takes no time to speak of.
func (c *scripted) stop() {
	if c.conn == nil {
		return
	}
	began := time.Now()
	c.cancel()
	<-c.ended
	require.LessOrEqual(c.t, time.Since(began), 10*time.Millisecond)
	require.LessOrEqual(c.t, cap(c.conn.buffer), 4*c.conn.cfg.ReadLimit)
	c.conn = nil
	c.service.release()
}

func (c *scripted) header(context.Context) (http.Header, error) {
	if len(c.headers) > 0 {
		err := c.headers[0]
		c.headers = c.headers[1:]
		return nil, err
	}
	c.asked++
	return http.Header{"Authorization": {fmt.Sprintf("Bearer %s-%d", c.key, c.asked)}}, nil
}

func (c *scripted) say(format string, args ...any) { c.trace.Say("client", format, args...) }

func (c *scripted) Message(message []byte) {
	if c.slow > 0 {
		time.Sleep(c.slow)
	}
	text := string(message)
	if len(text) > 40 {
		text = fmt.Sprintf("%d times %s", len(text)/len(text[:1]), text[:1])
		require.Equal(c.t, len(message), strings.Count(string(message), string(message[:1])))
	}
	c.say("gets %s", text)
}

func (c *scripted) Gap(g Gap) {
	c.say("gap from %s to %s: %s", c.trace.Since(g.From), c.trace.Since(g.To), lost(g.Reason))
}
func (c *scripted) Up()                 { c.say("up") }
func (c *scripted) Reached(mark uint64) { c.say("reached %d", mark) }
func (c *scripted) Down(err error, retryIn time.Duration) {
	c.say("down, again in %s: %s", retryIn, c.described(err))
}

// lost makes one of the words for a cut connection: the reader, the writer and the
// pings all find out, and any may be the first. A tunnel names its pipe.
func lost(text string) string {
	return strings.NewReplacer(
		"write pipe: ", "",
		"write: io: read/write on closed pipe", "connection lost",
		"ping: io: read/write on closed pipe", "connection lost",
	).Replace(text)
}

// described is an error with its kind, and the answer's body.
func (c *scripted) described(err error) string {
	text := lost(err.Error())
	var handshake *HandshakeError
	if errors.As(err, &handshake) {
		text += fmt.Sprintf(", body %q", handshake.Body)
	}
	for _, kind := range []error{
		walletfi.ErrUnavailable, walletfi.ErrInvalidRequest, walletfi.ErrUnauthorized, walletfi.ErrForbidden,
		walletfi.ErrNotFound, walletfi.ErrRedirect, walletfi.ErrRateLimited, walletfi.ErrDecode, context.Canceled,
	} {
		if errors.Is(err, kind) {
			return text
		}
	}
	return text + ", of no kind"
}

func resubscribing(n int) func() [][]byte {
	return func() (all [][]byte) {
		for i := range n {
			all = append(all, fmt.Appendf(nil, "+%d", i))
		}
		return all
	}
}
