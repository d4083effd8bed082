package kit

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
)

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
			return serve(h.handler, r)
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
