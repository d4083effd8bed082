// Package visitors counts the connections of each who visits a listener, so that one cannot keep
// the others out: users on a Unix socket, known by the ID that the system tells, and over TCP hosts,
// until a certificate was shown.
package visitors

import (
	"net"
	"sync"
)

// How many connections there may be: of whoever is known, of all on the Unix socket together that are
// not, and of all.
const (
	Most         = 64
	mostStrange  = 4
	mostTogether = 2048
	stranger     = ""
)

// Listener knows who opened its connections and counts them.
type Listener struct {
	net.Listener
	knows func(uid int) (who string, known bool)

	mu   sync.Mutex
	open map[string]int // by who
	all  int
}

// Listen counts the connections of l. knows names the users that may come to a Unix socket.
func Listen(l net.Listener, knows func(uid int) (who string, known bool)) *Listener {
	return &Listener{Listener: l, knows: knows, open: map[string]int{}}
}

// Conn is a connection of somebody.
type Conn struct {
	net.Conn
	by     *Listener
	who    string // of a TCP connection, at first its host
	closed bool
}

// Accept waits for a connection. Those of who has too many are closed at once.
func (c *Listener) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		who := stranger
		if remote, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
			who = remote.IP.String()
		} else if uid, err := peerUID(conn); err == nil {
			if name, known := c.knows(uid); known {
				who = name
			}
		}
		if c.enter(who) {
			return &Conn{Conn: conn, by: c, who: who}, nil
		}
		_ = conn.Close()
	}
}

func (c *Listener) enter(who string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	most := Most
	if who == stranger {
		most = mostStrange
	}
	if c.open[who] >= most || c.all >= mostTogether {
		return false
	}
	c.open[who]++
	c.all++
	return true
}

// leave counts a connection out, for who holds mu.
func (c *Listener) leave(who string) {
	if c.open[who]--; c.open[who] == 0 {
		delete(c.open, who)
	}
}

// Is counts the connection for who has shown a certificate. It reports whether there is a place.
func (c *Conn) Is(who string) bool {
	c.by.mu.Lock()
	defer c.by.mu.Unlock()
	if c.who != who && (c.closed || c.by.open[who] >= Most) {
		return false
	}
	c.by.leave(c.who)
	c.by.open[who]++
	c.who = who
	return true
}

// Who opened the connection, empty if that is not known.
func (c *Conn) Who() string {
	c.by.mu.Lock()
	defer c.by.mu.Unlock()
	return c.who
}

// Close closes the connection and counts it out.
func (c *Conn) Close() error {
	c.by.mu.Lock()
	if !c.closed {
		c.closed = true
		c.by.all--
		c.by.leave(c.who)
	}
	c.by.mu.Unlock()
	return c.Conn.Close()
}
