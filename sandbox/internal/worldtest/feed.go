package worldtest

import (
	"net/http"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// FeedDial connects, and hangs up with the test.
func FeedDial(t *testing.T, url string, header http.Header) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, header)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(10*time.Second)))
	return conn
}

// FeedRead returns the next message.
func FeedRead(t *testing.T, conn *websocket.Conn) string {
	t.Helper()
	_, m, err := conn.ReadMessage()
	require.NoError(t, err)
	return string(m)
}

// FeedSay sends a message and reads its echo, after which the server has the
// connection in its list.
func FeedSay(t *testing.T, conn *websocket.Conn, text string) string {
	t.Helper()
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte(text)))
	return FeedRead(t, conn)
}
