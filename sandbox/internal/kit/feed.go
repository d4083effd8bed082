package kit

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gorilla/websocket"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Feed is a service's WebSocket, on a listener of its own. Its functions are
// called with the sandbox's lock held.
type Feed struct {
	Host string // the listener, one of the service's hosts
	Path string
	// Message handles a message from a client. A text that is not JSON is a
	// violation and never reaches it, unless AnyText is set.
	Message func(conn *FeedConn, message json.RawMessage)
	AnyText bool
	// Gone is called when a connection ends. May be nil.
	Gone func(conn *FeedConn)

	dialect Dialect // nil: as documented

	Conns   []*FeedConn
	opened  int // connections so far
	trouble feedTrouble
	record  feedRecord
}

// feedTrouble is the trouble that a test causes on the connections of a feed.
type feedTrouble struct {
	pace     atomic.Pointer[feedPace]
	cutAfter atomic.Int64 // messages; 0 means never
}

// feedRecord has what was written to the connections since RecordFeeds.
type feedRecord struct {
	on       atomic.Bool
	mu       sync.Mutex
	messages []play.FeedMessage
}

// feedHandler serves a feed.
type feedHandler struct {
	*Core
	service *Spec
	era     context.Context
}

// The read buffer is set so that gorilla does not reuse the server's buffer,
// which would bypass the feedLink.
var upgrader = websocket.Upgrader{
	ReadBufferSize: 4096, EnableCompression: true,
	CheckOrigin: func(*http.Request) bool { return true },
}

// ServeHTTP upgrades the connection and reads from it until it ends. Faults of
// the route GET path hit the handshake.
func (h *feedHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	feed := h.service.Feed
	c := &Call{Core: h.Core, Service: h.service, Host: feed.Host, Request: r}
	if !h.Enter(h.era) {
		Abort(w)
		return
	}
	f, err := h.accept(c)
	c.note(r)
	h.Unlock()
	if !Delay(r, h.era, f.Delay) {
		Abort(w)
		return
	}
	if err != nil || Prevents(f) {
		if !h.Enter(h.era) {
			Abort(w)
			return
		}
		answer, refusal := c.answer(nil, err, f)
		c.say(&answer, f, refusal)
		c.stamp(w.Header(), answer.Header, f.Header)
		h.Unlock()
		Send(w, answer.Status, answer.Bytes(), f)
		return
	}
	socket, err := upgrader.Upgrade(feedHijacker{w, &feed.trouble}, r, nil)
	if err != nil {
		return
	}
	conn := &FeedConn{
		core: h.Core, feed: feed, socket: socket, link: socket.NetConn().(*feedLink), queue: make(chan feedItem, FeedQueue),
		Client: r.UserAgent(), tenant: c.Tenant,
	}
	if !h.join(conn) {
		socket.Close()
		return
	}
	h.Lock()
	h.asked--
	h.Unlock()
	h.read(conn)
	h.leave(conn)
	h.Lock()
	h.asked++
	h.Unlock()
}

// accept takes the handshake up to the upgrade. A key is optional or required
// as for the routes; the path takes no parameters.
func (h *feedHandler) accept(c *Call) (play.Fault, error) {
	path := h.service.Feed.Path
	if feed := h.service.Feed; feed.dialect != nil {
		c.Heard = feed.dialect.Shake(c.Request)
		c.Request = c.Heard.Request
	}
	c.recognize()
	if c.Request.URL.Path != path {
		c.Violate("no such route")
		return play.Fault{}, Refuse(http.StatusNotFound, "", "no such route")
	}
	c.Route = &Route{Method: http.MethodGet, Path: path}
	at := play.Route{Service: h.service.Name, Method: http.MethodGet, Pattern: path}
	h.Count(at)
	problem := ""
	switch {
	case !websocket.IsWebSocketUpgrade(c.Request):
		problem = "a request that is no WebSocket handshake"
	case c.Request.URL.RawQuery != "":
		problem = "a query on the handshake"
	}
	for _, p := range c.misheard() {
		problem = p
	}
	if problem != "" {
		c.Violate(problem)
		return play.Fault{}, Refuse(http.StatusBadRequest, "", problem)
	}
	if err := c.authenticate(); err != nil {
		return play.Fault{}, err
	}
	f, _ := h.FaultFor(at, c.Tenant)
	return f, nil
}

func (h *feedHandler) join(conn *FeedConn) bool {
	h.Lock()
	defer h.Unlock()
	if h.closed || !h.serves(conn.feed) {
		return false
	}
	conn.feed.opened++
	conn.Number = conn.feed.opened
	conn.feed.Conns = append(conn.feed.Conns, conn)
	h.running.Go(conn.write)
	return true
}

func (h *feedHandler) leave(conn *FeedConn) {
	conn.socket.Close()
	conn.settle()
	h.Lock()
	defer h.Unlock()
	feed := h.service.Feed
	feed.Conns = slices.DeleteFunc(feed.Conns, func(c *FeedConn) bool { return c == conn })
	conn.closed = true
	close(conn.queue)
	if feed.Gone != nil {
		feed.Gone(conn)
	}
}

// read hands each message on until the connection ends.
func (h *feedHandler) read(conn *FeedConn) {
	for {
		kind, message, err := conn.socket.ReadMessage()
		if err != nil || !h.Enter(h.era) {
			return
		}
		h.take(conn, kind, message)
		h.Unlock()
	}
}

// take hands a message on, in documented words.
func (h *feedHandler) take(conn *FeedConn, kind int, message []byte) {
	var problems []string
	switch {
	case kind != websocket.TextMessage || !json.Valid(message) && !conn.feed.AnyText:
		problems = []string{"a message that is no JSON text"}
	case conn.feed.dialect != nil:
		message, problems = conn.feed.dialect.Told(message)
	}
	for _, p := range problems {
		conn.Violate(play.Violation{Service: h.service.Name, Route: "GET " + h.service.Feed.Path, Problem: p})
	}
	if len(problems) == 0 {
		h.service.Feed.Message(conn, message)
	}
}
