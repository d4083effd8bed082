package wsconn

import (
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
)

// TestSlowResubscription: a service that takes many subscriptions slowly is alive
// all the while. A connection that was given up for it would begin anew with the
// first one, each time.
func TestSlowResubscription(t *testing.T) {
	const subscriptions = 5000
	taken := 0
	s := &wstest.Server{Script: func(ws *websocket.Conn, _ int) {
		for {
			if _, _, err := ws.NextReader(); err != nil {
				return
			}
			taken++
			<-time.After(10 * time.Millisecond)
		}
	}}
	inBubble(t, s, func(t *testing.T, cfg Config) {
		cfg.PingEvery, cfg.Resubscribe = 10*time.Second, resubscribing(subscriptions)
		require.Equal(t, []string{"50 up", "50 reached 0"}, read(t, cfg, 2*time.Minute, nil))
	})
	require.Equal(t, subscriptions, taken)
	require.Equal(t, 1, s.Count())
}
