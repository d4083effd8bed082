package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/websocket"
)

// feed is a service's WebSocket, on a listener of its own. Its functions are
// called with the sandbox's lock held.
type feed struct {
	host string // the listener, one of the service's hosts
	path string
	// message takes what a client sent. A text that is no JSON is a violation
	// before that.
	message func(conn *feedConn, message json.RawMessage)
	// gone forgets a connection. May be nil.
	gone func(conn *feedConn)

	conns []*feedConn
}

// feedConn is one connection of a feed.
type feedConn struct {
	socket *websocket.Conn
	queue  chan []byte // what is to be written, in order
	closed bool
}

// feedQueue is how far behind a client may fall before it is disconnected.
const feedQueue = 1024

// push writes a message as JSON. A client that does not read is dropped.
func (f *feedConn) push(v any) { f.pushRaw(mustJSON(v)) }

func (f *feedConn) pushRaw(message []byte) {
	if f.closed {
		return
	}
	select {
	case f.queue <- message:
	default:
		f.socket.Close()
	}
}

// feedHandler serves a feed.
type feedHandler struct {
	*Sandbox
	service *service
}

var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

// ServeHTTP upgrades the connection and reads from it until it ends. Faults of
// the route GET path hit the handshake.
func (h *feedHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	feed := h.service.feed
	at := Route{h.service.name, http.MethodGet, feed.path}
	h.mu.Lock()
	if r.URL.Path != feed.path {
		h.violations = append(h.violations, Violation{h.service.name, r.Method + " " + r.URL.Path, "no such route"})
		h.mu.Unlock()
		http.NotFound(w, r)
		return
	}
	h.hits[at]++
	f, _ := h.faultFor(at)
	h.mu.Unlock()
	if !h.delay(r, f.Delay) {
		abort(w)
		return
	}
	if f.prevents() {
		send(w, max(f.Status, http.StatusOK), f.Body, f)
		return
	}
	socket, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	conn := &feedConn{socket: socket, queue: make(chan []byte, feedQueue)}
	if !h.join(conn) {
		socket.Close()
		return
	}
	h.read(conn)
	h.leave(conn)
}

func (h *feedHandler) join(conn *feedConn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.service.feed.conns = append(h.service.feed.conns, conn)
	h.running.Go(conn.write)
	return true
}

func (h *feedHandler) leave(conn *feedConn) {
	conn.socket.Close()
	h.mu.Lock()
	defer h.mu.Unlock()
	feed := h.service.feed
	feed.conns = slices.DeleteFunc(feed.conns, func(c *feedConn) bool { return c == conn })
	conn.closed = true
	close(conn.queue)
	if feed.gone != nil {
		feed.gone(conn)
	}
}

// read hands each message on until the connection ends.
func (h *feedHandler) read(conn *feedConn) {
	for {
		kind, message, err := conn.socket.ReadMessage()
		if err != nil {
			return
		}
		h.mu.Lock()
		if kind != websocket.TextMessage || !json.Valid(message) {
			h.violations = append(h.violations, Violation{h.service.name, "GET " + h.service.feed.path, "a message that is no JSON text"})
		} else {
			h.service.feed.message(conn, message)
		}
		h.mu.Unlock()
	}
}

// write sends what is queued, in order, until the connection ends.
func (f *feedConn) write() {
	for message := range f.queue {
		f.socket.SetWriteDeadline(time.Now().Add(5 * time.Second))
		if f.socket.WriteMessage(websocket.TextMessage, message) != nil {
			f.socket.Close()
		}
	}
}

// DropFeeds cuts every WebSocket connection without a word, as a network does.
// It returns how many there were.
func (s *Sandbox) DropFeeds() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, v := range s.services {
		if v.feed == nil {
			continue
		}
		for _, conn := range v.feed.conns {
			conn.socket.NetConn().Close()
			n++
		}
	}
	return n
}

// PushFeeds writes a text to every WebSocket connection as it is, such as one
// that no client should choke on.
func (s *Sandbox) PushFeeds(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.services {
		if v.feed == nil {
			continue
		}
		for _, conn := range v.feed.conns {
			conn.pushRaw([]byte(text))
		}
	}
}
