package wsconn

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go/internal/peer"
)

// tunnel is a connection that a foreign http.RoundTripper made: the handshake that is
// written to it goes out as that round tripper's request, and what net/http leaves of
// the answer is the connection. So the feed takes the way of every other request, with
// its proxies, certificates and headers, and a double that answers requests in memory
// keeps it from the network too.
type tunnel struct {
	through http.RoundTripper
	scheme  string // of the request: http or https
	ctx     context.Context
	trace   peer.Trace

	request []byte // what was written of the handshake
	answer  []byte // its answer, what has not been read of it

	mu      sync.Mutex
	stream  io.ReadWriteCloser // nil before the handshake, and if the answer is not one
	closed  bool
	cancel  context.CancelFunc // ends the handshake
	reading *time.Timer
	writeBy time.Time
	expired atomic.Bool   // a deadline has passed
	stuck   atomic.Bool   // that of a write
	over    chan struct{} // closed by Close
}

var (
	// errNoStream is a round tripper that reached the service and keeps the
	// connection for itself.
	errNoStream = errors.New("the HTTP client's round tripper does not hand on a WebSocket")
	errTunnel   = errors.New("the connection is closed")
)

// keptOut is the error of a round tripper that did not even ask for a connection.
type keptOut struct {
	through http.RoundTripper
	cause   error
}

func (e *keptOut) Error() string {
	return fmt.Sprintf("the HTTP client's round tripper (%T) let nothing through, and Dial is not set: %v",
		e.through, e.cause)
}
func (e *keptOut) Unwrap() error { return e.cause }

// tunnelled returns what dials through rt.
func tunnelled(rt http.RoundTripper, scheme string) dialFunc {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		// The connection outlives the handshake, whose end cancels ctx.
		inside, cancel := context.WithCancel(context.WithoutCancel(ctx))
		t := &tunnel{through: rt, scheme: scheme, cancel: cancel, over: make(chan struct{})}
		t.ctx = t.trace.Watch(inside)
		return t, nil
	}
}

// Write gathers the handshake, sends it when it is whole, and then writes to the
// connection.
func (t *tunnel) Write(p []byte) (int, error) {
	t.mu.Lock()
	stream, by := t.stream, t.writeBy
	t.mu.Unlock()
	if stream != nil {
		return t.write(stream, by, p)
	}
	t.request = append(t.request, p...)
	if !bytes.Contains(t.request, []byte("\r\n\r\n")) {
		return len(p), nil
	}
	if err := t.handshake(by); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (t *tunnel) write(stream io.WriteCloser, by time.Time, p []byte) (int, error) {
	if !by.IsZero() {
		timer := time.AfterFunc(time.Until(by), func() {
			t.stuck.Store(true)
			t.expire()
		})
		defer timer.Stop()
	}
	n, err := stream.Write(p)
	if err != nil && !t.stuck.Load() {
		t.yield()
	}
	return n, t.reason(err)
}

// handshake has the round tripper send the request, and keeps its answer to be read.
func (t *tunnel) handshake(by time.Time) error {
	request, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(t.request)))
	if err != nil {
		return err
	}
	request.RequestURI, request.Body = "", nil
	request.URL.Scheme, request.URL.Host = t.scheme, request.Host
	if !by.IsZero() {
		timer := time.AfterFunc(time.Until(by), t.expire)
		defer timer.Stop()
	}
	response, err := t.through.RoundTrip(request.WithContext(t.ctx))
	if err == nil && response == nil {
		err = errNoResponse
	}
	if err != nil {
		if err = t.reason(err); !t.trace.Asked() && !t.expired.Load() && !t.isClosed() {
			err = &keptOut{t.through, err}
		}
		return err
	}
	if response.StatusCode != http.StatusSwitchingProtocols {
		return t.refused(response)
	}
	stream, ok := response.Body.(io.ReadWriteCloser)
	if !ok {
		if response.Body != nil {
			response.Body.Close()
		}
		if t.trace.Asked() {
			return errNoStream
		}
		return &keptOut{t.through, errNoStream}
	}
	response.Body = nil
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 101 Switching Protocols\r\n")
	_ = response.Header.Write(&head)
	head.WriteString("\r\n")
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || t.expired.Load() {
		stream.Close()
		return t.reason(errTunnel)
	}
	t.answer, t.stream = head.Bytes(), stream
	return nil
}

