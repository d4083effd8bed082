package wsconn

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
)

const pingEvery = 10 * time.Second

// A service that goes silent at any point between two pings is found out
// before two intervals have passed.
func TestHalfOpenIsFoundWithinTwoPings(t *testing.T) {
	for _, alive := range []time.Duration{0, time.Millisecond, 2499 * time.Millisecond, 2501 * time.Millisecond, 9999 * time.Millisecond, 34 * time.Second} {
		t.Run(alive.String(), func(t *testing.T) {
			s := &wstest.Server{}
			inBubble(t, s, func(t *testing.T, cfg Config) {
				silence := make(chan time.Time, 1)
				s.Script = func(ws *websocket.Conn, n int) {
					if n > 1 {
						wstest.Linger(ws)
						return
					}
					var silent atomic.Bool
					answer := ws.PingHandler()
					ws.SetPingHandler(func(payload string) error {
						if silent.Load() {
							return nil
						}
						return answer(payload)
					})
					go func() {
						<-time.After(alive)
						wstest.Say(ws, "last words")
						silent.Store(true)
						silence <- time.Now()
					}()
					wstest.Linger(ws) // swallows everything from now on
				}
				cfg.PingEvery = pingEvery
				c := start(t, cfg)
				assert.Equal(t, "last words", c.message(t))
				down := c.nextDown(t)
				silentSince := <-silence
				assert.Less(t, down.at.Sub(silentSince), 2*pingEvery)
				assert.GreaterOrEqual(t, down.at.Sub(silentSince), pingEvery)
				require.ErrorIs(t, down.down, walletfi.ErrUnavailable)
				assert.ErrorContains(t, down.down, "no sign of life for 15s")
				gap := c.nextGap(t).gap
				assert.Equal(t, "no sign of life for 15s", strings.TrimPrefix(gap.Reason, walletfi.ErrUnavailable.Error()+": "))
				c.stop(t)
			})
		})
	}
}

func TestQuietIsNotDead(t *testing.T) {
	tests := []struct {
		name     string
		script   script
		messages int // in a second more than 20 ping intervals
	}{
		{"answers pings and says nothing", func(ws *websocket.Conn, _ int) { wstest.Linger(ws) }, 0},
		{"talks and never answers a ping", func(ws *websocket.Conn, _ int) {
			ws.SetPingHandler(func(string) error { return nil })
			go wstest.Linger(ws)
			for ws.WriteMessage(websocket.TextMessage, []byte("tick")) == nil {
				<-time.After(pingEvery)
			}
		}, 21},
		{"pings and never answers one", func(ws *websocket.Conn, _ int) {
			ws.SetPingHandler(func(string) error { return nil })
			go wstest.Linger(ws)
			for ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second)) == nil {
				<-time.After(pingEvery)
			}
		}, 0},
		{"takes minutes for one message", func(ws *websocket.Conn, _ int) {
			go wstest.Linger(ws)
			for ws.WriteControl(websocket.PongMessage, []byte("unasked"), time.Now().Add(time.Second)) == nil {
				w, err := ws.NextWriter(websocket.TextMessage)
				for err == nil {
					_, err = w.Write(make([]byte, 5000)) // a frame a time
					<-time.After(pingEvery)
				}
			}
		}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &wstest.Server{Script: test.script}
			inBubble(t, s, func(t *testing.T, cfg Config) {
				cfg.PingEvery = pingEvery
				c := start(t, cfg)
				<-time.After(20*pingEvery + time.Second)
				c.stop(t)
				messages := len(c.events)
				for range messages {
					e := <-c.events
					assert.NoError(t, e.down)
					assert.Nil(t, e.gap)
				}
				assert.Equal(t, test.messages, messages)
				assert.Equal(t, 1, s.Count())
			})
		})
	}
}

// slow takes its time with each message.
type slow struct {
	*recorder
	pause time.Duration
}

func (s *slow) Message(message []byte) {
	<-time.After(s.pause)
	s.recorder.Message(message)
}

