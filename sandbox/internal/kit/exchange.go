package kit

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Bounds of the log of exchanges: their number, the bytes of one body, and the bytes of all of them.
const (
	MostExchanges = 1_000
	exchangeBody  = 4 << 10
	exchangeBytes = 4 << 20
	exchangeLine  = 500 // bytes of a path, and of a client
)

// exchanges is the log of exchanges, the oldest first, as they were.
type exchanges struct {
	list  []*exchange
	bytes int
}

// exchange is a request under way, and then what the log has of it.
type exchange struct {
	play.Exchange
	era               context.Context
	request, response clipping
	reset             bool // the connection was cut
}

// clipping is the beginning of a body. It has one byte more than is told if the body goes on.
type clipping struct{ bytes.Buffer }

// Write keeps what there is room for. It never fails.
func (c *clipping) Write(b []byte) (int, error) {
	c.Buffer.Write(b[:min(len(b), exchangeBody+1-c.Len())])
	return len(b), nil
}

type exchangeKey struct{}

// note adds whose request it is and which route it has found to the log.
func (c *Call) note(r *http.Request) {
	e, logged := r.Context().Value(exchangeKey{}).(*exchange)
	if !logged {
		return
	}
	e.Tenant = c.Tenant
	if c.Route != nil {
		e.Route = c.Route.Method + " " + c.Service.PathOf(c.Route)
	}
}

// logged serves a request and adds it to the log of exchanges.
func (s *Core) logged(service play.Service, handler http.Handler, w http.ResponseWriter, r *http.Request) {
	e := &exchange{era: Under(s, s.Era), Exchange: play.Exchange{
		Service: service, Tenant: TenantOf(r), Method: r.Method,
		Path: lineOf(r.URL.RequestURI()), Client: lineOf(r.UserAgent()),
	}}
	in := r.WithContext(context.WithValue(r.Context(), exchangeKey{}, e))
	in.Body = teeBody{io.TeeReader(r.Body, e), r.Body}
	defer s.log(e, nil)
	handler.ServeHTTP(&exchangeWriter{w, s, e}, in)
}

var rpcMethod = regexp.MustCompile(`"method"\s*:\s*"(\w{1,64})"`)

// log adds a part of an answer to an exchange, and the exchange to the log, before the caller
// sees the answer. It takes the lock itself.
func (s *Core) log(e *exchange, answer []byte) {
	if !s.Enter(e.era) {
		return
	}
	defer s.Unlock()
	before := e.size()
	e.response.Write(answer)
	if e.Number > 0 {
		s.exchanges.bytes += e.size() - before
		return
	}
	if named := rpcMethod.FindSubmatch(e.request.Bytes()); e.Service == play.RPC && named != nil {
		e.Route = string(named[1])
	}
	s.exchanged++
	e.Number, e.Time = s.exchanged, s.Now()
	log := &s.exchanges
	log.list = append(log.list, e)
	log.bytes += e.size()
	for len(log.list) > MostExchanges || log.bytes > exchangeBytes {
		log.bytes -= log.list[0].size()
		log.list[0] = nil
		log.list = log.list[1:]
	}
}

func (e *exchange) size() int { return e.request.Cap() + e.response.Cap() + len(e.Path) }

// Write keeps what a handler reads of a request, until the exchange is in the log. It never fails.
func (e *exchange) Write(b []byte) (int, error) {
	if e.Number == 0 {
		e.request.Write(b)
	}
	return len(b), nil
}

// copied returns an exchange with its bodies, which the handler may still add to.
func (e *exchange) copied() play.Exchange {
	all := e.Exchange
	all.Request, all.Response = e.request.String(), e.response.String()
	return all
}

// Exchanges returns the log of exchanges that a filter covers, the oldest first, masked.
// It takes the lock itself.
func (s *Core) Exchanges(filter play.Exchange) []play.Exchange {
	var found []play.Exchange
	var mask mask
	s.Locked(func() {
		for _, e := range s.exchanges.list {
			if filter.Covers(e.Exchange) {
				found = append(found, e.copied())
			}
		}
		mask = s.masking()
	})
	return List(found, func(e play.Exchange) play.Exchange {
		e.Path, e.Client = mask.line(e.Path), mask.line(e.Client)
		e.Request, e.Response = mask.cut(e.Request, exchangeBody), mask.cut(e.Response, exchangeBody)
		return e
	})
}

// lineOf cuts a path or a client, and leaves one byte more than is told.
func lineOf(text string) string { return strings.Clone(text[:min(len(text), exchangeLine+1)]) }

// line masks and cuts what lineOf kept.
func (m mask) line(text string) string {
	line := strings.ToValidUTF8(m.cut(text, exchangeLine), "")
	if len(text) > exchangeLine {
		line += "..."
	}
	return line
}

// teeBody is a request's body of which a copy is kept.
type teeBody struct {
	io.Reader
	io.Closer
}

// exchangeWriter keeps a copy of an answer.
type exchangeWriter struct {
	http.ResponseWriter
	core *Core
	*exchange
}

// Unwrap is for http.ResponseController.
func (w *exchangeWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *exchangeWriter) WriteHeader(status int) {
	if w.Number == 0 {
		w.Status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *exchangeWriter) Write(b []byte) (int, error) {
	if w.Status == 0 {
		w.Status = http.StatusOK
	}
	w.core.log(w.exchange, b)
	return w.ResponseWriter.Write(b)
}

// cut says that the connection ends without an answer, or without all of it.
func (w *exchangeWriter) cut() {
	w.reset = true
	w.core.log(w.exchange, nil)
}

// Hijack implements http.Hijacker. What follows the handshake of a WebSocket is not logged.
func (w *exchangeWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err == nil && !w.reset {
		w.Status = http.StatusSwitchingProtocols
		w.core.log(w.exchange, nil)
	}
	return conn, buffers, err
}
