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
	"strings"
)

// mostBody is the largest request that nodes read, as agave's.
const mostBody = 50 * 1024

var errHTTP = errors.New("world: malformed request")

// serve answers the requests on one connection until it breaks. It is an
// HTTP/1.1 server by hand, since net/http's costs more than the rest.
func (l *Line) serve(e *Endpoint, conn net.Conn) {
	defer l.drop(conn)
	in := bufio.NewReader(conn)
	for {
		body, err := readRequest(in)
		if err != nil {
			return
		}
		r, err := l.exchange(context.Background(), e, body)
		if err != nil || r.broken {
			return
		}
		if _, err := conn.Write(r.bytes()); err != nil {
			return
		}
	}
}

// readRequest reads a POST request and returns its body.
func readRequest(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(line, []byte("POST ")) {
		return nil, errHTTP
	}
	length, chunked := 0, false
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		name, text, _ := bytes.Cut(line, []byte(":"))
		switch {
		case strings.EqualFold(string(name), "Content-Length"):
			length, err = strconv.Atoi(string(bytes.TrimSpace(text)))
			if err != nil || length < 0 || length > mostBody {
				return nil, errHTTP
			}
		case strings.EqualFold(string(name), "Transfer-Encoding"):
			chunked = true
		}
	}
	if chunked {
		return readChunks(in)
	}
	body := make([]byte, length)
	_, err = io.ReadFull(in, body)
	return body, err
}

// readChunks reads a body of unknown length.
func readChunks(in *bufio.Reader) ([]byte, error) {
	var body []byte
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseUint(strings.TrimSpace(line), 16, 31)
		if err != nil || len(body)+int(n) > mostBody {
			return nil, errHTTP
		}
		chunk := make([]byte, n+2)
		if _, err := io.ReadFull(in, chunk); err != nil {
			return nil, err
		}
		if n == 0 {
			return body, nil
		}
		body = append(body, chunk[:n]...)
	}
}

func (r *reply) contentType() string {
	if r.plain {
		return "text/plain"
	}
	return "application/json; charset=utf-8"
}

// bytes formats the response.
func (r *reply) bytes() []byte {
	b := make([]byte, 0, len(r.body)+160)
	b = append(b, "HTTP/1.1 "...)
	b = strconv.AppendInt(b, int64(r.status), 10)
	b = append(b, ' ')
	b = append(b, http.StatusText(r.status)...)
	b = append(b, "\r\nContent-Type: "...)
	b = append(b, r.contentType()...)
	if r.retryAfter {
		b = append(b, "\r\nRetry-After: 1"...)
	}
	b = append(b, "\r\nContent-Length: "...)
	b = strconv.AppendInt(b, int64(len(r.body)), 10)
	b = append(b, "\r\n\r\n"...)
	return append(b, r.body...)
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