func TestSlowHandlerIsNotADeadConnection(t *testing.T) {
	s := &wstest.Server{Script: func(ws *websocket.Conn, _ int) {
		ws.SetPingHandler(func(string) error { return nil }) // a pipe has no buffer for the answers
		go wstest.Linger(ws)
		for range 3 {
			wstest.Say(ws, "work")
		}
		<-time.After(time.Hour)
	}}
	inBubble(t, s, func(t *testing.T, cfg Config) {
		cfg.PingEvery = pingEvery
		rec := newRecorder(t, 8)
		conn, err := New(cfg, &slow{rec, 10 * pingEvery})
		require.NoError(t, err)
		c := &client{Conn: conn, recorder: rec, ended: make(chan error, 1)}
		ctx, cancel := context.WithCancel(t.Context())
		c.cancel = cancel
		go func() { c.ended <- conn.Run(ctx) }()
		for range 3 {
			assert.Equal(t, "work", c.message(t))
		}
		synctest.Wait()
		assert.Empty(t, c.events)
		assert.ErrorContains(t, c.nextDown(t).down, "no sign of life", "once nobody is at work, silence counts")
		c.stop(t)
	})
}

func TestServiceThatReadsNothing(t *testing.T) {
	s := &wstest.Server{}
	inBubble(t, s, func(t *testing.T, cfg Config) {
		release := make(chan struct{})
		s.Script = func(ws *websocket.Conn, n int) {
			if n > 1 {
				wstest.Linger(ws)
				return
			}
			wstest.Say(ws, "hello")
			<-release // a pipe has no buffer: each write blocks
		}
		cfg.PingEvery = pingEvery
		began := time.Now()
		c := start(t, cfg)
		assert.Equal(t, "hello", c.message(t))
		down := c.nextDown(t)
		assert.ErrorContains(t, down.down, "ping: ")
		assert.Equal(t, pingEvery/2, down.at.Sub(began), "the write's own deadline")
		close(release)
		c.nextGap(t)
		c.stop(t)
	})
}

// TestMessageThatNeverEnds: bytes that come one by one are no sign of life for
// ever, before the first message as after it. Slow messages that do end are.
func TestMessageThatNeverEnds(t *testing.T) {
	drip := func(ws *websocket.Conn, frame []byte) {
		for _, b := range frame {
			_ = pause.For(context.Background(), pingEvery/2)
			if _, err := ws.NetConn().Write([]byte{b}); err != nil {
				return
			}
		}
	}
	endless := append([]byte{0x81, 126, 0xff, 0xff}, make([]byte, 1000)...)
	for _, first := range []string{"", "hello"} {
		s := &wstest.Server{}
		inBubble(t, s, func(t *testing.T, cfg Config) {
			s.Script = func(ws *websocket.Conn, n int) {
				if n > 1 {
					wstest.Linger(ws)
					return
				}
				if first != "" {
					wstest.Say(ws, first)
				}
				go io.Copy(io.Discard, ws.NetConn()) // so that no write of the client fails
				drip(ws, []byte("\x81\x04slow"))
				drip(ws, endless)
			}
			cfg.PingEvery = pingEvery
			began := time.Now()
			c := start(t, cfg)
			if first != "" {
				require.Equal(t, first, c.message(t))
			}
			require.Equal(t, "slow", c.message(t))
			down := c.nextDown(t)
			require.ErrorContains(t, down.down, "no message came to its end")
			require.Less(t, down.at.Sub(began), (3+4+1)*pingEvery)
			c.nextGap(t)
			c.stop(t)
		})
	}
}

