package wsconn

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
)

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
	c := start(t, Config{URL: onLoopback(t, s), MinBackoff: time.Microsecond, MaxBackoff: time.Microsecond, PingEvery: time.Minute}) // never the first to leave
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
		for err == nil { // many at a time, so that the client is measured
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
