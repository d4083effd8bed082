package kit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

// answer is all that a service answered.
type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

// echoing is a feed that gives back what it gets.
func echoing(t *testing.T, s *started) (url string, gone chan *kit.FeedConn) {
	t.Helper()
	gone = make(chan *kit.FeedConn, 1)
	v := &kit.Spec{Name: "echo", Envelope: kit.PlainEnvelope, Hosts: []string{"ws"}, Feed: &kit.Feed{
		Host: "ws", Path: "/ws",
		Message: func(conn *kit.FeedConn, m json.RawMessage) { conn.Push(map[string]any{"echo": m}) },
		Gone:    func(conn *kit.FeedConn) { gone <- conn },
	}}
	s.Lock()
	err := s.Serve(v)
	s.Unlock()
	require.NoError(t, err)
	return strings.Replace(s.HostURL("echo", "ws"), "http://", "ws://", 1) + "/ws", gone
}

func TestFeed(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	url, gone := echoing(t, s)
	s.Fault(play.Route{Service: "echo", Method: "GET", Pattern: "/ws"}, play.Fault{Status: 503, Times: 1})
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
	assert.Equal(t, []string{"a message that is no JSON text"}, s.TakeProblems())

	assert.Equal(t, 1, s.DropFeeds())
	_, _, err = conn.ReadMessage()
	assert.Error(t, err)
	<-gone
	assert.Zero(t, s.DropFeeds())
	_, response, err = websocket.DefaultDialer.DialContext(t.Context(), url+"/other", nil)
	require.Error(t, err)
	assert.Equal(t, 404, response.StatusCode)
	assert.Equal(t, []string{"no such route"}, s.TakeProblems())
	assert.Equal(t, 2, s.Hits()[play.Route{Service: "echo", Method: "GET", Pattern: "/ws"}])
}

func TestCloseEndsFeeds(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
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
