package transport

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// memory is a service without a network. It answers request n as step n says,
// the last step for ever, and keeps what it saw. It fires no httptrace, as a
// foreign round tripper may not.
type memory struct {
	mu    sync.Mutex
	steps []step
	seen  []request
}

type step func(*http.Request) (*http.Response, error)

// request is one that came.
type request struct {
	method string
	target string // path and query as on the wire
	header http.Header
	body   string
	at     time.Time
}

func serve(steps ...step) *memory { return &memory{steps: steps} }

func (m *memory) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	m.mu.Lock()
	next := m.steps[min(len(m.seen), len(m.steps)-1)]
	m.seen = append(m.seen, request{r.Method, r.URL.RequestURI(), r.Header.Clone(), string(body), time.Now()})
	m.mu.Unlock()
	return next(r)
}

// requests returns what came so far.
func (m *memory) requests() []request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]request(nil), m.seen...)
}

// reply answers with a status and a body; more are header names and values.
func reply(status int, body string, more ...string) step {
	return func(r *http.Request) (*http.Response, error) {
		h := http.Header{}
		for i := 0; i < len(more); i += 2 {
			h.Set(more[i], more[i+1])
		}
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
	}
}

// truncated answers with the beginning of a body, and then the connection ends.
func truncated(status int, body string) step {
	return func(r *http.Request) (*http.Response, error) {
		cut := io.MultiReader(strings.NewReader(body), failingReader{io.ErrUnexpectedEOF})
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(cut), ContentLength: -1, Request: r}, nil
	}
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

// fail answers with an error alone.
func fail(err error) step {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

// stall never answers.
func stall(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

var (
	refused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	reset   = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	noName  = &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "service.example", IsNotFound: true}}
)

// testError is the envelope {"error":{"code":...,"message":...}}.
type testError struct {
	Code     string
	Response *walletfi.ResponseError
}

func (e *testError) Error() string { return e.Response.Error() }
func (e *testError) Unwrap() error { return e.Response }

func testEnvelope(resp *walletfi.ResponseError, _ http.Header, body []byte) Verdict {
	var shape struct {
		Error struct{ Code, Message string }
	}
	if json.Unmarshal(body, &shape) != nil || shape.Error.Code == "" {
		return Verdict{}
	}
	resp.Message = shape.Error.Code + ": " + shape.Error.Message
	return Verdict{
		Err:         &testError{shape.Error.Code, resp},
		RateLimited: shape.Error.Code == "RATE_LIMITED",
		Final:       shape.Error.Code == "FINAL",
		KeepToken:   shape.Error.Code == "SESSION_EXPIRED",
	}
}

const testBase = "https://service.example/base"

// clientOf returns a client that talks to service.
func clientOf(t testing.TB, service http.RoundTripper, change ...func(*Config)) *Client {
	t.Helper()
	cfg := Config{Service: "test", BaseURL: testBase, Envelope: testEnvelope}
	if service != nil {
		cfg.Options.HTTPClient = &http.Client{Transport: service}
	}
	for _, c := range change {
		c(&cfg)
	}
	c, err := New(cfg)
	require.NoError(t, err)
	return c
}

func retries(n int) func(*Config) {
	return func(cfg *Config) { cfg.Options.Retry.MaxRetries = &n }
}

// result is what test calls decode into.
type result struct {
	ID string `json:"id" wire:"required"`
}

const success = `{"id":"x1"}`

// callOf is a call of the given effect, with a body where it has one.
func callOf(effect Effect) Call {
	call := Call{Op: "Do", Effect: effect, Answer: Says("*name"), Method: http.MethodPost, Path: Path("/v1/thing"), Body: map[string]string{"name": "value"}}
	switch effect {
	case Read:
		call.Method, call.Body = http.MethodGet, nil
	case Set:
		call.Method = http.MethodPatch
	case Relay:
		call.Signature = "sig1"
	}
	return call
}

// encodeWith writes a call in the words of a client's service.
func encodeWith(c *Client, call *Call, settings *callopt.Settings) (e encoded, err error) {
	err = e.encode(c, call, settings)
	return e, err
}

// run makes a call against service on a virtual clock and returns its error.
func run(t *testing.T, service http.RoundTripper, call Call, opts ...walletfi.CallOption) error {
	t.Helper()
	var err error
	synctest.Test(t, func(t *testing.T) {
		_, err = Do[result](t.Context(), clientOf(t, service), call, opts)
	})
	return err
}

// responseOf returns the HTTP side of err.
func responseOf(t *testing.T, err error) *walletfi.ResponseError {
	t.Helper()
	r := wiretest.As[*walletfi.ResponseError](t, err)
	return r
}

// countingLimiter lets everything through and counts.
type countingLimiter struct {
	mu                    sync.Mutex
	permits, sent, unsent int
	urgent                []bool
	patience              []time.Duration
	holds                 []time.Time
	tightened             []tightening
}

// tightening is what the service said that it has left.
type tightening struct {
	remaining int
	until     time.Time
}

func (l *countingLimiter) Permit(ctx context.Context, patience time.Duration) (func(context.Context, bool) error, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.permits++
	l.urgent = append(l.urgent, ratelimit.IsUrgent(ctx))
	l.patience = append(l.patience, patience)
	return func(_ context.Context, sent bool) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		if sent {
			l.sent++
		} else {
			l.unsent++
		}
		return nil
	}, nil
}

func (l *countingLimiter) Hold(_ context.Context, until time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holds = append(l.holds, until)
	return nil
}

func (l *countingLimiter) Tighten(_ context.Context, remaining int, until time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tightened = append(l.tightened, tightening{remaining, until})
	return nil
}

func (l *countingLimiter) use(cfg *Config) {
	cfg.Options.Limiter = func(ratelimit.Scope) ratelimit.Limiter { return l }
}

// memberOf returns a member of a JSON object.
func memberOf(object []byte, name string) ([]byte, bool) {
	var all map[string]json.RawMessage
	if json.Unmarshal(object, &all) != nil {
		return nil, false
	}
	v, ok := all[name]
	return v, ok
}

// silentLog is for servers whose complaints are what is tested.
var silentLog = log.New(io.Discard, "", 0)

func isUnknown(err error) bool { return errors.Is(err, walletfi.ErrOutcomeUnknown) }

// tripper makes a round tripper of a function.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
