package kit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// MaxBody bounds a request's body.
const MaxBody = 16 << 20

// serviceHandler serves the routes of one listener of one service.
type serviceHandler struct {
	*Core
	service *Spec
	name    string // of the listener
	era     context.Context
	router  router
}

// ServeHTTP runs the stages in order: route, input, credential, limits, fault,
// handler. What is wrong with the input is listed even if the credential or a
// limit refuses the request.
func (h *serviceHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxBody))
	if err != nil {
		Abort(w)
		return
	}
	c := &Call{Core: h.Core, Service: h.service, Host: h.name, Request: r, body: body}
	if !h.Enter(h.era) {
		Abort(w)
		return
	}
	c.hear()
	c.recognize()
	input, err := c.accept(&h.router)
	c.note(r)
	var f play.Fault
	if err == nil {
		f, _ = h.FaultFor(c.Service.public(c.Route), c.Tenant)
	}
	h.Unlock()
	if !Delay(r, h.era, f.Delay) || !h.Enter(h.era) {
		Abort(w)
		return
	}
	answer, refusal := c.answer(input, err, f)
	c.say(&answer, f, refusal)
	c.stamp(w.Header(), answer.Header, f.Header)
	h.Unlock()
	Send(w, answer.Status, answer.Bytes(), f)
}

// accept runs the stages before the handler.
func (c *Call) accept(t *router) (input any, err error) {
	c.RequestID = fmt.Sprintf("req_%016x", c.ids.Uint64())
	route, parameters, otherMethod := c.find(t)
	if route == nil {
		if otherMethod {
			c.Violate("the method is not allowed here")
			return nil, Refuse(http.StatusMethodNotAllowed, "", "method not allowed")
		}
		c.Violate("no such route")
		return nil, Refuse(http.StatusNotFound, "", "no such route")
	}
	c.Route, c.parameters = route, parameters
	c.Count(c.Service.public(route))
	input, problems := route.Input.read(c)
	problems = append(c.misheard(), problems...)
	for _, p := range problems {
		c.Violate(p)
	}
	if err := c.authenticate(); err != nil {
		return nil, err
	}
	if err := c.admit(); err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, Refuse(http.StatusBadRequest, "", problems[0])
	}
	return input, nil
}

// answer calls the handler, unless a fault prevents that. refusal reports whether it
// is the service's envelope of an error.
func (c *Call) answer(input any, err error, f play.Fault) (answer Reply, refusal bool) {
	var body any
	if err == nil && !Prevents(f) {
		body, err = c.Route.invoke(c, input)
	}
	if f.Status == http.StatusTooManyRequests {
		c.exhaust()
	}
	if f.Status != 0 || f.Body != nil {
		return c.faulty(f), true
	}
	if err != nil {
		return c.refusal(err), true
	}
	answer, ok := body.(Reply)
	if !ok {
		if c.Service.Success != nil {
			body = c.Service.Success(c, body)
		}
		answer = Reply{Body: body}
	}
	if answer.Status == 0 {
		answer.Status = http.StatusOK
	}
	return answer, false
}

func (c *Call) refusal(err error) Reply {
	f, ok := errors.AsType[*Failure](err)
	if !ok {
		f = &Failure{Status: http.StatusInternalServerError, Message: err.Error()}
	}
	answer := c.Service.Envelope(c, f)
	if answer.Status == 0 {
		answer.Status = f.Status
	}
	if answer.Header == nil {
		answer.Header = f.Header
	}
	return answer
}

// faulty is the answer that replaces the handler's under a fault.
func (c *Call) faulty(f play.Fault) Reply {
	status := f.Status
	if status == 0 {
		status = http.StatusOK
	}
	if f.Body != nil {
		return Reply{Status: status, Raw: f.Body}
	}
	return c.refusal(&Failure{Status: status, Message: http.StatusText(status)})
}

// stamp writes the headers. Date is the sandbox's time, since clients compute
// resets from it.
func (c *Call) stamp(h http.Header, own, fault http.Header) {
	h.Set("Date", c.Now().UTC().Format(http.TimeFormat))
	h.Set("Content-Type", "application/json")
	if c.Limit != nil && c.Service.LimitHeader != nil {
		c.Service.LimitHeader(h, *c.Limit)
	}
	set := func(headers http.Header) {
		for name, values := range headers {
			h[http.CanonicalHeaderKey(name)] = values
		}
	}
	set(own)
	if c.Service.Dialect != nil {
		c.Service.Dialect.Header(h)
	}
	set(fault) // live already
}

// InProcess carries requests to the listeners' handlers without a connection.
type InProcess struct{ *Core }

// errReset is all that a caller sees of a connection that was reset.
var errReset = errors.New("sandbox: connection reset")

// RoundTrip implements http.RoundTripper. It takes the lock itself.
func (t InProcess) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	for _, h := range t.servers {
		if h.address() == r.URL.Host {
			if !t.begin() {
				return nil, errReset
			}
			defer t.end()
			return serve(h, r)
		}
	}
	return nil, errors.New("sandbox: no listener at " + r.URL.Host)
}

func serve(handler http.Handler, r *http.Request) (answer *http.Response, err error) {
	body := []byte(nil)
	if r.Body != nil {
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body.Close()
	}
	in := r.Clone(r.Context())
	in.Body, in.RequestURI, in.Host = io.NopCloser(bytes.NewReader(body)), r.URL.RequestURI(), r.URL.Host
	in.RemoteAddr = "127.0.0.1:1"
	out := httptest.NewRecorder()
	defer func() {
		switch p := recover(); {
		case p == http.ErrAbortHandler && r.Context().Err() != nil:
			answer, err = nil, r.Context().Err()
		case p == http.ErrAbortHandler:
			answer, err = nil, errReset
		case p != nil:
			panic(p)
		}
	}()
	handler.ServeHTTP(out, in)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	answer = out.Result()
	answer.Request = r
	return answer, nil
}
