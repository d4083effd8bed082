package rpcnode_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"gopkg.in/h2non/gock.v1"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
)

// TestObserver follows a read that the node refuses once, and nothing that is told
// has a part of the node's URL or headers.
func TestObserver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := recorded.New(t)
		asked := 0
		node, err := rpcnode.New(rpcnode.Config{
			URL:     walletfi.NewSecret("http://localhost/canary-path/?api-key=canary-query"),
			Header:  map[string]walletfi.Secret{"X-Token": walletfi.NewSecret("canary-header")},
			Limiter: ratelimit.New(ratelimit.Budget{Requests: 1, Per: 10 * time.Second}), Observer: told,
			HTTPClient: &http.Client{Transport: inMemory(func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
				if asked++; asked == 1 {
					w.Header().Set("Retry-After", "3")
					w.WriteHeader(503)
					fmt.Fprint(w, "canary-header at canary-path")
					return
				}
				fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":7}`)
			})},
		})
		require.NoError(t, err)
		height, err := node.BlockHeight(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 7, height)

		call := observe.Call{Service: "rpcnode", Op: "getBlockHeight"}
		calls := recorded.Ends[observe.Call, observe.CallEnd](told)
		require.Len(t, calls, 2, "the repeat is another call")
		require.Equal(t, call, calls[1].Op)
		require.ErrorIs(t, calls[0].End.Err, walletfi.ErrUnavailable)
		require.NoError(t, calls[1].End.Err)
		attempts := recorded.Ends[observe.Attempt, observe.AttemptEnd](told)
		require.Len(t, attempts, 2)
		for i, status := range []int{503, 200} {
			require.Equal(t, call, attempts[i].Parent)
			require.Equal(t, status, attempts[i].End.StatusCode)
		}
		require.Equal(t, observe.Attempt{Service: "rpcnode", Op: "getBlockHeight", Method: "POST", Route: "/", Path: "/", Number: 1}, attempts[0].Op)
		require.InDelta(t, 7*time.Second, attempts[1].Op.Queued, float64(time.Second))
		waits := recorded.Ends[observe.LimiterWait, observe.LimiterWaitEnd](told)
		require.Len(t, waits, 2)
		require.Equal(t, attempts[1].Op.Queued, waits[1].End.Waited)
		backoffs := recorded.Ends[observe.Backoff, observe.BackoffEnd](told)
		require.Equal(t, observe.Backoff{Service: "rpcnode", Op: "getBlockHeight", Number: 1, StatusCode: 503}, backoffs[0].Op)
		require.Equal(t, 3*time.Second, backoffs[0].End.Waited)
		require.Empty(t, told.Open())
		require.NotContains(t, fmt.Sprintf("%+v", told.All()), "canary")
	})
}

// TestObserverOfLostAnswers: what broke is told without the URL.
func TestObserverOfLostAnswers(t *testing.T) {
	told := recorded.New(t)
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret("http://" + wiretest.UnusedAddress(t) + "/canary"), Observer: told})
	require.NoError(t, err)
	_, err = solanago.RPC(node).GetVersion(t.Context())
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	attempts := recorded.Ends[observe.Attempt, observe.AttemptEnd](told)
	require.NotEmpty(t, attempts)
	require.ErrorIs(t, attempts[0].End.Err, walletfi.ErrUnavailable)
	require.Zero(t, attempts[0].End.StatusCode)
	require.Empty(t, told.Open())
	require.NotContains(t, fmt.Sprintf("%+v", told.All()), "canary")
}

// TestWatcherIsObserved: connected, cut, connected again.
func TestWatcherIsObserved(t *testing.T) {
	s := &wstest.Server{Script: func(ws *websocket.Conn, n int) {
		if n > 1 {
			wstest.Linger(ws)
			return
		}
		hearCall(ws)
		wstest.Say(ws, `{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":9},"subscription":1}}`)
	}}
	s.InBubble(t, func(t *testing.T, dialler *http.Transport) {
		told := recorded.New(t)
		w, err := rpcnode.NewWatcher(rpcnode.WatcherConfig{
			SocketURL: walletfi.NewSecret("ws://localhost/?api-key=canary"), Observer: told,
			HTTPClient: &http.Client{Transport: wrapped{dialler}},
		})
		require.NoError(t, err)
		defer w.Close()
		pause.For(t.Context(), 10*time.Second)
		up := observe.FeedConnected{Service: "rpcnode"}
		require.Equal(t, []observe.FeedConnected{up, up}, recorded.Events[observe.FeedConnected](told))
		require.Len(t, recorded.Events[observe.FeedDisconnected](told), 1)
		require.Len(t, recorded.Events[observe.FeedGap](told), 1)
		require.NotContains(t, fmt.Sprintf("%+v", told.All()), "canary")
	})
}

// wrapped hides the kind of a round tripper, as one that logs or traces does.
type wrapped struct{ http.RoundTripper }

// TestWatcherUnderGock: nothing is dialled past a test double, unless Dial says so.
func TestWatcherUnderGock(t *testing.T) {
	s := &wstest.Server{}
	url := walletfi.NewSecret("ws://" + s.Loopback(t))
	gock.Intercept()
	defer gock.Off()
	w, err := rpcnode.NewWatcher(rpcnode.WatcherConfig{SocketURL: url})
	require.NoError(t, err)
	defer w.Close()
	require.Eventually(t, func() bool { return w.Err() != nil }, 10*time.Second, time.Millisecond)
	require.ErrorIs(t, w.Err(), walletfi.ErrUnavailable)
	require.ErrorContains(t, w.Err(), "(*gock.Transport) let nothing through, and Dial is not set")
	require.Zero(t, s.Count())

	past, err := rpcnode.NewWatcher(rpcnode.WatcherConfig{SocketURL: url, Dial: new(net.Dialer).DialContext})
	require.NoError(t, err)
	defer past.Close()
	require.Eventually(t, func() bool { return s.Count() == 1 }, 10*time.Second, time.Millisecond)
	require.NoError(t, past.Err())
}
