package sandbox

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"time"
)

// maxBody bounds a request's body.
const maxBody = 16 << 20

// host is one listener.
type host struct {
	listener net.Listener
	server   *http.Server
}

func (h *host) address() string { return h.listener.Addr().String() }

// listen opens a loopback listener for handler.
func (s *Sandbox) listen(handler http.Handler) (*host, error) {
	port := 0
	if s.config.BasePort > 0 {
		port = s.config.BasePort + len(s.servers)
	}
	l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	h := &host{listener: l, server: &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !s.begin() {
				return
			}
			defer s.running.Done()
			handler.ServeHTTP(w, r)
		}),
		ErrorLog:          log.New(io.Discard, "", 0),
		ReadHeaderTimeout: 30 * time.Second,
	}}
	s.servers = append(s.servers, h)
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		h.server.Serve(l)
	}()
	return h, nil
}

// begin counts a goroutine that Close waits for, unless it is too late.
func (s *Sandbox) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.running.Add(1)
	return true
}

// serviceHandler serves the routes of one listener of one service.
type serviceHandler struct {
	*Sandbox
	service *service
	name    string // of the listener
	router  router
}

// ServeHTTP takes a request through the stages: route, credential, limits,
// form, fault, handler.
func (h *serviceHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		abort(w)
		return
	}
	c := &call{Sandbox: h.Sandbox, service: h.service, host: h.name, request: r, body: body}
	h.mu.Lock()
	input, err := c.accept(&h.router)
	var f Fault
	if err == nil {
		f, _ = h.faultFor(c.service.public(c.route))
	}
	h.mu.Unlock()
	if !h.delay(r, f.Delay) {
		abort(w)
		return
	}
	h.mu.Lock()
	answer := c.answer(input, err, f)
	c.stamp(w.Header(), answer.header, f.Header)
	h.mu.Unlock()
	send(w, answer.status, answer.bytes(), f)
}

// accept takes the request up to its handler.
func (c *call) accept(t *router) (input any, err error) {
	c.requestID = fmt.Sprintf("req_%016x", c.random())
	route, parameters, otherMethod := t.find(c.request.Method, c.request.URL.EscapedPath())
	if route == nil {
		if otherMethod {
			c.violate("the method is not allowed here")
			return nil, refuse(http.StatusMethodNotAllowed, "", "method not allowed")
		}
		c.violate("no such route")
		return nil, refuse(http.StatusNotFound, "", "no such route")
	}
	c.route, c.parameters = route, parameters
	c.hits[c.service.public(route)]++
	if err := c.authenticate(); err != nil {
		return nil, err
	}
	if err := c.admit(); err != nil {
		return nil, err
	}
	input, problems := route.input.read(c)
	for _, p := range problems {
		c.violate(p)
	}
	if len(problems) > 0 {
		return nil, refuse(http.StatusBadRequest, "", problems[0])
	}
	return input, nil
}

// answer carries the request out, unless a fault prevents that.
func (c *call) answer(input any, err error, f Fault) reply {
	var body any
	if err == nil && !f.prevents() {
		body, err = c.route.invoke(c, input)
	}
	if f.Status != 0 || f.Body != nil {
		return c.faulty(f)
	}
	if err != nil {
		return c.refusal(err)
	}
	answer, ok := body.(reply)
	if !ok {
		if c.service.success != nil {
			body = c.service.success(c, body)
		}
		answer = reply{body: body}
	}
	if answer.status == 0 {
		answer.status = http.StatusOK
	}
	return answer
}

func (c *call) refusal(err error) reply {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		f = &failure{Status: http.StatusInternalServerError, Message: err.Error()}
	}
	answer := c.service.envelope(c, f)
	if answer.status == 0 {
		answer.status = f.Status
	}
	if answer.header == nil {
		answer.header = f.Header
	}
	return answer
}

// faulty is the answer that a fault puts in the true one's place.
func (c *call) faulty(f Fault) reply {
	status := f.Status
	if status == 0 {
		status = http.StatusOK
	}
	if f.Body != nil {
		return reply{status: status, raw: f.Body}
	}
	return c.refusal(&failure{Status: status, Message: http.StatusText(status)})
}

// stamp writes the headers. Date is the sandbox's, since resets are reckoned
// against it.
func (c *call) stamp(h http.Header, more ...http.Header) {
	h.Set("Date", c.now().UTC().Format(http.TimeFormat))
	h.Set("Content-Type", "application/json")
	if c.limit != nil && c.service.limitHeader != nil {
		c.service.limitHeader(h, *c.limit)
	}
	for _, headers := range more {
		for name, values := range headers {
			h[http.CanonicalHeaderKey(name)] = values
		}
	}
}
