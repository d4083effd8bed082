package world

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

var (
	errCut   = errors.New("world: the line is cut")
	errReset = errors.New("world: connection reset by peer")
)

// Line is all that connects one process with the world. Killing a process is
// cutting its line; the next process gets a new one.
type Line struct {
	w         *World
	name      string
	transport *http.Transport
	delay     atomic.Int64
	done      chan struct{}

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]struct{}
}

// NewLine returns a line for a process. The name is for the trace.
func (w *World) NewLine(name string) *Line {
	l := &Line{w: w, name: name, done: make(chan struct{}), conns: make(map[net.Conn]struct{})}
	l.transport = &http.Transport{
		DialContext:         l.dial,
		MaxIdleConnsPerHost: 64,
		DisableCompression:  true,
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.closed:
		l.cut = true
		close(l.done)
	default:
		w.lines[l] = struct{}{}
	}
	return l
}

// Cut breaks all connections at once. Requests that had arrived whole are
// served, their answers are lost; no later byte arrives, and new connections
// fail.
func (l *Line) Cut() {
	l.w.mu.Lock()
	delete(l.w.lines, l)
	if l.w.trace != nil {
		l.w.trace.add(l.w.now(), "line "+l.name+" cut")
	}
	l.w.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return
	}
	l.cut = true
	close(l.done)
	for c := range l.conns {
		c.Close()
	}
}

// IsCut reports whether the line was cut.
func (l *Line) IsCut() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cut
}

// Delay sets what is added to the time of each request on the line from now
// on.
func (l *Line) Delay(d time.Duration) { l.delay.Store(int64(d)) }

// reach returns the endpoint at an address.
func (l *Line) reach(host string) (*Endpoint, error) {
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(port)
	if n -= firstPort; err != nil || n < 0 || n >= len(l.w.endpoints) {
		return nil, errors.New("world: connection refused by " + host)
	}
	return l.w.endpoints[n], nil
}

// dial connects to an endpoint in memory.
func (l *Line) dial(_ context.Context, _, host string) (net.Conn, error) {
	e, err := l.reach(host)
	if err != nil {
		return nil, err
	}
	near, far := net.Pipe()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return nil, errCut
	}
	l.conns[far] = struct{}{}
	go l.serve(e, far)
	return near, nil
}

func (l *Line) drop(c net.Conn) {
	c.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
}

// wait lets time pass, and reports whether the line lasted.
func (l *Line) wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		select {
		case <-l.done:
			return errCut
		default:
			return ctx.Err()
		}
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-l.done:
		return errCut
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// exchange carries a request to an endpoint and its answer back. A request
// that is given up on its way arrives nonetheless. What only reads, and draws on
// no budget, is answered when its answer arrives, as of the time at which it
// arrived itself: one wait costs half of two.
func (l *Line) exchange(ctx context.Context, e *Endpoint, body []byte) (reply, error) {
	q := parseRequest(body)
	at := l.w.now()
	f := e.fault(q.key, at)
	trip := e.latency(q.key, at) + time.Duration(l.delay.Load())
	if !q.writes() && e.cfg.Profile.Rate == 0 && f.kind != faultLost {
		if err := l.wait(ctx, f.hang+trip); err != nil {
			return reply{}, err
		}
		return f.bend(e.serve(l, q, at+int64(trip/2))), nil
	}
	err := l.wait(ctx, trip/2)
	if l.w.isClosed() {
		return reply{}, errCut
	}
	var r reply
	if f.kind != faultLost {
		r = e.serve(l, q, l.w.now())
	}
	if err != nil {
		return reply{}, err
	}
	if err := l.wait(ctx, f.hang+trip-trip/2); err != nil {
		return reply{}, err
	}
	return f.bend(r), nil
}

func (w *World) isClosed() bool {
	select {
	case <-w.closed:
		return true
	default:
		return false
	}
}

// mostBody is the largest request that nodes read, as agave's.
const mostBody = 50 * 1024

var errHTTP = errors.New("world: malformed request")

// serve answers the requests on one connection until it breaks. Package net/http's
// server costs more than the rest.
func (l *Line) serve(e *Endpoint, conn net.Conn) {
	defer l.drop(conn)
	in, out := bufio.NewReader(conn), bufio.NewWriter(conn)
	for {
		req, err := http.ReadRequest(in)
		if err != nil || req.Method != http.MethodPost {
			return
		}
		body, err := io.ReadAll(io.LimitReader(req.Body, mostBody+1))
		if err != nil || len(body) > mostBody {
			return
		}
		r, err := l.exchange(context.Background(), e, body)
		if err != nil || r.broken {
			return
		}
		if r.response(req).Write(out) != nil || out.Flush() != nil {
			return
		}
	}
}

func (r *reply) contentType() string {
	if r.plain {
		return "text/plain"
	}
	return "application/json; charset=utf-8"
}

// direct is the transport of [Endpoint.Direct].
type direct struct{ line *Line }

// RoundTrip implements http.RoundTripper.
func (d direct) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		defer req.Body.Close()
		b := bytes.NewBuffer(make([]byte, 0, max(req.ContentLength, 0)+bytes.MinRead))
		if _, err := b.ReadFrom(io.LimitReader(req.Body, mostBody+1)); err != nil {
			return nil, err
		}
		body = b.Bytes()
	}
	e, err := d.line.reach(req.URL.Host)
	if err != nil {
		return nil, err
	}
	if d.line.IsCut() {
		return nil, errCut
	}
	if req.Method != http.MethodPost || len(body) > mostBody {
		return nil, errHTTP
	}
	r, err := d.line.exchange(req.Context(), e, body)
	if err != nil {
		return nil, err
	}
	if r.broken {
		return nil, errReset
	}
	return r.response(req), nil
}

func (r *reply) response(req *http.Request) *http.Response {
	h := http.Header{"Content-Type": {r.contentType()}}
	if r.retryAfter {
		h.Set("Retry-After", "1")
	}
	return &http.Response{
		Status:        strconv.Itoa(r.status) + " " + http.StatusText(r.status),
		StatusCode:    r.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        h,
		Body:          io.NopCloser(bytes.NewReader(r.body)),
		ContentLength: int64(len(r.body)),
		Request:       req,
	}
}
