package wstest

import (
	"context"
	"errors"
	"net"
	"sync"
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
