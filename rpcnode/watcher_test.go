package rpcnode_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
	"github.com/walletfi/walletfi-go/rpcnode"
)

// socketCall is a request of a watcher.
type socketCall struct {
	ID     uint64            `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

// hearCall reads the next request, a zero one at the connection's end.
func hearCall(ws *websocket.Conn) (c socketCall) {
	_ = ws.ReadJSON(&c)
	return c
}

// notify tells that a subscription's transaction was executed.
func notify(ws *websocket.Conn, number int) {
	wstest.Say(ws, fmt.Sprintf(`{"jsonrpc":"2.0","method":"signatureNotification","params":{"result":{"context":{"slot":7},"value":{"err":null}},"subscription":%d}}`, number))
}

func acknowledge(ws *websocket.Conn, c socketCall, number int) {
	wstest.Say(ws, fmt.Sprintf(`{"jsonrpc":"2.0","result":%d,"id":%d}`, number, c.ID))
}

// watched is a watcher in a bubble and what it was told.
type watched struct {
	*rpcnode.Watcher
	mu    sync.Mutex
	hints map[string]int
	gaps  []rpcnode.Gap
}

func (w *watched) watch(signature string) (stop func()) {
	return w.Watch(signature, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.hints[signature]++
	})
}

func (w *watched) hinted(signature string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hints[signature]
}

func (w *watched) missed() []rpcnode.Gap {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]rpcnode.Gap(nil), w.gaps...)
}

// onSocket runs test with a watcher of a node that follows a script.
func onSocket(t *testing.T, s *wstest.Server, test func(t *testing.T, w *watched)) {
	t.Helper()
	s.InBubble(t, func(t *testing.T, dialler *http.Transport) {
		w := &watched{hints: map[string]int{}}
		var err error
		w.Watcher, err = rpcnode.NewWatcher(rpcnode.WatcherConfig{
			SocketURL: walletfi.NewSecret("ws://localhost/?api-key=canary"), HTTPClient: &http.Client{Transport: dialler},
			OnGap: func(g rpcnode.Gap) {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.gaps = append(w.gaps, g)
			},
		})
		require.NoError(t, err)
		defer w.Close()
		test(t, w)
	})
}

var sigA, sigB = solana.Signature{1}.String(), solana.Signature{2}.String()

func TestWatcherHintsAtWhatIsNotified(t *testing.T) {
	var calls []socketCall
	onSocket(t, &wstest.Server{Script: func(ws *websocket.Conn, _ int) {
		calls = append(calls, hearCall(ws), hearCall(ws), hearCall(ws))
		acknowledge(ws, calls[0], 100)
		acknowledge(ws, calls[1], 0) // the first number of some nodes
		acknowledge(ws, calls[2], 1)
		notify(ws, 0)
		notify(ws, 0)  // twice
		notify(ws, 77) // of nobody
		wstest.Say(ws, `{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":8,"root":1,"slot":9},"subscription":100}}`)
		wstest.Say(ws, `not JSON`)
		wstest.Say(ws, `{"jsonrpc":"2.0","method":"signatureNotification","params":{"result":"?","subscription":"none"}}`)
		calls = append(calls, hearCall(ws))
		wstest.Linger(ws)
	}}, func(t *testing.T, w *watched) {
		pause.For(t.Context(), time.Second) // connected
		w.watch(sigA)
		stop := w.watch(sigB)
		w.watch("no signature")
		synctest.Wait()
		require.Equal(t, 1, w.hinted(sigA))
		require.Zero(t, w.hinted(sigB))
		require.EqualValues(t, 9, w.Slot())
		require.NoError(t, w.Err())
		require.Empty(t, w.missed())
		stop()
		synctest.Wait()
	})
	require.Len(t, calls, 4)
	require.Equal(t, "slotSubscribe", calls[0].Method)
	require.Equal(t, "signatureSubscribe", calls[1].Method)
	require.JSONEq(t, `"`+sigA+`"`, string(calls[1].Params[0]))
	require.JSONEq(t, `{"commitment":"confirmed","enableReceivedNotification":false}`, string(calls[1].Params[1]))
	require.Equal(t, "signatureUnsubscribe", calls[3].Method)
	require.Equal(t, "1", string(calls[3].Params[0]))
}

// TestWatcherNotifiedBeforeAcknowledged: some nodes answer in that order.
func TestWatcherNotifiedBeforeAcknowledged(t *testing.T) {
	onSocket(t, &wstest.Server{Script: func(ws *websocket.Conn, _ int) {
		hearCall(ws)
		c := hearCall(ws)
		notify(ws, 5)
		acknowledge(ws, c, 5)
		wstest.Linger(ws)
	}}, func(t *testing.T, w *watched) {
		pause.For(t.Context(), time.Second)
		w.watch(sigA)
		synctest.Wait()
		require.Equal(t, 1, w.hinted(sigA))
	})
}

