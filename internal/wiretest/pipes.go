package wiretest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"testing"
)

// Pipes is a listener of in-memory connections.
type Pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

// NewPipes returns a listener that DialContext reaches.
func NewPipes() *Pipes {
	return &Pipes{accepted: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept waits for a connection.
func (p *Pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.accepted:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and refuses further connections.
func (p *Pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr is on loopback.
func (p *Pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// DialContext connects to the listener, whatever the address.
func (p *Pipes) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
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

// InMemory starts a server on in-memory connections, for tests on virtual time
// above all, and returns a transport that reaches it whatever the address.
func InMemory(t testing.TB, handler http.Handler) *http.Transport {
	t.Helper()
	listener := NewPipes()
	server := &http.Server{Handler: handler}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	transport := &http.Transport{DialContext: listener.DialContext}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
		serving.Wait()
	})
	return transport
}
