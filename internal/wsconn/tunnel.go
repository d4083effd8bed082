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
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go/internal/peer"
)

// tunnel is a connection that a foreign http.RoundTripper made: the handshake that is
// written to it goes out as that round tripper's request, and what net/http leaves of
// the answer is the connection. So the feed takes the way of every other request, with
// its proxies, certificates and headers, and a double that answers requests in memory
// keeps it from the network too.
//
// The connection in it is one end of a pipe, which has deadlines, as a body that can be
// written does not: see carry. Writes go to the pipe until the handshake is over, and
// then to the stream, so that one is over when the stream has taken it.
type tunnel struct {
	net.Conn
	cancel  context.CancelFunc // ends the handshake, and then the connection
	stream  io.ReadWriteCloser
	open    atomic.Bool // the handshake is over
	writeBy time.Time
	stuck   atomic.Bool // a write's deadline has passed
	failed  atomic.Pointer[error]
}

var (
	// errNoStream is a round tripper that reached the service and keeps the
	// connection for itself.
	errNoStream   = errors.New("the HTTP client's round tripper does not hand on a WebSocket")
	errNoResponse = errors.New("the round tripper returned neither a response nor an error")
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

// tunnelled returns what dials through rt. The scheme is that of the request: http or
// https.
func tunnelled(rt http.RoundTripper, scheme string) dialFunc {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		// The connection outlives the handshake, whose end cancels ctx.
		inside, cancel := context.WithCancel(context.WithoutCancel(ctx))
		near, far := net.Pipe()
		t := &tunnel{Conn: near, cancel: cancel}
		go func() {
			defer cancel()
			defer far.Close()
			if err := t.carry(inside, far, rt, scheme); err != nil {
				t.failed.Store(&err)
			}
		}()
		return t, nil
	}
}

// carry has the round tripper send the handshake, and then hands on what comes from the
// stream until that or ctx ends.
func (t *tunnel) carry(ctx context.Context, far net.Conn, rt http.RoundTripper, scheme string) error {
	request, err := http.ReadRequest(bufio.NewReader(far))
	if err != nil {
		return err
	}
	request.RequestURI, request.Body = "", nil
	request.URL.Scheme, request.URL.Host = scheme, request.Host
	var trace peer.Trace
	response, err := rt.RoundTrip(request.WithContext(trace.Watch(ctx)))
	switch {
	case err == nil && response == nil:
		err = errNoResponse
	case err == nil && response.StatusCode != http.StatusSwitchingProtocols:
		return refuse(far, response)
	}
	if err == nil {
		if response.Body != nil {
			defer response.Body.Close()
		}
		var ok bool
		if t.stream, ok = response.Body.(io.ReadWriteCloser); !ok {
			err = errNoStream
		}
	}
	if err != nil {
		if !trace.Asked() {
			err = &keptOut{rt, err}
		}
		return err
	}
	defer context.AfterFunc(ctx, func() { t.stream.Close() })()
	t.open.Store(true)
	head := bytes.NewBufferString("HTTP/1.1 101 Switching Protocols\r\n")
	_ = response.Header.Write(head)
	head.WriteString("\r\n")
	if _, err := head.WriteTo(far); err != nil {
		return err
	}
	_, err = io.Copy(far, t.stream)
	if t.stuck.Load() {
		<-ctx.Done() // the write says why
	}
	return err
}

// refuse hands on an answer that is not a WebSocket.
func refuse(far io.Writer, response *http.Response) error {
	var body []byte
	if response.Body != nil {
		defer response.Body.Close()
		body, _ = io.ReadAll(io.LimitReader(response.Body, 1024)) // what gorilla keeps
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	response.ContentLength = int64(len(body))
	response.TransferEncoding = nil
	return response.Write(far)
}

// Read reads the answer to the handshake, and then from the connection.
func (t *tunnel) Read(p []byte) (int, error) {
	n, err := t.Conn.Read(p)
	return n, t.reason(err)
}

// Write writes the handshake, and then to the connection. Only closing that ends a write
// whose time is over.
func (t *tunnel) Write(p []byte) (int, error) {
	if !t.open.Load() {
		n, err := t.Conn.Write(p)
		return n, t.reason(err)
	}
	if !t.writeBy.IsZero() {
		defer time.AfterFunc(time.Until(t.writeBy), func() {
			t.stuck.Store(true)
			t.stream.Close()
		}).Stop()
	}
	n, err := t.stream.Write(p)
	if err != nil && t.stuck.Load() {
		err = os.ErrDeadlineExceeded
	}
	return n, err
}

// SetWriteDeadline bounds the writes that begin from now on.
func (t *tunnel) SetWriteDeadline(by time.Time) error {
	t.writeBy = by
	return t.Conn.SetWriteDeadline(by)
}

// SetDeadline bounds reads and writes.
func (t *tunnel) SetDeadline(by time.Time) error {
	t.writeBy = by
	return t.Conn.SetDeadline(by)
}

// reason says why the other end of the pipe was closed.
func (t *tunnel) reason(err error) error {
	if failed := t.failed.Load(); failed != nil && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe)) {
		return *failed
	}
	return err
}

// Close ends the handshake, or the connection.
func (t *tunnel) Close() error {
	t.cancel()
	return t.Conn.Close()
}
