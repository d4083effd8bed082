package predictmeta_test

import (
	"net"
	"net/http"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/predictmeta"
	"gopkg.in/h2non/gock.v1"
)

// A program that tests itself with gock needs no server for this client.
func TestIntercepted(t *testing.T) {
	defer gock.Off()
	gock.New("https://meta.test").Get("/api/v1/market/MK-1").MatchHeader("x-api-key", "^k-123456$").
		Reply(200).BodyString(called(wholeMarket, "MK-1"))
	gock.New("https://meta.test").Get("/api/v1/market/MK-2").Reply(404)
	c := clientOf(t, predictmeta.Config{BaseURL: "https://meta.test", APIKey: walletfi.NewSecret("k-123456")})
	market, err := c.GetMarket(t.Context(), "MK-1")
	require.NoError(t, err)
	require.Equal(t, "0.25", market.YesPrice.String())
	_, err = c.GetMarket(t.Context(), "MK-2")
	require.ErrorIs(t, err, walletfi.ErrNotFound)
	require.True(t, gock.IsDone())
}

// TestStreamUnderGock: nothing is dialled past a test double, unless Dial says so.
func TestStreamUnderGock(t *testing.T) {
	f := &feed{Script: func(ws *websocket.Conn, _ int) { listen(ws, nil) }}
	host := f.Loopback(t)
	gock.Intercept()
	defer gock.Off()
	cfg := predictmeta.Config{BaseURL: "http://" + host, WebSocketURL: "ws://" + host}
	s := started(t, cfg, predictmeta.StreamRequest{})
	_, err := s.Recv(t.Context())
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	require.ErrorContains(t, err, "the HTTP client's round tripper (*gock.Transport) let nothing through, and Dial is not set")
	require.Zero(t, f.Count())

	s = started(t, cfg, predictmeta.StreamRequest{Dial: new(net.Dialer).DialContext})
	connected(t, s)
	require.Equal(t, 1, f.Count())
}

// transportOf hides the kind of a round tripper, as one that logs or traces does.
type transportOf struct{ http.RoundTripper }

// TestStreamThroughAnyTransport: a program's own round tripper makes the connections.
func TestStreamThroughAnyTransport(t *testing.T) {
	f := &feed{Script: func(ws *websocket.Conn, n int) {
		if n > 1 {
			listen(ws, nil)
		}
	}}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		cfg.HTTPClient.Transport = transportOf{cfg.HTTPClient.Transport}
		s := started(t, cfg, predictmeta.StreamRequest{})
		reconnected(t, s)
	})
}