var errNoResponse = errors.New("the round tripper returned neither a response nor an error")

// refused keeps an answer that is not a WebSocket to be read.
func (t *tunnel) refused(response *http.Response) error {
	var body []byte
	if response.Body != nil {
		defer response.Body.Close()
		body, _ = io.ReadAll(io.LimitReader(response.Body, 1024)) // what gorilla keeps
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	response.ContentLength = int64(len(body))
	response.TransferEncoding = nil
	var whole bytes.Buffer
	if err := response.Write(&whole); err != nil {
		return err
	}
	t.answer = whole.Bytes()
	return nil
}

// Read reads the answer to the handshake, and then from the connection.
func (t *tunnel) Read(p []byte) (int, error) {
	if len(t.answer) > 0 {
		n := copy(p, t.answer)
		t.answer = t.answer[n:]
		return n, nil
	}
	t.mu.Lock()
	stream := t.stream
	t.mu.Unlock()
	if stream == nil {
		return 0, io.EOF
	}
	n, err := stream.Read(p)
	if err != nil && t.stuck.Load() {
		t.yield()
	}
	return n, t.reason(err)
}

// reason names a failure after a deadline.
func (t *tunnel) reason(err error) error {
	if err != nil && t.expired.Load() {
		return os.ErrDeadlineExceeded
	}
	return err
}

// expire ends the connection: only closing it ends a read or a write. That ends both,
// and the one whose deadline has passed is to say why: see yield.
func (t *tunnel) expire() {
	t.expired.Store(true)
	t.mu.Lock()
	stream := t.stream
	t.mu.Unlock()
	if t.cancel(); stream != nil {
		stream.Close()
	}
}

// yield waits for the other direction to say why the connection has ended, if a
// deadline has, until it is closed.
func (t *tunnel) yield() {
	if !t.expired.Load() {
		return
	}
	timer := time.NewTimer(50 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-t.over:
	case <-timer.C:
	}
}

func (t *tunnel) isClosed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.closed
}

// Close ends the connection, or the handshake.
func (t *tunnel) Close() error {
	t.mu.Lock()
	stream, closed := t.stream, t.closed
	if t.closed = true; !closed {
		close(t.over)
	}
	if t.reading != nil {
		t.reading.Stop()
	}
	t.mu.Unlock()
	t.cancel()
	if stream == nil || closed {
		return nil
	}
	return stream.Close()
}

// SetReadDeadline ends the connection then.
func (t *tunnel) SetReadDeadline(by time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reading != nil {
		t.reading.Stop()
	}
	switch {
	case t.closed:
		return errTunnel
	case by.IsZero():
	case t.reading == nil:
		t.reading = time.AfterFunc(time.Until(by), t.expire)
	default:
		t.reading.Reset(time.Until(by))
	}
	return nil
}

// SetWriteDeadline bounds the writes that begin from now on.
func (t *tunnel) SetWriteDeadline(by time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.writeBy = by
	return nil
}

// SetDeadline sets both.
func (t *tunnel) SetDeadline(by time.Time) error {
	_ = t.SetWriteDeadline(by)
	return t.SetReadDeadline(by)
}

// LocalAddr is not known.
func (t *tunnel) LocalAddr() net.Addr { return unknownAddr{} }

// RemoteAddr is not known.
func (t *tunnel) RemoteAddr() net.Addr { return unknownAddr{} }

type unknownAddr struct{}

func (unknownAddr) Network() string { return "tcp" }
func (unknownAddr) String() string  { return "unknown" }
