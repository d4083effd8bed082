package wsconn

import (
	"bufio"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
)

func TestNothingIsSentOnToARedirect(t *testing.T) {
	var reached atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(other.Close)
	s := &wstest.Server{Refuse: func(w http.ResponseWriter, r *http.Request, _ int) bool {
		http.Redirect(w, r, other.URL, http.StatusPermanentRedirect)
		return true
	}}
	c := start(t, Config{URL: onLoopback(t, s), Header: bearing("canary-key")})
	require.ErrorIs(t, <-c.ended, walletfi.ErrRedirect)
	assert.Zero(t, reached.Load())
}

func bearing(key string) func(context.Context) (http.Header, error) {
	return func(context.Context) (http.Header, error) {
		return http.Header{"Authorization": {"Bearer " + key}}, nil
	}
}

// TestEchoedCredentialsAreMasked in a header that cannot be read, too.
func TestEchoedCredentialsAreMasked(t *testing.T) {
	s := &wstest.Server{Refuse: func(w http.ResponseWriter, r *http.Request, _ int) bool {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return true
		}
		defer conn.Close()
		_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\ncanary-key" + strings.Repeat("x", 10_000) + "\r\n\r\n"))
		return true
	}}
	c := start(t, Config{URL: onLoopback(t, s), Header: bearing("canary-key"), MinBackoff: time.Hour})
	text := c.nextDown(t).down.Error()
	assert.NotContains(t, text, "canary")
	assert.Less(t, len(text), 400)
	c.stop(t)
}

func TestHeadersThatCannotBe(t *testing.T) {
	for name, value := range map[string]string{"Upgrade": "h2c", "sec-websocket-key": "x", "Host": "elsewhere", "X-Api-Key": "canary\r\nX-Evil: 1"} {
		s := &wstest.Server{}
		c := start(t, Config{URL: onLoopback(t, s), Header: func(context.Context) (http.Header, error) {
			return http.Header{name: {value}}, nil
		}})
		err := <-c.ended
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest, name)
		assert.NotContains(t, err.Error(), "canary")
		assert.Empty(t, s.Handshakes())
	}
}

func TestTLS(t *testing.T) {
	s := &wstest.Server{Script: func(ws *websocket.Conn, _ int) { wstest.Say(ws, "safe"); wstest.Linger(ws) }}
	server := httptest.NewUnstartedServer(s)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(func() { server.Close(); s.Wait() })
	t.Run("trusted", func(t *testing.T) {
		transport := server.Client().Transport.(*http.Transport)
		transport.TLSClientConfig.NextProtos = []string{"h2", "http/1.1"}
		c := start(t, Config{URL: server.URL, Transport: transport})
		assert.Equal(t, "safe", c.message(t))
		c.stop(t)
		assert.Equal(t, []string{"h2", "http/1.1"}, transport.TLSClientConfig.NextProtos, "the caller's own is left alone")
	})
	t.Run("not trusted is final", func(t *testing.T) {
		before := s.Count()
		c := start(t, Config{URL: server.URL, Header: bearing("canary-key")})
		err := <-c.ended
		wiretest.As[*tls.CertificateVerificationError](t, err)
		assert.Len(t, s.Handshakes(), before)
	})
}

func TestUnknownHostIsFinalAtFirst(t *testing.T) {
	missing := &net.DNSError{Err: "no such host", IsNotFound: true}
	t.Run("never connected", func(t *testing.T) {
		dial := func(context.Context, string, string) (net.Conn, error) { return nil, missing }
		c := start(t, Config{URL: "wss://example.invalid", Transport: &http.Transport{DialContext: dial}})
		require.ErrorIs(t, <-c.ended, missing)
	})
	t.Run("offline for a while", func(t *testing.T) {
		s := &wstest.Server{Script: func(ws *websocket.Conn, n int) {
			if n > 1 {
				wstest.Linger(ws)
			}
		}}
		inBubble(t, s, func(t *testing.T, cfg Config) {
			if hidden, ok := cfg.Transport.(wrapped); ok {
				cfg.Transport = hidden.RoundTripper
			}
			through := cfg.Transport.(*http.Transport).DialContext
			dials := 0
			cfg.Transport = &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				if dials++; dials == 2 {
					return nil, missing
				}
				return through(ctx, network, addr)
			}}
			c := start(t, cfg)
			c.nextDown(t)
			require.ErrorIs(t, c.nextDown(t).down, missing)
			c.nextGap(t)
			c.stop(t)
		})
	})
}

func TestProxyIsAsked(t *testing.T) {
	refused := errors.New("no way out")
	c := start(t, Config{URL: "wss://example.invalid", MinBackoff: time.Hour, Transport: &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) {
			assert.Equal(t, "example.invalid", r.URL.Host)
			return nil, refused
		},
	}})
	require.ErrorIs(t, c.nextDown(t).down, refused)
	c.stop(t)
}

// A service that keeps a compression context although it was told not to is
// asked again without compression.
func TestCompressionThatIsNotUnderstood(t *testing.T) {
	s := &wstest.Server{Script: func(ws *websocket.Conn, _ int) { wstest.Say(ws, "plain"); wstest.Linger(ws) }}
	c := start(t, Config{URL: rawDeflate(t, s), Compression: true, MinBackoff: time.Millisecond})
	assert.ErrorContains(t, c.nextDown(t).down, "handshake")
	assert.Equal(t, "plain", c.message(t))
	c.stop(t)
}

// rawDeflate is onLoopback with a first answer that gorilla's own server would
// not give.
func rawDeflate(t *testing.T, s *wstest.Server) string {
	s.Refuse = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if !strings.Contains(r.Header.Get("Sec-Websocket-Extensions"), "permessage-deflate") {
			return false
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return true
		}
		defer conn.Close()
		out := bufio.NewWriter(conn)
		_, _ = out.WriteString("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
			"Sec-WebSocket-Accept: " + acceptKey(r.Header.Get("Sec-Websocket-Key")) + "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
		_ = out.Flush()
		return true
	}
	return onLoopback(t, s)
}

// acceptKey proves that the handshake's key was read (RFC 6455).
func acceptKey(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func TestEndlessHandshake(t *testing.T) {
	var written atomic.Int64
	s := &wstest.Server{Refuse: func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return true
		}
		defer conn.Close()
		_, err = conn.Write([]byte("HTTP/1.1 101 Switching Protocols\r\n"))
		line := []byte("X-Filler: " + strings.Repeat("x", 4000) + "\r\n")
		for err == nil && written.Add(int64(len(line))) < 256<<20 {
			_, err = conn.Write(line)
		}
		return true
	}}
	c := start(t, Config{URL: onLoopback(t, s), MinBackoff: time.Hour})
	require.ErrorIs(t, c.nextDown(t).down, errLongHandshake)
	c.stop(t)
	s.Wait()
	assert.Less(t, written.Load(), int64(64<<20), "what the socket's buffers took, at most")
}
