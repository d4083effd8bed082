package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

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

	conns   []*feedConn
	opened  int // connections so far
	trouble feedTrouble
	record  feedRecord
}

// feedTrouble is what goes wrong with the connections of a feed.
type feedTrouble struct {
	pace     atomic.Pointer[feedPace]
	cutAfter atomic.Int64 // messages; 0 means never
}

// feedRecord is what was written to the connections, once somebody wants to
// know.
type feedRecord struct {
	on       atomic.Bool
	mu       sync.Mutex
	messages []FeedMessage
}

// feedHandler serves a feed.
type feedHandler struct {
	*Sandbox
	service *service
}

// The buffer of the reader is set so that gorilla does not take the server's
// own, which would read past a feedLink.
var upgrader = websocket.Upgrader{
	ReadBufferSize: 4096, EnableCompression: true,
	CheckOrigin: func(*http.Request) bool { return true },
}

// ServeHTTP upgrades the connection and reads from it until it ends. Faults of
// the route GET path hit the handshake.
func (h *feedHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	feed := h.service.feed
	c := &call{Sandbox: h.Sandbox, service: h.service, host: feed.host, request: r}
	h.mu.Lock()
	f, err := h.accept(c)
	h.mu.Unlock()
	if !h.delay(r, f.Delay) {
		abort(w)
		return
	}
	if err != nil || f.prevents() {
		h.mu.Lock()
		answer := c.answer(nil, err, f)
		c.stamp(w.Header(), answer.header, f.Header)
		h.mu.Unlock()
		send(w, answer.status, answer.bytes(), f)
		return
	}
	socket, err := upgrader.Upgrade(feedHijacker{w, &feed.trouble}, r, nil)
	if err != nil {
		return
	}
	conn := &feedConn{feed: feed, socket: socket, link: socket.NetConn().(*feedLink), queue: make(chan feedItem, feedQueue)}
	if !h.join(conn) {
		socket.Close()
		return
	}
	h.read(conn)
	h.leave(conn)
}

// accept takes the handshake up to the upgrade. A key is optional or required
// as for the routes; the path takes no parameters.
func (h *feedHandler) accept(c *call) (Fault, error) {
	path := h.service.feed.path
	if c.request.URL.Path != path {
		c.violate("no such route")
		return Fault{}, refuse(http.StatusNotFound, "", "no such route")
	}
	c.route = &route{method: http.MethodGet, path: path}
	at := Route{h.service.name, http.MethodGet, path}
	h.hits[at]++
	problem := ""
	switch {
	case !websocket.IsWebSocketUpgrade(c.request):
		problem = "a request that is no WebSocket handshake"
	case c.request.URL.RawQuery != "":
		problem = "a query on the handshake"
	}
	if problem != "" {
		c.violate(problem)
		return Fault{}, refuse(http.StatusBadRequest, "", problem)
	}
	if err := c.authenticate(); err != nil {
		return Fault{}, err
	}
	f, _ := h.faultFor(at)
	return f, nil
}

func (h *feedHandler) join(conn *feedConn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	conn.feed.opened++
	conn.number = conn.feed.opened
	conn.feed.conns = append(conn.feed.conns, conn)
	h.running.Go(conn.write)
	return true
}

func (h *feedHandler) leave(conn *feedConn) {
	conn.socket.Close()
	conn.settle()
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
