package hostile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/sandbox"
)

// exchange is a request and its honest answer.
type exchange struct {
	method, path string
	asked        string // the whole request but its headers, in which repeated values are found
	status       int
	header       http.Header
	body         string
}

// maker makes a client of a service that sends through an HTTP client.
type maker func(walletfi.Options) (any, error)

// row is a call with its honest answer.
type row struct {
	op        string // "lending.ListPools"
	call      wiretest.Call
	make      maker
	clock     walletfi.Clock
	exchanges []exchange // the first has the answer that is spoiled
}

// book collects the rows of a service.
type book struct {
	t       *testing.T
	s       *sandbox.Sandbox
	service sandbox.Service
	make    maker
	rows    []*row
}

// take makes a call of the sandbox and records it, with what follows the context.
func take[T any](b *book, method any, args ...any) T {
	b.t.Helper()
	call := wiretest.Of(method, args...)
	r := &row{op: call.Name(), call: call, make: b.make, clock: b.s.Options().Clock}
	got, err := r.run(b.t.Context(), func(req *http.Request, asked []byte) (*http.Response, error) {
		return r.record(req, asked)
	})
	require.NoError(b.t, err, r.op)
	require.NotEmpty(b.t, r.exchanges, r.op)
	b.rows = append(b.rows, r)
	if got == nil {
		var none T
		return none
	}
	return got.(T)
}

// do is take of a call whose answer nothing needs.
func (b *book) do(method any, args ...any) {
	b.t.Helper()
	take[any](b, method, args...)
}

// record sends a request and keeps what came.
func (r *row) record(req *http.Request, asked []byte) (*http.Response, error) {
	if len(asked) > 0 {
		req = req.Clone(req.Context())
		req.Body = io.NopCloser(bytes.NewReader(asked))
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	resp.Header.Del("Content-Length")
	x := exchange{
		method: req.Method, path: req.URL.Path, status: resp.StatusCode, header: resp.Header, body: string(body),
		asked: req.URL.Path + "?" + req.URL.RawQuery + "\n" + string(asked),
	}
	r.exchanges = append(r.exchanges, x)
	return x.response(req, x.body), nil
}

func (x exchange) response(req *http.Request, body string) *http.Response {
	return &http.Response{
		StatusCode: x.status, Header: x.header.Clone(), Body: io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)), Request: req,
	}
}

var errNoAnswer = errors.New("the honest run asked for nothing of the kind")

// lied makes the call again. Its answer is body; what it asks besides is answered as before.
func (r *row) lied(ctx context.Context, body string) (any, error) {
	return r.run(ctx, func(req *http.Request, _ []byte) (*http.Response, error) {
		for i, x := range r.exchanges {
			if x.method != req.Method || x.path != req.URL.Path {
				continue
			}
			if i > 0 {
				return x.response(req, x.body), nil
			}
			return x.response(req, body), nil
		}
		return nil, errNoAnswer
	})
}

// carrier carries a request, whose body was read.
type carrier func(*http.Request, []byte) (*http.Response, error)

func (c carrier) RoundTrip(req *http.Request) (*http.Response, error) {
	var asked []byte
	if req.Body != nil {
		asked, _ = io.ReadAll(req.Body)
		req.Body.Close()
	}
	return c(req, asked)
}

// run makes the call with a client of its own, so that no answer is read in the light of an
// earlier one. A panic is an answer that was believed, and is kept apart.
func (r *row) run(ctx context.Context, over carrier) (got any, err error) {
	client, err := r.make(walletfi.Options{
		HTTPClient: &http.Client{Transport: over}, Clock: r.clock,
		Retry:   walletfi.RetryPolicy{MaxRetries: new(0)},
		Limiter: func(ratelimit.Scope) ratelimit.Limiter { return unlimited{} },
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			got, err = fmt.Sprint("panic: ", p), nil
		}
	}()
	return r.call.Make(ctx, client)
}

// unlimited lets every call go at once.
type unlimited struct{}

func (unlimited) Permit(context.Context, time.Duration) (func(context.Context, bool) error, error) {
	return func(context.Context, bool) error { return nil }, nil
}
func (unlimited) Hold(context.Context, time.Time) error { return nil }

func (unlimited) Tighten(context.Context, int, time.Time) error { return nil }
