package wsconn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
)

func TestMessagesArriveWhole(t *testing.T) {
	sizes := []int{0, 1, 125, 126, 4096, 65535, 65536, 65537, 300_000, 1 << 20}
	for _, compression := range []bool{false, true} {
		t.Run(fmt.Sprintf("compression=%t", compression), func(t *testing.T) {
			s := &wstest.Server{Upgrader: websocket.Upgrader{EnableCompression: true}}
			s.Script = func(ws *websocket.Conn, _ int) {
				for i, size := range sizes {
					kind := websocket.TextMessage + i%2
					_ = ws.WriteMessage(kind, []byte(strings.Repeat(string(rune('a'+i)), size)))
				}
				wstest.Linger(ws)
			}
			c := start(t, Config{URL: onLoopback(t, s), Compression: compression})
			for i, size := range sizes {
				assert.Equal(t, strings.Repeat(string(rune('a'+i)), size), c.message(t))
			}
			c.stop(t)
			extensions := s.Handshakes()[0].Header.Get("Sec-Websocket-Extensions")
			assert.Equal(t, compression, strings.Contains(extensions, "permessage-deflate"))
		})
	}
}

func TestDropIsAGap(t *testing.T) {
	s := &wstest.Server{}
	s.Script = func(ws *websocket.Conn, n int) {
		wstest.Say(ws, fmt.Sprint("first of ", n))
		if n == 1 {
			goodbye := websocket.FormatCloseMessage(websocket.CloseGoingAway, "maintenance")
			_ = ws.WriteControl(websocket.CloseMessage, goodbye, time.Now().Add(time.Second))
			return
		}
		wstest.Linger(ws)
	}
	began := time.Now()
	c := start(t, Config{URL: onLoopback(t, s), MinBackoff: time.Millisecond})
	assert.Equal(t, "first of 1", c.message(t))
	down := c.nextDown(t)
	require.ErrorIs(t, down.down, walletfi.ErrUnavailable)
	assert.ErrorContains(t, down.down, `code 1001 "maintenance"`)
	assert.LessOrEqual(t, down.retryIn, time.Millisecond)
	e := c.nextGap(t)
	assert.Equal(t, down.down.Error(), e.gap.Reason)
	assert.WithinRange(t, e.gap.From, began, down.at)
	assert.WithinRange(t, e.gap.To, down.at, e.at)
	assert.Equal(t, "first of 2", c.message(t))
	c.stop(t)
}

func TestGapClosesWithoutAMessage(t *testing.T) {
	s := &wstest.Server{Script: func(ws *websocket.Conn, n int) {
		if n > 1 {
			wstest.Linger(ws)
		}
	}}
	c := start(t, Config{URL: onLoopback(t, s), MinBackoff: time.Millisecond})
	assert.ErrorContains(t, c.nextDown(t).down, "connection")
	e := c.nextGap(t)
	assert.True(t, e.gap.From.Before(e.gap.To))
	c.stop(t)
}

func TestGapSpansFailedAttempts(t *testing.T) {
	s := &wstest.Server{
		Script: func(ws *websocket.Conn, n int) {
			wstest.Say(ws, fmt.Sprint(n))
			if n > 1 {
				wstest.Linger(ws)
			}
		},
		Refuse: func(w http.ResponseWriter, _ *http.Request, n int) bool {
			if n == 2 || n == 3 {
				w.WriteHeader(http.StatusBadGateway)
			}
			return n == 2 || n == 3
		},
	}
	inBubble(t, s, func(t *testing.T, cfg Config) {
		c := start(t, cfg)
		assert.Equal(t, "1", c.message(t))
		first := c.nextDown(t)
		for range 2 {
			assert.ErrorContains(t, c.nextDown(t).down, "HTTP 502")
		}
		e := c.nextGap(t)
		assert.Equal(t, first.down.Error(), e.gap.Reason, "the first loss is the reason")
		assert.False(t, e.gap.From.After(first.at))
		assert.Equal(t, e.at, e.gap.To)
		assert.Equal(t, "4", c.message(t))
		c.stop(t)
	})
}