// TestWatcherLateSubscription: what was executed before the node subscribed is
// never notified.
func TestWatcherLateSubscription(t *testing.T) {
	for delay, hints := range map[time.Duration]int{100 * time.Millisecond: 0, 2 * time.Second: 1} {
		onSocket(t, &wstest.Server{Script: func(ws *websocket.Conn, _ int) {
			hearCall(ws)
			c := hearCall(ws)
			<-time.After(delay)
			acknowledge(ws, c, 5)
			wstest.Linger(ws)
		}}, func(t *testing.T, w *watched) {
			pause.For(t.Context(), time.Second)
			w.watch(sigA)
			pause.For(t.Context(), 3*time.Second)
			require.Equal(t, hints, w.hinted(sigA), "%v", delay)
		})
	}
}

// TestWatcherComesBack: after a lost connection all that is still watched is
// subscribed to again and hinted at, and the gap is told.
func TestWatcherComesBack(t *testing.T) {
	subscribed := map[int][]string{}
	server := &wstest.Server{Script: func(ws *websocket.Conn, n int) {
		for i := 1; ; i++ {
			c := hearCall(ws)
			switch c.Method {
			case "":
				return
			case "signatureSubscribe":
				subscribed[n] = append(subscribed[n], string(c.Params[0]))
				acknowledge(ws, c, i)
			case "signatureUnsubscribe":
				return // cut
			}
		}
	}}
	onSocket(t, server, func(t *testing.T, w *watched) {
		pause.For(t.Context(), time.Second)
		w.watch(sigA)
		stop := w.watch(sigB)
		pause.For(t.Context(), time.Second)
		require.Zero(t, w.hinted(sigA))
		stop()
		pause.For(t.Context(), time.Minute)
		require.Equal(t, 1, w.hinted(sigA))
		require.Zero(t, w.hinted(sigB))
		require.NotEmpty(t, w.missed())
		require.True(t, w.missed()[0].To.After(w.missed()[0].From))
		require.NotContains(t, w.missed()[0].Reason, "canary")
	})
	require.Equal(t, map[int][]string{1: {`"` + sigA + `"`, `"` + sigB + `"`}, 2: {`"` + sigA + `"`}}, subscribed)
}

// TestWatcherLeavesANodeWithoutSlots: pings are answered, and nothing else comes.
func TestWatcherLeavesANodeWithoutSlots(t *testing.T) {
	server := &wstest.Server{Script: func(ws *websocket.Conn, n int) {
		hearCall(ws)
		wstest.Say(ws, `{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":9},"subscription":1}}`)
		gone := make(chan struct{})
		go func() {
			wstest.Linger(ws)
			close(gone)
		}()
		for n > 1 {
			select {
			case <-gone:
				return
			case <-time.After(400 * time.Millisecond):
				wstest.Say(ws, `{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":10},"subscription":1}}`)
			}
		}
		<-gone
	}}
	onSocket(t, server, func(t *testing.T, w *watched) {
		pause.For(t.Context(), 14*time.Second)
		require.Equal(t, 1, server.Count())
		pause.For(t.Context(), 46*time.Second)
		require.Equal(t, 2, server.Count())
		require.Len(t, w.missed(), 1)
		require.Contains(t, w.missed()[0].Reason, "no new slot")
		require.InDelta(t, 15, w.missed()[0].To.Sub(w.missed()[0].From).Seconds(), 1)
	})
}

// TestWatcherRefused: a node that refuses for good is asked again once a minute.
func TestWatcherRefused(t *testing.T) {
	server := &wstest.Server{Refuse: func(w http.ResponseWriter, _ *http.Request, n int) bool {
		if n < 3 {
			w.WriteHeader(http.StatusForbidden)
		}
		return n < 3
	}}
	onSocket(t, server, func(t *testing.T, w *watched) {
		pause.For(t.Context(), 30*time.Second)
		require.Equal(t, 1, server.Count())
		require.ErrorIs(t, w.Err(), walletfi.ErrForbidden)
		require.NotContains(t, w.Err().Error(), "canary")
		pause.For(t.Context(), 2*time.Minute)
		require.Equal(t, 3, server.Count())
	})
}

func TestWatcherConfig(t *testing.T) {
	for field, c := range map[string]rpcnode.WatcherConfig{
		"url":        {},
		"socketURL":  {SocketURL: walletfi.NewSecret("ws://node.example")},
		"commitment": {URL: walletfi.NewSecret("https://node.example"), Commitment: "settled"},
		"header":     {URL: walletfi.NewSecret("https://node.example"), Header: map[string]walletfi.Secret{"a b": walletfi.NewSecret("x")}},
	} {
		_, err := rpcnode.NewWatcher(c)
		var invalid *walletfi.ValidationError
		require.ErrorAs(t, err, &invalid, field)
		require.Equal(t, field, invalid.Field)
	}
}

func TestSocketURL(t *testing.T) {
	for from, want := range map[string]string{
		"https://node.example/?api-key=k": "wss://node.example/?api-key=k",
		"http://127.0.0.1:8899":           "ws://127.0.0.1:8900",
		"https://node.example:443/v1/key": "wss://node.example:444/v1/key",
	} {
		require.Equal(t, want, rpcnode.SocketURL(from))
	}
}
