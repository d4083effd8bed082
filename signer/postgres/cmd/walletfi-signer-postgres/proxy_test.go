package main

import (
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// proxy stands between a signer and the database, and can let nothing pass.
type proxy struct {
	net.Listener
	to string

	mu     sync.Mutex
	conns  []net.Conn
	healed chan struct{} // not nil while it lets nothing pass
}

func newProxy(t *testing.T, to string) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{Listener: l, to: to}
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			on, err := net.Dial("tcp", to)
			if err != nil {
				_ = from.Close()
				continue
			}
			p.mu.Lock()
			p.conns = append(p.conns, from, on)
			p.mu.Unlock()
			go p.pass(from, on)
			go p.pass(on, from)
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		p.heal()
	})
	return p
}

// pass copies what comes. What comes while nothing passes is lost, and the connection ends once the
// proxy is healed.
func (p *proxy) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		p.mu.Lock()
		healed := p.healed
		p.mu.Unlock()
		if healed != nil {
			<-healed
			return
		}
		if _, failed := to.Write(buf[:n]); err != nil || failed != nil {
			return
		}
	}
}

// cut lets nothing pass, and tells neither side.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.healed = make(chan struct{})
}

// heal ends that, and the connections of before.
func (p *proxy) heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.healed != nil {
		close(p.healed)
		p.healed = nil
	}
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}
