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
)

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
