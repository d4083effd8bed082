package calls

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
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/sandbox"
)

// Exchange is a request and its honest answer.
type Exchange struct {
	Method, Path string
	Query        string // as it was sent
	Sent         string // the body of the request
	Status       int
	Header       http.Header
	Body         string
}

// Asked is the whole request but its headers, in which repeated values are found.
func (x Exchange) Asked() string { return x.Path + "?" + x.Query + "\n" + x.Sent }

// Row is a call with its honest answer.
type Row struct {
	Op        string // "lending.ListPools"
	Call      wiretest.Call
	Maker     flows.Maker
	Clock     walletfi.Clock
	Exchanges []Exchange // the first has the answer that is spoiled
}

// Book collects the rows of a service.
type Book struct {
	Service sandbox.Service
	Sandbox *sandbox.Sandbox

	t    *testing.T
	make flows.Maker
	rows []*Row
}

// Take makes a call of the sandbox and records it, with what follows the context.
func Take[T any](b *Book, method any, args ...any) T {
	b.t.Helper()
	call := wiretest.Of(method, args...)
	r := &Row{Op: call.Name(), Call: call, Maker: b.make, Clock: b.Sandbox.Options().Clock}
	got, err := r.run(b.t.Context(), nil, func(req *http.Request, asked []byte) (*http.Response, error) {
		return r.record(req, asked)
	})
	require.NoError(b.t, err, r.Op)
	require.NotEmpty(b.t, r.Exchanges, r.Op)
	b.rows = append(b.rows, r)
	if got == nil {
		var none T
		return none
	}
	return got.(T)
}

// Do is Take of a call whose answer nothing needs.
func (b *Book) Do(method any, args ...any) {
	b.t.Helper()
	Take[any](b, method, args...)
}

// record sends a request and keeps what came.
func (r *Row) record(req *http.Request, asked []byte) (*http.Response, error) {
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
	x := Exchange{
		Method: req.Method, Path: req.URL.Path, Query: req.URL.RawQuery, Sent: string(asked),
		Status: resp.StatusCode, Header: resp.Header, Body: string(body),
	}
	r.Exchanges = append(r.Exchanges, x)
	return x.response(req, x.Body), nil
}

func (x Exchange) response(req *http.Request, body string) *http.Response {
	return &http.Response{
		StatusCode: x.Status, Header: x.Header.Clone(), Body: io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)), Request: req,
	}
}

var errNoAnswer = errors.New("the honest run asked for nothing of the kind")

// Answered makes the call again. Its answer is body; what it asks besides is answered as before.
func (r *Row) Answered(ctx context.Context, body string) (any, error) {
	return r.Observed(ctx, body, nil)
}

// Observed is [Row.Answered] of a client with an observer.
func (r *Row) Observed(ctx context.Context, body string, o observe.Observer) (any, error) {
	return r.run(ctx, o, func(req *http.Request, _ []byte) (*http.Response, error) {
		for i, x := range r.Exchanges {
			if x.Method != req.Method || x.Path != req.URL.Path {
				continue
			}
			if i > 0 {
				return x.response(req, x.Body), nil
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
func (r *Row) run(ctx context.Context, o observe.Observer, over carrier) (got any, err error) {
	client, err := r.Maker(walletfi.Options{
		HTTPClient: &http.Client{Transport: over}, Clock: r.Clock, Observer: o,
		Retry: walletfi.RetryPolicy{MaxRetries: new(0)}, Limiter: flows.AtOnce().Limiter,
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
	return r.Call.Make(ctx, client)
}
