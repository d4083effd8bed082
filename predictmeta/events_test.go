package predictmeta_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// TestEventsWithAnErrorRefuseJSON: what cannot be restored is not written.
func TestEventsWithAnErrorRefuseJSON(t *testing.T) {
	for _, event := range []any{
		predictmeta.Disconnected{}, &predictmeta.Disconnected{}, predictmeta.RetryFailed{}, &predictmeta.RetryFailed{},
		predictmeta.BookRefresh{}, &predictmeta.BookRefresh{},
	} {
		require.ErrorContains(t, wiretest.Error(json.Marshal(event)), "is not stored", "%T", event)
	}
}

// TestUnknownMessageSurvivesJSON, whatever its bytes are.
func TestUnknownMessageSurvivesJSON(t *testing.T) {
	for name, raw := range map[string]walletfi.Document{
		"none": nil, "empty": {}, "json": walletfi.Document(`{"a": "<&>\u2028", "n":1e400}`), "no json": walletfi.Document("{\x00"), "no text": walletfi.Document("\xff{"),
	} {
		for _, err := range []error{nil, &walletfi.RecordError{Raw: raw, Err: errors.New("a number is missing")}} {
			was := predictmeta.UnknownMessage{Type: "melted", Raw: raw, Err: err}
			text, failed := json.Marshal(was)
			require.NoError(t, failed, name)
			var read predictmeta.UnknownMessage
			require.NoError(t, json.Unmarshal(text, &read), name)
			require.Equal(t, was.Type, read.Type)
			require.Equal(t, was.Raw, read.Raw, name)
			require.Equal(t, err == nil, read.Err == nil, name)
			if err != nil {
				require.EqualError(t, read.Err, err.Error())
				record := wiretest.As[*walletfi.RecordError](t, read.Err)
				require.Equal(t, raw, record.Raw)
				require.Equal(t, errors.Is(err, walletfi.ErrDecode), errors.Is(read.Err, walletfi.ErrDecode))
			}
			again, failed := json.Marshal(read)
			require.NoError(t, failed)
			require.Equal(t, string(text), string(again))
		}
	}
}

// TestStreamIsObserved: a connection that is cut, a consumer that is too slow, and how
// far it is from the newest event.
func TestStreamIsObserved(t *testing.T) {
	const sent = 30
	f := &feed{}
	inBubble(t, f, func(t *testing.T, cfg predictmeta.Config) {
		told := recorded.New(t)
		cfg.Observer = told
		f.Script = func(ws *websocket.Conn, n int) {
			for i := range sent {
				wstest.Say(ws, fmt.Sprintf(`{"channel":"trades","type":"trade","market_ticker":"M%d","trade_id":"t"}`, i))
			}
			if n > 1 {
				listen(ws, nil)
			}
		}
		s := started(t, cfg, predictmeta.StreamRequest{QueueLen: 10})
		<-time.After(time.Minute)
		for range 5 {
			require.NoError(t, wiretest.Error(s.Recv(t.Context())))
		}
		require.Equal(t, []observe.FeedConnected{{Service: "predictmeta"}, {Service: "predictmeta"}}, recorded.Events[observe.FeedConnected](told))
		downs := recorded.Events[observe.FeedDisconnected](told)
		require.Len(t, downs, 1)
		require.Error(t, downs[0].Err)
		require.Len(t, recorded.Events[observe.FeedGap](told), 1)
		dropped := 0
		for _, d := range recorded.Events[observe.FeedDropped](told) {
			dropped += d.Events
		}
		require.Equal(t, 2*sent+4-10, dropped, "of the trades, of two Connected, a Disconnected and a Gap, ten fit")
		lags := recorded.Events[observe.FeedLag](told)
		require.Len(t, lags, 1, "once a second")
		require.Greater(t, lags[0].Events, 5)

		<-time.After(2 * time.Second)
		for range 3 {
			require.NoError(t, wiretest.Error(s.Recv(t.Context())))
		}
		lags = recorded.Events[observe.FeedLag](told)
		require.Len(t, lags, 2)
		require.Greater(t, lags[1].Oldest, time.Minute)
	})
}
