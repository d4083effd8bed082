package e2e

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
	"go.uber.org/goleak"
)

var disconnects = flag.Int("disconnects", 200, "connections that TestStreamDisconnects ends; CI: 1000")

// streamTicker is a market that trades, with a price that moves and a book.
const streamTicker = "BTC-R6-M1"

// breaker ends connections in all the ways that the sandbox knows.
type breaker struct {
	box    *sandbox.Sandbox
	pushed int
}

// push sends n messages that no other is equal to.
func (b *breaker) push(n int) {
	for range n {
		b.pushed++
		b.box.PredictMeta().Feed().Push(b.last())
	}
}

// last is the text of the message that was pushed last.
func (b *breaker) last() string {
	return fmt.Sprintf(`{"type":"trade","ticker":"PUSHED","price":0.5,"quantity":%d,"side":"buy","timestamp":1767225600}`,
		b.pushed)
}

// end ends the connection. The result is to be called once it is back.
func (b *breaker) end(t *testing.T, i int) (after func()) {
	t.Helper()
	after = func() {}
	switch {
	case i%50 == 49: // half-open: only the missing pongs tell
		back := b.refuse()
		b.box.PredictMeta().Feed().Silence()
		b.push(3)
		subscribed(t, b.box)
		back()
	case i%5 == 0:
		b.box.PredictMeta().Feed().Drop()
	case i%5 == 1:
		after = b.box.PredictMeta().Feed().CutAfter(1 + rand.N(40))
		b.push(41)
	case i%5 == 2:
		b.box.PredictMeta().Feed().Close(websocket.CloseServiceRestart, "maintenance")
	case i%5 == 3:
		back := b.refuse()
		b.box.PredictMeta().Feed().PushFrames([]byte{0x83, 0x00}) // a reserved opcode
		b.push(5)                                                 // goes to a client that has hung up
		subscribed(t, b.box)
		back()
	case i%5 == 4:
		b.box.PredictMeta().Feed().PushFrames([]byte{0x81, 0x05, 'h'}) // a frame that ends early
		b.box.PredictMeta().Feed().Drop()
	}
	return after
}

// refuse keeps the client from coming back before the server has given up the
// connection that the client did: until then it goes on writing to it, and the
// times of that in its log say nothing about what was missed.
func (b *breaker) refuse() (back func()) {
	return b.box.Fault(sandbox.Route{Service: sandbox.PredictMeta, Method: http.MethodGet, Pattern: "/ws"},
		sandbox.Fault{Status: http.StatusServiceUnavailable})
}

// received holds the events of a stream, in order: what it delivered, with the
// gaps and drops in between.
type received struct {
	events           []predictmeta.FeedEvent
	gaps, downs, ups int
	up               bool
	failed           bool // the first attempt to connect
	dropped          int
}

func (r *received) take(t *testing.T, s *predictmeta.Stream) predictmeta.FeedEvent {
	t.Helper()
	event, err := s.Recv(t.Context())
	require.NoError(t, err)
	r.events = append(r.events, event)
	switch e := event.(type) {
	case *predictmeta.Gap:
		r.gaps++
	case *predictmeta.Connected:
		require.False(t, r.up, "Connected twice")
		r.up = true
		r.ups++
	case *predictmeta.Disconnected:
		if r.ups == 0 && !r.failed { // the first attempt failed
			r.failed = true
			break
		}
		require.True(t, r.up, "Disconnected twice")
		r.up = false
		r.downs++
	case *predictmeta.RetryFailed:
		require.False(t, r.up, "an attempt while connected")
	case *predictmeta.Dropped:
		r.dropped += e.Count
	default:
		require.True(t, r.up, "%T without a connection", event)
	}
	return event
}

// takeUntil takes events up to a message.
func (r *received) takeUntil(t *testing.T, s *predictmeta.Stream, text string) {
	t.Helper()
	for textOf(r.take(t, s)) != text {
	}
}

// textOf is the message that an event was made of, empty for one that the
// client made itself.
func textOf(event predictmeta.FeedEvent) string {
	switch e := event.(type) {
	case *predictmeta.PriceUpdate:
		return string(e.Raw)
	case *predictmeta.BookUpdate:
		return string(e.Raw)
	case *predictmeta.TradeUpdate:
		return string(e.Raw)
	case *predictmeta.UnknownMessage:
		return string(e.Raw)
	}
	return ""
}

// feedVerdict compares what was received with the log.
type feedVerdict struct{ sent, delivered, inGaps, dropped int }

// judgeFeed holds what was received against the server's log: what is missing
// before a message was sent within a gap announced since the one before, or is
// among those counted as dropped since then.
//
// Each text is sent once to every connection there is. A client dials when it
// has given up the connection before, so that of two connections which were
// sent the same text, the later one is where it may have got it from.
func judgeFeed(t *testing.T, log []sandbox.FeedMessage, r *received) (v feedVerdict) {
	t.Helper()
	slices.SortStableFunc(log, func(a, b sandbox.FeedMessage) int {
		return cmp.Or(cmp.Compare(a.Connection, b.Connection), cmp.Compare(a.Sequence, b.Sequence))
	})
	latest := map[string]int{}
	for _, m := range log {
		latest[m.Text] = m.Connection
	}
	log = slices.DeleteFunc(log, func(m sandbox.FeedMessage) bool { return m.Connection != latest[m.Text] })
	place := map[string]int{}
	for i, m := range log {
		place[m.Text] = i
	}
	require.Len(t, place, len(log), "a connection was sent the same text twice")
	v.sent = len(log)
	next, dropped := 0, 0
	var gaps []*predictmeta.Gap
	for _, event := range r.events {
		switch e := event.(type) {
		case *predictmeta.Gap:
			gaps = append(gaps, e)
			continue
		case *predictmeta.Dropped:
			dropped += e.Count
			continue
		case *predictmeta.Connected, *predictmeta.Disconnected, *predictmeta.RetryFailed:
			continue
		}
		at, ok := place[textOf(event)]
		require.True(t, ok, "nobody sent %#v", event)
		require.GreaterOrEqual(t, at, next, "out of order, or twice: %s", textOf(event))
		inGap := countWithin(log[next:at], gaps)
		elsewhere := at - next - inGap
		require.LessOrEqual(t, elsewhere, dropped, "messages %d to %d are missing: %+v", next, at-1, log[next:at])
		v.delivered, v.inGaps, v.dropped = v.delivered+1, v.inGaps+inGap, v.dropped+elsewhere
		next, gaps, dropped = at+1, nil, 0
	}
	require.Equal(t, len(log), next, "the last message was delivered")
	return v
}

