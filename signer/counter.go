package signer

import (
	"net"
	"sync"
)

// How many connections there may be, of whoever is known, and of all on the Unix socket together
// that the policy does not know: one cannot keep the others out.
const (
	maxConnections = 64
	maxStrangers   = 4
	maxTogether    = 2048
	stranger       = ""
)

// counter is a listener that knows who opened its connections and counts them: users on a Unix
// socket, and over TCP hosts, until a certificate was shown.
type counter struct {
	net.Listener
	policy *Policy

	mu   sync.Mutex
	open map[string]int // by who
	all  int
}

// counted is a connection of somebody.
type counted struct {
	net.Conn
	by     *counter
	who    string // of a TCP connection, at first its host
	closed bool
}

// Accept waits for a connection. Those of who has too many are closed at once.
func (c *counter) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		who := stranger
		if remote, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
			who = remote.IP.String()
		} else if uid, err := peerUID(conn); err == nil && (c.policy.client(user(uid)) != nil || c.policy.admin(user(uid))) {
			who = user(uid)
		}
		if c.enter(who) {
			return &counted{Conn: conn, by: c, who: who}, nil
		}
		_ = conn.Close()
	}
}

func (c *counter) enter(who string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	most := maxConnections
	if who == stranger {
		most = maxStrangers
	}
	if c.open[who] >= most || c.all >= maxTogether {
		return false
	}
	c.open[who]++
	c.all++
	return true
}

// leave counts a connection out, for who holds mu.
func (c *counter) leave(who string) {
	if c.open[who]--; c.open[who] == 0 {
		delete(c.open, who)
	}
}

// is counts the connection for who has shown a certificate. It reports whether there is a place.
func (c *counted) is(who string) bool {
	c.by.mu.Lock()
	defer c.by.mu.Unlock()
	if c.who != who && (c.closed || c.by.open[who] >= maxConnections) {
		return false
	}
	c.by.leave(c.who)
	c.by.open[who]++
	c.who = who
	return true
}

// Close closes the connection and counts it out.
func (c *counted) Close() error {
	c.by.mu.Lock()
	if !c.closed {
		c.closed = true
		c.by.all--
		c.by.leave(c.who)
	}
	c.by.mu.Unlock()
	return c.Conn.Close()
}
