package kit

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// host is one listener.
type host struct {
	service  play.Service
	core     *Core // nil for the control port, which is no tenant's
	listener net.Listener
	handler  atomic.Value // of type served
	base     string       // of its URL: scheme, address, and the path if there is one
	server   *http.Server
}

// served wraps a handler, so that all have one type.
type served struct{ http.Handler }

// hostName tells a service's listeners apart; the main one has no name.
type hostName struct {
	Service play.Service
	Name    string
}

func (h *host) address() string { return h.listener.Addr().String() }

// ServeHTTP hands a request to what the listener serves at present.
func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler := h.handler.Load().(served)
	if h.core == nil {
		handler.ServeHTTP(w, r)
		return
	}
	in, tenant := ofTenant(r)
	if tenant != "" && !Under(h.core, func() bool { return h.core.IsTenant(tenant) }) {
		http.Error(w, "sandbox: there is no tenant "+strconv.Quote(tenant), http.StatusNotFound)
		return
	}
	h.core.logged(h.service, handler, w, in)
}

// Serve opens the listeners of a service, or takes those that it has.
func (s *Core) Serve(v *Spec) error {
	s.services = append(s.services, v)
	for _, name := range append([]string{""}, v.Hosts...) {
		if err := s.openHost(v, name); err != nil {
			return err
		}
	}
	return nil
}

func (s *Core) openHost(v *Spec, name string) error {
	routes := &serviceHandler{Core: s, service: v, name: name, era: s.era}
	for i := range v.Routes {
		if v.Routes[i].Host == name || v.SharedHosts && v.Routes[i].Host == "" {
			routes.router.add(v, &v.Routes[i])
		}
	}
	handler := http.Handler(routes)
	if v.Feed != nil && v.Feed.Host == name {
		v.Feed.dialect = v.Dialect
		handler = &feedHandler{s, v, s.era}
	}
	path := ""
	switch {
	case v.Dialect != nil:
		path = v.Dialect.Mount(name)
	case v.InURL:
		path = v.Prefix
	}
	return s.listenAt(v.Name, name, path, handler)
}

// Listen opens a loopback listener for handler, unless it is there already.
func (s *Core) Listen(service play.Service, name string, handler http.Handler) error {
	return s.listenAt(service, name, "", handler)
}

// listenAt is Listen for a base URL with a path.
func (s *Core) listenAt(service play.Service, name, path string, handler http.Handler) error {
	if s.takes(service, name, handler) {
		return nil
	}
	l, err := listen(s.nextPort())
	if err != nil {
		return err
	}
	s.serve(l, service, name, path, handler)
	return nil
}

// takes makes a listener that is there take handler, and reports whether it is there.
func (s *Core) takes(service play.Service, name string, handler http.Handler) bool {
	h, ok := s.hosts[hostName{service, name}]
	if ok {
		h.handler.Store(served{handler})
	}
	return ok
}

// nextPort is the next listener's, 0 for any.
func (s *Core) nextPort() int {
	if s.Config.BasePort == 0 {
		return 0
	}
	return s.Config.BasePort + len(s.servers)
}

func listen(port int) (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	return l, nil
}

func (s *Core) serve(l net.Listener, service play.Service, name, path string, handler http.Handler) {
	h := &host{service: service, listener: l, base: "http://" + l.Addr().String() + path}
	h.handler.Store(served{handler})
	if service != play.Control {
		h.core = s
	}
	h.server = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !s.begin() {
				return
			}
			defer s.end()
			h.ServeHTTP(w, r)
		}),
		ErrorLog:          log.New(io.Discard, "", 0),
		ReadHeaderTimeout: 30 * time.Second,
	}
	s.servers = append(s.servers, h)
	s.hosts[hostName{service, name}] = h
	s.running.Add()
	go func() {
		defer s.running.Done()
		h.server.Serve(l)
	}()
}

// begin counts a goroutine that Close waits for. It returns false if the
// sandbox is closing.
func (s *Core) begin() bool {
	s.Lock()
	defer s.Unlock()
	if s.closed {
		return false
	}
	s.running.Add()
	s.stirred++
	s.asked++
	return true
}

func (s *Core) end() {
	s.Lock()
	s.stirred++
	s.asked--
	s.Unlock()
	s.running.Done()
}

// URL returns the base URL of a service's main listener, empty if it has none.
func (s *Core) URL(service play.Service) string { return s.HostURL(service, "") }

// HostURL returns the base URL of a listener of a service, with the path prefix
// if the service's documentation counts it as part of the base. The main
// listener has no name. It needs no lock.
func (s *Core) HostURL(service play.Service, name string) string {
	h, ok := s.hosts[hostName{service, name}]
	if !ok {
		return ""
	}
	return h.base
}

// ListenNode opens the listeners of node i: its HTTP, and its WebSocket at the
// next port, where clients look for it.
func (s *Core) ListenNode(i int, handler http.Handler, socket *Feed) error {
	socket.Host, socket.Path = socketName(i), "/"
	s.sockets = append(s.sockets, socket)
	spec := &Spec{Name: play.RPC, Auth: NoAuth, Envelope: PlainEnvelope, Feed: socket}
	feed := &feedHandler{s, spec, s.era}
	if s.takes(play.RPC, NodeName(i), handler) && s.takes(play.RPC, socket.Host, feed) {
		return nil
	}
	http, ws, err := s.neighbours()
	if err != nil {
		return err
	}
	s.serve(http, play.RPC, NodeName(i), "", handler)
	s.serve(ws, play.RPC, socket.Host, "", feed)
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
func (f *Feed) Drop() int { return f.each(func(conn *FeedConn) { conn.link.Close() }) }

// Silence makes the feed's present connections half-open and returns their
// number. The lock is held.
func (f *Feed) Silence() int { return f.each(func(conn *FeedConn) { conn.link.silent.Store(true) }) }

// each calls do with every connection of the feed and returns their number.
func (f *Feed) each(do func(*FeedConn)) int {
	for _, conn := range f.Conns {
		do(conn)
	}
	return len(f.Conns)
}

// Crowded reports a client that reads more slowly than it is written to.
func (f *FeedConn) Crowded() bool { return len(f.queue) > FeedQueue/2 }
