package kit_test

import (
	"io"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/world"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// waiting serves a route whose answer is due in an hour, and says when it waits.
func waiting(t *testing.T, s *started, word string) (waits chan bool) {
	t.Helper()
	waits = make(chan bool, 1)
	v := &kit.Spec{Name: "patient", Auth: kit.NoAuth, Envelope: kit.PlainEnvelope, Routes: []kit.Route{
		{Method: "GET", Path: "/wait", Endpoint: kit.Handle(func(c *kit.Call, _ kit.Nothing) any {
			waits <- true
			c.WaitUntil(time.Hour, time.Hour, func() bool { return false })
			return map[string]string{"word": word}
		})},
	}}
	s.Lock()
	defer s.Unlock()
	require.NoError(t, s.Serve(v))
	return waits
}

// TestRestartEndsWhatWaits: a request that waits for the clock is answered, a connection of a
// feed ends, and the same addresses serve what comes after.
func TestRestartEndsWhatWaits(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	waits := waiting(t, s, "before")
	at := s.URL("patient")
	answered := make(chan string, 1)
	ask := func() {
		a, err := s.Client.Get(at + "/wait")
		if !assert.NoError(t, err) {
			close(waits)
			return
		}
		raw, err := io.ReadAll(a.Body)
		assert.NoError(t, err)
		a.Body.Close()
		answered <- string(raw)
	}
	go ask()
	require.True(t, <-waits)
	url, gone := echoing(t, s)
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte(`1`)))
	_, _, err = conn.ReadMessage()
	require.NoError(t, err)

	var next started
	require.NoError(t, s.Restart(func(w *world.World) { next.World = &worldtest.World{World: w, Client: s.Client} }))
	assert.Equal(t, `{"word":"before"}`, <-answered)
	<-gone
	_, _, err = conn.ReadMessage()
	assert.Error(t, err)

	waits = waiting(t, &next, "after")
	assert.Equal(t, at, next.URL("patient"))
	go ask()
	require.True(t, <-waits)
	next.Advance(time.Hour)
	assert.Equal(t, `{"word":"after"}`, <-answered)
}
