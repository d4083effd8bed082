package signer

import (
	"net"
	"slices"
	"sync"
)

// How many connections a user may hold open, and all users together that the policy does not
// know: one cannot keep the others out.
const (
	maxConnections = 64
	maxStrangers   = 4
	stranger       = -1
)

// counter is a listener that knows the users of its connections and counts them.
type counter struct {
	net.Listener
	policy *Policy

	mu   sync.Mutex
	open map[int]int // by user
}

// counted is a connection of a user.
type counted struct {
	net.Conn
	uid int // stranger if the policy does not know it
	end func()
}

// Accept waits for a connection. Those of a user who has too many are closed at once.
func (c *counter) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		uid, err := peerUID(conn)
		if err != nil || c.policy.client(uid) == nil && !slices.Contains(c.policy.Admins, uid) {
			uid = stranger
		}
		if c.enter(uid) {
			return &counted{conn, uid, sync.OnceFunc(func() { c.leave(uid) })}, nil
		}
		_ = conn.Close()
	}
}

func (c *counter) enter(uid int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	most := maxConnections
	if uid == stranger {
		most = maxStrangers
	}
	if c.open[uid] >= most {
		return false
	}
	c.open[uid]++
	return true
}

func (c *counter) leave(uid int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[uid]--
}

// Close closes the connection and counts it out.
func (c *counted) Close() error {
	c.end()
	return c.Conn.Close()
}
