package kit_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
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

// lone is a letter that fails the test if it hears of its end.
type lone struct{ t *testing.T }

func (lone) Compose(int) (http.Header, []byte) { return http.Header{}, []byte("{}") }
func (lone) Dropped() bool                     { return false }
func (l lone) Done(bool)                       { l.t.Error("the state that it is of has ended") }

// TestRestartForgetsDeliveriesInFlight: what becomes of one is no matter of the new state.
func TestRestartForgetsDeliveriesInFlight(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	var next *world.World
	var posted atomic.Int32
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if posted.Add(1) == 1 {
			assert.NoError(t, s.Restart(func(w *world.World) { next = w }))
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer receiver.Close()
	s.Locked(func() {
		s.Deliver(kit.Outgoing{
			Service: play.Webhooks, URL: receiver.URL, Letter: lone{t}, Schedule: []time.Duration{0, time.Minute},
		})
	})
	s.Settle(time.Minute)
	require.NotNil(t, next)
	next.Advance(time.Hour)
	assert.Empty(t, next.Deliveries())
	assert.EqualValues(t, 1, posted.Load())
}
