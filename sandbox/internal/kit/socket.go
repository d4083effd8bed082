package kit

import (
	"net"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// ListenNode opens the listeners of node i: its HTTP, and its WebSocket at the
// next port, where clients look for it.
func (s *Core) ListenNode(i int, handler http.Handler, socket *Feed) error {
	http, ws, err := s.neighbours()
	if err != nil {
		return err
	}
	socket.Host, socket.Path = socketName(i), "/"
	s.sockets = append(s.sockets, socket)
	s.serve(http, play.RPC, NodeName(i), handler)
	spec := &Spec{Name: play.RPC, Auth: NoAuth, Envelope: PlainEnvelope, Feed: socket}
	s.serve(ws, play.RPC, socket.Host, &feedHandler{s, spec})
	return nil
}

// neighbours opens two ports in a row.
func (s *Core) neighbours() (first, second net.Listener, err error) {
	for range 50 {
		port := s.nextPort()
		if first, err = listen(port); err != nil {
			return nil, nil, err
		}
		if second, err = listen(first.Addr().(*net.TCPAddr).Port + 1); err == nil {
			return first, second, nil
		}
		if first.Close(); port > 0 {
			break // another try would be the same
		}
	}
	return nil, nil, err
}

func socketName(i int) string { return "socket " + NodeName(i) }

// SocketURL returns the address of a node's WebSocket.
func (s *Core) SocketURL(i int) string {
	return strings.Replace(s.HostURL(play.RPC, socketName(i)), "http://", "ws://", 1)
}

// Drop cuts the feed's connections without a close frame and returns their
// number. The lock is held.
func (f *Feed) Drop() int {
	for _, conn := range f.Conns {
		conn.link.Close()
	}
	return len(f.Conns)
}

// Silence makes the feed's present connections half-open and returns their
// number. The lock is held.
func (f *Feed) Silence() int {
	for _, conn := range f.Conns {
		conn.link.silent.Store(true)
	}
	return len(f.Conns)
}

// Crowded reports a client that reads more slowly than it is written to.
func (f *FeedConn) Crowded() bool { return len(f.queue) > FeedQueue/2 }