// countWithin counts the messages that were sent within one of the gaps.
func countWithin(messages []sandbox.FeedMessage, gaps []*predictmeta.Gap) (n int) {
	for _, m := range messages {
		if slices.ContainsFunc(gaps, func(g *predictmeta.Gap) bool { return !m.Time.Before(g.From) && !m.Time.After(g.To) }) {
			n++
		}
	}
	return n
}

// subscribed waits until the server knows of exactly these subscriptions.
func subscribed(t *testing.T, box *sandbox.Sandbox, want ...string) {
	t.Helper()
	require.Eventually(t, func() bool {
		var have []string
		for _, s := range box.PredictMeta().Feed().Subscriptions() {
			have = append(have, s.Channel+" "+s.Ticker)
		}
		slices.Sort(have)
		return slices.Equal(want, have)
	}, 10*time.Second, time.Millisecond, "subscribed to other than %v", want)
}

// TestStreamDisconnects: over many lost connections, and with a consumer
// that falls behind and changes its mind, every message that the sandbox sent
// was delivered, or lies in an announced gap, or was counted as dropped.
// The sandbox's own log is the judge.
func TestStreamDisconnects(t *testing.T) {
	before := goleak.IgnoreCurrent()
	// The first shape acknowledges nothing: an acknowledgement has the same
	// text on each connection, and could not be told from another's.
	box, err := sandbox.Start(sandbox.Config{ManualClock: true, Shape: 1})
	require.NoError(t, err)
	defer box.Close()
	box.PredictMeta().Feed().Record()
	stream, err := flows.PredictMeta(t, box).Stream(t.Context(), predictmeta.StreamRequest{
		Subscriptions: []predictmeta.Subscription{
			{Channel: predictmeta.ChannelMarket, Ticker: streamTicker}, {Channel: predictmeta.ChannelOrderBook, Ticker: streamTicker}, {Channel: predictmeta.ChannelTrades, Ticker: streamTicker},
		},
		KeepRaw: true, QueueLen: 64,
		PingInterval: 50 * time.Millisecond, MinBackoff: time.Microsecond, MaxBackoff: time.Microsecond,
	})
	require.NoError(t, err)
	defer stream.Close()
	subscribed(t, box, "market "+streamTicker, "orderbook "+streamTicker, "trades "+streamTicker)

	b, r := &breaker{box: box}, &received{}
	for i := range *disconnects {
		b.disconnect(t, stream, r, i)
	}
	require.NoError(t, stream.Unsubscribe(predictmeta.ChannelTrades, streamTicker, "SOL-R6-M1"))
	subscribed(t, box, "market "+streamTicker, "orderbook "+streamTicker)
	b.push(1)
	r.takeUntil(t, stream, b.last())
	// On a busy machine each connection may have ended before the queue was full.
	for until := time.Now().Add(10 * time.Second); r.dropped == 0 && time.Now().Before(until); {
		b.push(500)
		r.takeUntil(t, stream, b.last())
	}
	require.NoError(t, stream.Close())
	log, violations := box.PredictMeta().Feed().Log(), box.Violations()
	box.Close()
	goleak.VerifyNone(t, before)

	v := judgeFeed(t, log, r)
	t.Logf("%d messages: %d delivered, %d missing in %d gaps, %d dropped; %d losses of the connection told, %d times back",
		v.sent, v.delivered, v.inGaps, r.gaps, v.dropped, r.downs, r.ups-1)
	assert.Empty(t, violations)
	assert.Equal(t, r.downs+1, r.ups, "each loss is followed by a return, after the first connection")
	assert.GreaterOrEqual(t, r.downs, *disconnects-r.dropped, "a loss goes untold only if its return was discarded with it")
	assert.GreaterOrEqual(t, r.gaps, *disconnects)
	assert.NotZero(t, v.inGaps, "nothing was lost in a gap: the test shows nothing")
	assert.NotZero(t, v.dropped, "nothing was dropped: the test shows nothing")
}

// disconnect has messages sent, ends the connection amidst them and reads on
// until it is back.
func (b *breaker) disconnect(t *testing.T, s *predictmeta.Stream, r *received, i int) {
	t.Helper()
	change := s.Subscribe
	if i%2 == 1 {
		change = s.Unsubscribe
	}
	require.NoError(t, change(predictmeta.ChannelTrades, "SOL-R6-M1"))
	b.box.Advance(time.Duration(rand.N(4)) * time.Second)
	b.push(rand.N(10))
	if i%20 == 7 {
		b.push(200) // more than the queue takes, while nobody reads
	}
	after := b.end(t, i)
	b.box.Advance(time.Second)
	gaps := r.gaps
	for r.gaps == gaps || !r.up {
		r.take(t, s)
	}
	after()
}
