package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/web"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestASlowReaderOfEvents: a browser that opens the stream and reads nothing holds
// nobody up, and loses its stream; others hear everything.
func TestASlowReaderOfEvents(t *testing.T) {
	t.Parallel()
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	user := r.user(t, "alice").ID
	cookie := alice.client.Jar.Cookies(mustURL(t, r.url))[0]
	open := func() (net.Conn, *bufio.Reader) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4<<10))
		_, err = fmt.Fprintf(conn, "GET /api/events HTTP/1.1\r\nHost: x\r\nCookie: %s=%s\r\n\r\n", cookie.Name, cookie.Value)
		require.NoError(t, err)
		reader := bufio.NewReaderSize(conn, 4<<10)
		line, err := reader.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, "HTTP/1.1 200 OK\r\n", line)
		return conn, reader
	}
	const pages = 16 // all that a user may have
	for range pages {
		open()
	}
	begun := time.Now()
	for range 64 {
		r.backend.live.Send(user, web.Message{Event: "payment", Data: strings.Repeat("x", 1<<20)})
	}
	require.Less(t, time.Since(begun), 5*time.Second, "no sender waits for a reader, which is given 10 s")
	require.Eventually(t, func() bool {
		request, err := http.NewRequestWithContext(t.Context(), "GET", r.url+"/api/events", nil)
		require.NoError(t, err)
		response, err := alice.client.Do(request)
		require.NoError(t, err)
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	}, 25*time.Second, 500*time.Millisecond, "the streams that read nothing are closed")
}
