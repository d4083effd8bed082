package sandbox

import (
	"encoding/json"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// echoing is a feed that gives back what it gets.
func echoing(t *testing.T, s *started) (url string, gone chan *feedConn) {
	t.Helper()
	gone = make(chan *feedConn, 1)
	v := &service{name: "echo", envelope: plainEnvelope, hosts: []string{"ws"}, feed: &feed{
		host: "ws", path: "/ws",
		message: func(conn *feedConn, m json.RawMessage) { conn.push(map[string]any{"echo": m}) },
		gone:    func(conn *feedConn) { gone <- conn },
	}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.services = append(s.services, v)
	require.NoError(t, s.openHost(v, "ws"))
	return "ws://" + s.hosts[hostName{"echo", "ws"}].address() + "/ws", gone
}

func TestFeed(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	url, gone := echoing(t, s)
	s.Fault(Route{"echo", "GET", "/ws"}, Fault{Status: 503, Times: 1})
	_, response, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
	require.Error(t, err)
	assert.Equal(t, 503, response.StatusCode)

	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
	require.NoError(t, err)
	defer conn.Close()
	for _, m := range []string{`{"a":1}`, `{"b":2}`} {
		require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte(m)))
	}
	for _, want := range []string{`{"echo":{"a":1}}`, `{"echo":{"b":2}}`} {
		_, got, err := conn.ReadMessage()
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
	s.PushFeeds("{garbage")
	_, got, err := conn.ReadMessage()
	require.NoError(t, err)
	assert.Equal(t, "{garbage", string(got))

	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte("no json")))
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte("1")))
	_, _, err = conn.ReadMessage()
	require.NoError(t, err)
	assert.Equal(t, []string{"a message that is no JSON text"}, s.takeViolations())

	assert.Equal(t, 1, s.DropFeeds())
	_, _, err = conn.ReadMessage()
	assert.Error(t, err)
	<-gone
	assert.Zero(t, s.DropFeeds())
	_, response, err = websocket.DefaultDialer.DialContext(t.Context(), url+"/other", nil)
	require.Error(t, err)
	assert.Equal(t, 404, response.StatusCode)
	assert.Equal(t, []string{"no such route"}, s.takeViolations())
	assert.Equal(t, 2, s.Hits()[Route{"echo", "GET", "/ws"}])
}

func TestCloseEndsFeeds(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	url, gone := echoing(t, s)
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte("1")))
	_, _, err = conn.ReadMessage()
	require.NoError(t, err)
	s.Close()
	<-gone
	_, _, err = conn.ReadMessage()
	assert.Error(t, err)
}
