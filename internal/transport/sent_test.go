package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/connections"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// at points a client at a server and keeps the waits short.
func at(url string) func(*Config) {
	return func(cfg *Config) {
		cfg.BaseURL = url
		cfg.Options.Retry.MinWait = time.Millisecond
		cfg.Options.Retry.MaxWait = time.Millisecond
	}
}

func lasting(d time.Duration) func(*Config) {
	return func(cfg *Config) { cfg.Options.Timeout = d }
}

// hangUp reads the request and closes the connection without an answer.
func hangUp(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		conn.Close()
	}
}

// server counts the requests that handler gets.
func server(t *testing.T, handler http.HandlerFunc) (url string, count *atomic.Int32) {
	t.Helper()
	count = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	t.Cleanup(connections.Shared().CloseIdleConnections)
	return s.URL, count
}

// TestSentOnTheWire: what became of a Create on real connections.
func TestSentOnTheWire(t *testing.T) {
	t.Run("connection dies after the request was read", func(t *testing.T) {
		url, count := server(t, hangUp)
		_, err := Do[result](t.Context(), clientOf(t, nil, at(url)), callOf(Create), nil)
		assert.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		assert.EqualValues(t, 1, count.Load())
	})
	t.Run("answer ends early", func(t *testing.T) {
		url, count := server(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, success)
		})
		_, err := Do[result](t.Context(), clientOf(t, nil, at(url)), callOf(Create), nil)
		assert.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		assert.ErrorIs(t, err, walletfi.ErrDecode)
		assert.EqualValues(t, 1, count.Load())
	})
	t.Run("no answer in time", func(t *testing.T) {
		release := make(chan struct{})
		url, count := server(t, func(http.ResponseWriter, *http.Request) { <-release })
		defer close(release)
		_, err := Do[result](t.Context(), clientOf(t, nil, at(url), lasting(50*time.Millisecond)), callOf(Create), nil)
		assert.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		assert.ErrorContains(t, err, "no answer within 50ms")
		assert.EqualValues(t, 1, count.Load())
	})
}

// TestNotSentOnTheWire: a Create may be repeated where no connection was got,
// and its slot is given back.
func TestNotSentOnTheWire(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close()

	for name, url := range map[string]string{
		"nobody listens":              "http://" + wiretest.UnusedAddress(t),
		"a handshake that hangs":      "https://" + silent.Addr().String(),
		"plain HTTP in place of TLS":  "https" + plainServer(t)[len("http"):],
		"a connection that is closed": "https://" + closing(t),
	} {
		t.Run(name, func(t *testing.T) {
			limiter := &countingLimiter{}
			client := clientOf(t, nil, at(url), lasting(50*time.Millisecond), retries(2), limiter.use)
			_, err := Do[result](t.Context(), client, callOf(Create), nil)
			assert.ErrorIs(t, err, walletfi.ErrUnavailable)
			assert.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			assert.Equal(t, 3, limiter.permits)
			assert.Equal(t, 3, limiter.unsent)
		})
	}
}

func plainServer(t *testing.T) string {
	url, count := server(t, func(http.ResponseWriter, *http.Request) {})
	t.Cleanup(func() { assert.Zero(t, count.Load()) })
	return url
}

// closing accepts connections and closes them at once.
func closing(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}

// TestCertificateIsFinal: nothing is sent to who cannot show who he is, and
// nothing is tried again.
func TestCertificateIsFinal(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("served") }))
	s.Config.ErrorLog = silentLog
	defer s.Close()
	limiter := &countingLimiter{}
	_, err := Do[result](t.Context(), clientOf(t, nil, at(s.URL), limiter.use), callOf(Create), nil)
	assert.ErrorIs(t, err, walletfi.ErrUnavailable)
	assert.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	wiretest.As[*tls.CertificateVerificationError](t, err)
	assert.Equal(t, 1, limiter.permits)
	assert.Equal(t, 1, limiter.unsent)
}

// TestSentOverHTTP2: the second protocol reports its connections by the same
// trace.
func TestSentOverHTTP2(t *testing.T) {
	release := make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, 2, r.ProtoMajor)
		if r.Method == http.MethodGet {
			io.WriteString(w, success)
			return
		}
		<-release
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	defer close(release)
	own := connections.Tuned()
	own.TLSClientConfig.RootCAs = x509.NewCertPool()
	own.TLSClientConfig.RootCAs.AddCert(s.Certificate())
	defer own.CloseIdleConnections()

	client := clientOf(t, own, at(s.URL), lasting(100*time.Millisecond), retries(1))
	got, err := Do[result](t.Context(), client, callOf(Read), nil)
	require.NoError(t, err)
	assert.Equal(t, "x1", got.ID)
	_, err = Do[result](t.Context(), client, callOf(Relay), nil)
	assert.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
}

// TestBeforeRepeat: a call can look for what became of a lost attempt. It is
// asked only where one may have been carried out, and its no is final.
func TestBeforeRepeat(t *testing.T) {
	landed := errors.New("it landed")
	for name, c := range map[string]struct {
		first    step
		says     error
		asked    int
		attempts int
	}{
		"lost, go on":       {stall, nil, 1, 2},
		"lost, landed":      {stall, landed, 1, 1},
		"an error of 502":   {reply(502, ""), landed, 1, 1},
		"not sent":          {fail(refused), landed, 0, 2},
		"refused by limits": {reply(429, ""), landed, 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(c.first, reply(200, success))
			call, asked := callOf(Relay), 0
			call.BeforeRepeat = func(context.Context) error { asked++; return c.says }
			err := run(t, service, call)
			assert.Equal(t, c.asked, asked)
			assert.Len(t, service.requests(), c.attempts)
			if c.attempts == 2 {
				require.NoError(t, err)
				return
			}
			assert.ErrorIs(t, err, landed)
			assert.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "it is the caller of the pipeline who knows better")
		})
	}
}