func TestTooLongMessages(t *testing.T) {
	const limit = 64 << 10
	bomb := strings.Repeat("0", 64<<20)
	tests := []struct {
		name   string
		script script
		ok     bool
	}{
		{"at the limit", func(ws *websocket.Conn, _ int) { wstest.Say(ws, bomb[:limit]); wstest.Linger(ws) }, true},
		{"one byte more", func(ws *websocket.Conn, _ int) {
			ws.EnableWriteCompression(false)
			wstest.Say(ws, bomb[:limit+1])
			wstest.Linger(ws)
		}, false},
		{"one byte more, compressed", func(ws *websocket.Conn, _ int) { wstest.Say(ws, bomb[:limit+1]); wstest.Linger(ws) }, false},
		{"a bomb", func(ws *websocket.Conn, _ int) {
			_ = ws.SetCompressionLevel(9)
			wstest.Say(ws, bomb)
			wstest.Linger(ws)
		}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &wstest.Server{Script: test.script, Upgrader: websocket.Upgrader{EnableCompression: true}}
			c := start(t, Config{URL: onLoopback(t, s), Compression: true, ReadLimit: limit, MinBackoff: time.Hour, MaxBackoff: time.Hour})
			if test.ok {
				assert.Len(t, c.message(t), limit)
			} else {
				assert.ErrorContains(t, c.nextDown(t).down, "more than 65536 bytes")
			}
			c.stop(t)
			assert.LessOrEqual(t, cap(c.buffer), 4*limit)
		})
	}
}

func TestCancelLeavesAtOnce(t *testing.T) {
	const soon = 10 * time.Millisecond
	swallow := func(ws *websocket.Conn, _ int) { _, _ = io.Copy(io.Discard, ws.NetConn()) }
	stuck := func(ws *websocket.Conn, _ int) { wstest.Say(ws, "stuck"); <-time.After(time.Hour) }
	drop := func(*websocket.Conn, int) {}
	tests := []struct {
		name   string
		script script
		until  func(t *testing.T, c *client)
	}{
		{"while reading", swallow, func(*testing.T, *client) { synctest.Wait() }},
		{"while a write is stuck", stuck, func(t *testing.T, c *client) { c.message(t); synctest.Wait() }},
		{"in backoff", drop, func(t *testing.T, c *client) { c.nextDown(t) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, &wstest.Server{Script: test.script}, func(t *testing.T, cfg Config) {
				cfg.MinBackoff = time.Hour
				c := start(t, cfg)
				test.until(t, c)
				began := time.Now()
				c.stop(t)
				assert.LessOrEqual(t, time.Since(began), soon)
			})
		})
	}
	t.Run("while the handshake waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			listener := wiretest.NewPipes()
			c := start(t, Config{URL: "ws://localhost", Transport: &http.Transport{DialContext: listener.DialContext}})
			conn, err := listener.Accept()
			require.NoError(t, err)
			var swallowed sync.WaitGroup
			swallowed.Go(func() { _, _ = io.Copy(io.Discard, conn) })
			synctest.Wait()
			began := time.Now()
			c.stop(t)
			assert.LessOrEqual(t, time.Since(began), soon)
			swallowed.Wait()
		})
	})
}

func TestFarewell(t *testing.T) {
	closed := make(chan error, 1)
	s := &wstest.Server{Script: func(ws *websocket.Conn, _ int) {
		wstest.Say(ws, "hello")
		_, _, err := ws.NextReader()
		closed <- err
	}}
	c := start(t, Config{URL: onLoopback(t, s)})
	c.message(t)
	c.stop(t)
	assert.True(t, websocket.IsCloseError(<-closed, websocket.CloseNormalClosure))
}

// A listener that accepts and swallows never finishes the handshake.
func TestHandshakeThatNeverEnds(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { _, _ = io.Copy(io.Discard, conn); conn.Close() })
		}
	})
	c := start(t, Config{URL: "ws://" + listener.Addr().String(), HandshakeTimeout: 20 * time.Millisecond, MinBackoff: time.Millisecond})
	for range 2 {
		down := c.nextDown(t)
		require.ErrorIs(t, down.down, walletfi.ErrUnavailable)
		assert.ErrorContains(t, down.down, "no answer in time")
	}
	c.stop(t)
	listener.Close()
	serving.Wait()
}