// A ping that was answered proves that everything before it has arrived.
func TestGapBeginsAtTheLastAnsweredPing(t *testing.T) {
	s := &wstest.Server{}
	inBubble(t, s, func(t *testing.T, cfg Config) {
		cut := make(chan struct{})
		s.Script = func(ws *websocket.Conn, n int) {
			wstest.Say(ws, "hello")
			if n == 1 {
				go wstest.Linger(ws)
				<-cut
				return
			}
			wstest.Linger(ws)
		}
		cfg.PingEvery = 8 * time.Second
		began := time.Now()
		c := start(t, cfg)
		assert.Equal(t, "hello", c.message(t))
		<-time.After(21 * time.Second) // pings at 0, 8 and 16
		close(cut)
		c.nextDown(t)
		assert.Equal(t, 16*time.Second, c.nextGap(t).gap.From.Sub(began))
		assert.Equal(t, "hello", c.message(t))
		c.stop(t)
	})
}

// The service's log is the judge: what it sent and the client did not get lies
// within a gap, and no gap is announced late.
func TestNothingIsLostUnannounced(t *testing.T) {
	const drops = 300
	type sent struct {
		at  time.Time
		got bool
	}
	var mu sync.Mutex
	var log []sent
	final := -1
	s := &wstest.Server{}
	s.Script = func(ws *websocket.Conn, n int) {
		if n > drops {
			mu.Lock()
			final = len(log)
			log = append(log, sent{at: time.Now()})
			mu.Unlock()
			wstest.Say(ws, fmt.Sprint(final))
			wstest.Linger(ws)
			return
		}
		go wstest.Linger(ws)
		for range rand.N(200) {
			mu.Lock()
			i, at := len(log), time.Now()
			err := ws.WriteMessage(websocket.TextMessage, fmt.Append(nil, i))
			log = append(log, sent{at: at})
			mu.Unlock()
			if err != nil {
				return
			}
		}
		if conn, ok := ws.NetConn().(interface{ SetLinger(int) error }); ok {
			_ = conn.SetLinger(0) // a reset: what lies in the buffers is lost
		}
	}
	c := start(t, Config{URL: onLoopback(t, s), MinBackoff: time.Microsecond, MaxBackoff: time.Microsecond, PingEvery: 20 * time.Millisecond})
	var gaps []Gap
	last := -1
	fresh := true // nothing since the last gap
	for finished := false; !finished; {
		e := <-c.events
		switch {
		case e.gap != nil:
			gaps, fresh = append(gaps, *e.gap), true
		case e.down == nil:
			var i int
			_, err := fmt.Sscan(e.message, &i)
			require.NoError(t, err)
			require.True(t, i == last+1 || i > last && fresh, "%d after %d without a gap between", i, last)
			last, fresh = i, false
			mu.Lock()
			log[i].got = true
			finished = i == final
			mu.Unlock()
		}
	}
	c.stop(t)
	missing := 0
	for i, m := range log {
		if m.got {
			continue
		}
		missing++
		covered := false
		for _, gap := range gaps {
			covered = covered || !m.at.Before(gap.From) && !m.at.After(gap.To)
		}
		assert.True(t, covered, "message %d", i)
	}
	t.Logf("%d messages, %d lost, %d gaps", len(log), missing, len(gaps))
	assert.NotZero(t, missing, "the test lost nothing and so shows nothing")
}

func TestHeaderIsAskedAnew(t *testing.T) {
	s := &wstest.Server{Script: func(ws *websocket.Conn, n int) {
		if n > 1 {
			wstest.Linger(ws)
		}
	}}
	keys := []string{"key-number-one", "key-number-two"}
	n := 0
	c := start(t, Config{
		URL: onLoopback(t, s), MinBackoff: time.Millisecond,
		Header: func(context.Context) (http.Header, error) {
			n++
			return http.Header{"X-Api-Key": {keys[n-1]}}, nil
		},
	})
	c.nextDown(t)
	c.nextGap(t)
	c.stop(t)
	assert.Equal(t, keys[0], s.Handshakes()[0].Header.Get("X-Api-Key"))
	assert.Equal(t, keys[1], s.Handshakes()[1].Header.Get("X-Api-Key"))
}

