package predictmeta_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// asked is a message of a client.
type asked struct{ Action, Channel, Ticker string }

// feed is a server of the feed at /ws.
type feed = wstest.Server

// listen reads, and so answers pings, until the client goes.
func listen(ws *websocket.Conn, heard func(asked)) {
	for {
		_, message, err := ws.ReadMessage()
		if err != nil {
			return
		}
		var a asked
		if err := json.Unmarshal(message, &a); err != nil {
			panic(err)
		}
		if heard != nil {
			heard(a)
		}
	}
}

// streamOf starts a stream from the feed on loopback.
func streamOf(t testing.TB, f *feed, req predictmeta.StreamRequest) *predictmeta.Stream {
	t.Helper()
	host := f.Loopback(t)
	return started(t, predictmeta.Config{BaseURL: "http://" + host, WebSocketURL: "ws://" + host}, req)
}

func started(t testing.TB, cfg predictmeta.Config, req predictmeta.StreamRequest) *predictmeta.Stream {
	t.Helper()
	s, err := clientOf(t, cfg).Stream(t.Context(), req)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// next receives an event of type E, and fails on any other.
func next[E predictmeta.FeedEvent](t testing.TB, s *predictmeta.Stream) E {
	t.Helper()
	event, err := s.Recv(t.Context())
	require.NoError(t, err)
	e, ok := event.(E)
	require.True(t, ok, "%#v", event)
	return e
}

// connected receives the event that says that the feed can be used.
func connected(t testing.TB, s *predictmeta.Stream) { t.Helper(); next[*predictmeta.Connected](t, s) }

// reconnected receives what is said when a connection is lost and back at the first
// attempt.
func reconnected(t testing.TB, s *predictmeta.Stream) {
	t.Helper()
	next[*predictmeta.Disconnected](t, s)
	next[*predictmeta.Gap](t, s)
	connected(t, s)
}

// inBubble runs test on virtual time against f, which it reaches through cfg.
func inBubble(t *testing.T, f *feed, test func(t *testing.T, cfg predictmeta.Config)) {
	t.Helper()
	f.InBubble(t, func(t *testing.T, dialler *http.Transport) {
		test(t, predictmeta.Config{
			BaseURL: "http://localhost", WebSocketURL: "ws://localhost",
			Options: walletfi.Options{HTTPClient: &http.Client{Transport: dialler}},
		})
	})
}
