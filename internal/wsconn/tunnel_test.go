package wsconn

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/h2non/gock.v1"

	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
)

// tripper makes a round tripper of a function.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// greeter says hello to every connection, and how it was asked.
func greeter() *wstest.Server {
	return &wstest.Server{Script: func(ws *websocket.Conn, _ int) { wstest.Say(ws, "hello"); wstest.Linger(ws) }}
}

// over returns a transport of a test's own, without idle connections at its end.
func over(t *testing.T) *http.Transport {
	own := &http.Transport{}
	t.Cleanup(own.CloseIdleConnections)
	return own
}

// TestThroughTheRoundTripper: the handshake is that round tripper's request, over TLS
// with its certificates too.
func TestThroughTheRoundTripper(t *testing.T) {
	s := greeter()
	server := httptest.NewUnstartedServer(s)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(func() { server.Close(); s.Wait() })
	inner := server.Client().Transport
	through := tripper(func(r *http.Request) (*http.Response, error) {
		assert.Equal(t, server.URL+"/ws?a=b", r.URL.String())
		assert.Empty(t, r.RequestURI)
		r = r.Clone(r.Context())
		r.Header.Set("X-From", "the round tripper")
		return inner.RoundTrip(r)
	})
	c := start(t, Config{URL: server.URL + "/ws?a=b", Transport: through, Header: bearing("key-1")})
	assert.Equal(t, "hello", c.message(t))
	c.stop(t)
	require.Len(t, s.Handshakes(), 1)
	got := s.Handshakes()[0].Header
	assert.Equal(t, "the round tripper", got.Get("X-From"))
	assert.Equal(t, "Bearer key-1", got.Get("Authorization"))
}

// TestRoundTripperThatKeepsTheConnection: what counts the bytes of bodies hides their
// other direction. It reached the service, so that the Conn may dial on its own.
func TestRoundTripperThatKeepsTheConnection(t *testing.T) {
	s, inner := greeter(), over(t)
	var asked atomic.Int32
	c := start(t, Config{URL: onLoopback(t, s), Transport: tripper(func(r *http.Request) (*http.Response, error) {
		asked.Add(1)
		response, err := inner.RoundTrip(r)
		if err == nil {
			response.Body = struct{ io.ReadCloser }{response.Body}
		}
		return response, err
	})})
	assert.Equal(t, "hello", c.message(t))
	assert.EqualValues(t, 1, asked.Load())
	c.stop(t)
}

// TestRoundTripperThatLetsNothingThrough: a test double must not be bypassed. Dial
// says that it may be.
func TestRoundTripperThatLetsNothingThrough(t *testing.T) {
	own := errors.New("not in this test")
	for name, c := range map[string]struct {
		refuse tripper
		want   error
	}{
		"an error":             {func(*http.Request) (*http.Response, error) { return nil, own }, own},
		"nothing":              {func(*http.Request) (*http.Response, error) { return nil, nil }, errNoResponse},
		"101 without a stream": {func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 101}, nil }, errNoStream},
	} {
		t.Run(name, func(t *testing.T) {
			s := greeter()
			cfg := Config{URL: onLoopback(t, s), Transport: c.refuse}
			conn := start(t, cfg)
			err := <-conn.ended
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, "the HTTP client's round tripper (wsconn.tripper) let nothing through, and Dial is not set")
			assert.Zero(t, s.Count(), "the network was not asked")

			cfg.Dial = new(net.Dialer).DialContext
			conn = start(t, cfg)
			assert.Equal(t, "hello", conn.message(t))
			conn.stop(t)
		})
	}
}

// TestUnderGock: the usual test double takes the place of http.DefaultTransport.
func TestUnderGock(t *testing.T) {
	s := greeter()
	url := onLoopback(t, s)
	gock.Intercept()
	defer gock.Off()
	c := start(t, Config{URL: url})
	err := <-c.ended
	require.ErrorIs(t, err, gock.ErrCannotMatch)
	require.ErrorContains(t, err, "(*gock.Transport) let nothing through")
	assert.Zero(t, s.Count(), "nothing is dialled past it")

	var dialled atomic.Int32
	c = start(t, Config{URL: url, Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		dialled.Add(1)
		return new(net.Dialer).DialContext(ctx, network, addr)
	}})
	assert.Equal(t, "hello", c.message(t))
	c.stop(t)
	assert.EqualValues(t, 1, dialled.Load())

	gock.EnableNetworking()
	defer gock.DisableNetworking()
	c = start(t, Config{URL: url})
	assert.Equal(t, "hello", c.message(t))
	c.stop(t)
	assert.Equal(t, 2, s.Count())
}

// TestRoundTripperThatLetsNothingThroughForAWhile is asked again once there was a
// connection.
func TestRoundTripperThatLetsNothingThroughForAWhile(t *testing.T) {
	s := &wstest.Server{Script: func(ws *websocket.Conn, n int) {
		if n > 1 {
			wstest.Linger(ws)
		}
	}}
	inBubble(t, s, func(t *testing.T, cfg Config) {
		inner, asked := cfg.Transport, 0
		away := errors.New("no token for now")
		cfg.Transport = tripper(func(r *http.Request) (*http.Response, error) {
			if asked++; asked == 2 {
				return nil, away
			}
			return inner.RoundTrip(r)
		})
		c := start(t, cfg)
		c.nextDown(t)
		require.ErrorIs(t, c.nextDown(t).down, away)
		c.nextGap(t)
		c.stop(t)
	})
}

// TestRoundTripperThatHangs is given up after the handshake's time, and at once when
// Run ends.
func TestRoundTripperThatHangs(t *testing.T) {
	s := &wstest.Server{}
	inBubble(t, s, func(t *testing.T, cfg Config) {
		cfg.HandshakeTimeout = 5 * time.Second
		inner := cfg.Transport
		begun := make(chan struct{}, 8)
		cfg.Transport = tripper(func(r *http.Request) (*http.Response, error) {
			begun <- struct{}{}
			response, err := inner.RoundTrip(r) // asks for a connection
			if err != nil {
				return nil, err
			}
			response.Body.Close()
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		started := time.Now()
		c := start(t, cfg)
		down := c.nextDown(t)
		require.ErrorContains(t, down.down, "no answer in time")
		assert.Equal(t, 5*time.Second, time.Since(started))
		<-begun
		<-begun
		cancelled := time.Now()
		c.stop(t)
		assert.Zero(t, time.Since(cancelled))
	})
}