func TestHeaderThatFails(t *testing.T) {
	passing := errors.New("token service is down")
	s := &wstest.Server{Script: func(ws *websocket.Conn, _ int) { wstest.Linger(ws) }}
	asked := 0
	c := start(t, Config{
		URL: onLoopback(t, s), MinBackoff: time.Millisecond,
		Header: func(context.Context) (http.Header, error) {
			if asked++; asked < 3 {
				return nil, passing
			}
			return nil, walletfi.ErrUnauthorized
		},
	})
	for range 2 {
		require.ErrorIs(t, c.nextDown(t).down, passing)
	}
	require.ErrorIs(t, <-c.ended, walletfi.ErrUnauthorized)
	assert.Empty(t, s.Handshakes())
}

// Whatever arrived has been handled when more is asked for.
func TestBeforeRead(t *testing.T) {
	s := &wstest.Server{}
	inBubble(t, s, func(t *testing.T, cfg Config) {
		s.Script = func(ws *websocket.Conn, n int) {
			frames := []byte{0x81, 1, 'a', 0x81, 1, 'b', 0x81, 1, 'c', 0x81, 2, 'd'} // the last one is cut
			_, _ = ws.NetConn().Write(frames)
			<-time.After(time.Second)
			_, _ = ws.NetConn().Write([]byte{'e'})
			wstest.Linger(ws)
		}
		var got string
		var seen []string
		cfg.BeforeRead = func() { seen = append(seen, got) }
		conn, err := New(cfg, collector{&got})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		require.ErrorIs(t, conn.Run(ctx), context.DeadlineExceeded)
		seen = slices.Compact(seen) // an answered ping is read for too
		assert.Equal(t, []string{"", "abc", "abcde"}, seen)
	})
}

// collector joins messages.
type collector struct{ text *string }

func (c collector) Message(message []byte)        { *c.text += string(message) }
func (collector) Gap(Gap)                         {}
func (collector) Up()                             {}
func (collector) Reached(uint64)                  {}
func (collector) Down(err error, _ time.Duration) {}

func TestRunsOnce(t *testing.T) {
	conn, err := New(Config{URL: "wss://example.com/ws"}, newRecorder(t, 1))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, conn.Run(ctx), context.Canceled)
	assert.ErrorContains(t, conn.Run(ctx), "before")
}

func BenchmarkReceive(b *testing.B) {
	frame := append([]byte{0x81, 126, 0, 200}, strings.Repeat("x", 200)...) // text, final, unmasked
	frames := bytes.Repeat(frame, 500)
	s := &wstest.Server{Script: func(ws *websocket.Conn, _ int) {
		var err error
		for err == nil { // many at a time, so that the client is what is measured
			_, err = ws.NetConn().Write(frames)
		}
	}}
	server := onLoopback(b, s)
	b.Run("conn", func(b *testing.B) {
		ctx, cancel := context.WithCancel(b.Context())
		conn, err := New(Config{URL: server}, &looper{b: b, cancel: cancel})
		require.NoError(b, err)
		b.ReportAllocs()
		require.ErrorIs(b, conn.Run(ctx), context.Canceled)
	})
	b.Run("gorilla.ReadMessage", func(b *testing.B) {
		ws, _, err := websocket.DefaultDialer.DialContext(b.Context(), server, nil)
		require.NoError(b, err)
		defer ws.Close()
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := ws.ReadMessage(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// looper turns messages into rounds of a benchmark.
type looper struct {
	b      *testing.B
	cancel context.CancelFunc
	over   bool
}

func (l *looper) Message([]byte) {
	if !l.over && !l.b.Loop() {
		l.over = true
		l.cancel()
	}
}
func (*looper) Gap(Gap)                           {}
func (*looper) Up()                               {}
func (*looper) Reached(uint64)                    {}
func (l *looper) Down(err error, _ time.Duration) { l.b.Error(err) }
