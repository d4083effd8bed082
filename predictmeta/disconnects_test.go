package predictmeta_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// tape is a feed that numbers its messages, keeps a log of them, and cuts its
// first connections in all the ways in which connections end.
type tape struct {
	feed
	drops  int
	silent func(n int) bool // the n-th connection falls silent, and is not cut

	mu     sync.Mutex
	grown  *sync.Cond
	log    []time.Time // when each message was about to be written
	last   int         // number of the final message, once it was sent
	newest int         // number of the last connection

	once  sync.Once
	wants map[asked]bool
	ended chan struct{} // closed when the final connection heard END
}

func newTape(drops int, silent func(n int) bool) *tape {
	p := &tape{drops: drops, silent: silent, last: -1, ended: make(chan struct{})}
	p.grown = sync.NewCond(&p.mu)
	p.Script = p.play
	p.Refuse = func(w http.ResponseWriter, _ *http.Request, n int) bool {
		p.mu.Lock()
		p.newest = n
		p.mu.Unlock()
		if n <= drops && n%37 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		return false
	}
	return p
}

func (p *tape) play(ws *websocket.Conn, n int) {
	var writing sync.Mutex
	inTurnWithPongs(ws, &writing)
	if n > p.drops {
		p.send(ws, n, &writing)
		p.follow(ws, true)
		return
	}
	silent := p.silent(n)
	var reading sync.WaitGroup
	defer reading.Wait()
	if !silent {
		reading.Go(func() { p.follow(ws, false) })
	}
	for range rand.N(80) {
		p.send(ws, n, &writing)
	}
	p.cut(ws, n, silent)
}

// cut ends a connection.
func (p *tape) cut(ws *websocket.Conn, n int, silent bool) {
	raw := ws.NetConn()
	defer raw.Close()
	switch {
	case silent: // until the client has had enough
		for raw.SetReadDeadline(time.Now().Add(10*time.Second)) == nil {
			if _, err := raw.Read(make([]byte, 4096)); err != nil {
				return
			}
		}
	case n%5 == 0:
		if tcp, ok := raw.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // a reset: what lies in the buffers is lost
		}
	case n%5 == 1:
		goodbye := websocket.FormatCloseMessage(websocket.CloseGoingAway, "")
		_ = ws.WriteControl(websocket.CloseMessage, goodbye, time.Now().Add(time.Second))
	case n%5 == 2:
		_, _ = raw.Write([]byte{0x83, 0x7f, 1, 2, 3}) // no such frame
	case n%5 == 3:
		_, _ = raw.Write([]byte{0x81, 126, 1, 0, '{', '"'}) // a message that ends early
	}
}

// inTurnWithPongs keeps a pong from going out between the entry in the log and
// the message: it would vouch for a message that is not on its way.
func inTurnWithPongs(ws *websocket.Conn, writing *sync.Mutex) {
	pong := ws.PingHandler()
	ws.SetPingHandler(func(data string) error {
		writing.Lock()
		defer writing.Unlock()
		return pong(data)
	})
}

// send logs a message and writes it, of a type that its number tells. To a
// connection whose client has come back on another it sends nothing.
func (p *tape) send(ws *websocket.Conn, n int, writing *sync.Mutex) {
	writing.Lock()
	defer writing.Unlock()
	p.mu.Lock()
	number, current := len(p.log), p.newest == n
	if current {
		p.log = append(p.log, time.Now())
		if n > p.drops {
			p.last = number
		}
		p.grown.Broadcast()
	}
	p.mu.Unlock()
	if !current {
		return
	}
	text := ""
	switch number % 3 {
	case 0:
		text = fmt.Sprintf(`{"type":"price_update","ticker":"A","yes_price":0.%06d,"no_price":0,"timestamp":1767225600}`, number)
	case 1:
		text = fmt.Sprintf(`{"type":"orderbook_update","ticker":"B","bids":[{"price":0.5,"quantity":%d}],"timestamp":1767225600}`, number)
	case 2:
		text = fmt.Sprintf(`{"type":"trade","ticker":"C","price":0.5,"quantity":%d,"side":"buy","timestamp":1767225600}`, number)
	}
	wstest.Say(ws, text)
}

// follow keeps the subscriptions of a connection.
func (p *tape) follow(ws *websocket.Conn, final bool) {
	wants := map[asked]bool{}
	listen(ws, func(a asked) {
		about := asked{Channel: a.Channel, Ticker: a.Ticker}
		if wants[about] == (a.Action == "subscribe") {
			panic(fmt.Sprintf("%+v with %v", a, wants))
		}
		if a.Action == "subscribe" {
			wants[about] = true
		} else {
			delete(wants, about)
		}
		if final && a.Ticker == "END" {
			p.once.Do(func() {
				p.wants = wants
				close(p.ended)
			})
		}
	})
}

// waitFor returns when the log is so long, or complete.
func (p *tape) waitFor(length int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.log) < length && p.last < 0 {
		p.grown.Wait()
	}
}

// final returns the number of the final message, -1 before it was sent.
func (p *tape) final() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// numberOf reads what send put into a message.
func numberOf(t *testing.T, event predictmeta.FeedEvent) int {
	t.Helper()
	switch e := event.(type) {
	case *predictmeta.PriceUpdate:
		n, err := strconv.Atoi(strings.TrimPrefix(e.YesPrice.String(), "0."))
		require.NoError(t, err)
		return n
	case *predictmeta.BookUpdate:
		return int(e.Bids[0].Quantity)
	case *predictmeta.TradeUpdate:
		return int(e.Quantity)
	}
	t.Fatalf("%#v", event)
	return 0
}

// linkJudge holds what is said of the connection to its rules: Connected and
// Disconnected alternate, and whatever a connection delivers comes after Connected.
type linkJudge struct {
	up, said   bool
	ups, downs int
}

func (l *linkJudge) saw(t *testing.T, event predictmeta.FeedEvent) {
	t.Helper()
	switch event.(type) {
	case *predictmeta.Connected:
		require.True(t, !l.said || !l.up, "Connected twice")
		l.up, l.said = true, true
		l.ups++
	case *predictmeta.Disconnected:
		require.True(t, !l.said || l.up, "Disconnected twice")
		if l.said {
			l.downs++ // at the beginning, it says that the first attempt failed
		}
		l.up, l.said = false, true
	case *predictmeta.RetryFailed:
		require.True(t, l.said && !l.up, "RetryFailed while connected")
	case *predictmeta.Gap, *predictmeta.Dropped:
	default:
		require.True(t, l.said && l.up, "%T without a connection", event)
	}
}

// judge holds what was delivered against the log.
type judge struct {
	tape    *tape
	last    int // number of the last message that was delivered
	gaps    []*predictmeta.Gap
	dropped int

	missed, excused, thrownAway, allGaps int
}

// delivered accounts for what is missing before a message: it lies in a gap
// that was announced since the one before, or was counted as dropped.
func (j *judge) delivered(t *testing.T, number int) {
	t.Helper()
	require.Greater(t, number, j.last, "out of order, or twice")
	inGap, elsewhere := 0, 0
	j.tape.mu.Lock()
	for _, at := range j.tape.log[j.last+1 : number] {
		if j.covered(at) {
			inGap++
		} else {
			elsewhere++
		}
	}
	j.tape.mu.Unlock()
	require.LessOrEqual(t, elsewhere, j.dropped, "messages %d to %d", j.last+1, number-1)
	j.missed, j.excused = j.missed+inGap+elsewhere, j.excused+inGap
	j.last, j.gaps, j.dropped = number, nil, 0
}

func (j *judge) covered(at time.Time) bool {
	for _, gap := range j.gaps {
		if !at.Before(gap.From) && !at.After(gap.To) {
			return true
		}
	}
	return false
}

// TestStreamDisconnects: whatever becomes of a thousand connections, and while
// the consumer falls behind and changes its mind, no message is missing that
// lies in no announced gap and was not counted as dropped. The service's own
// log is the judge.
func TestStreamDisconnects(t *testing.T) {
	p := newTape(1000, func(int) bool { return false })
	j := p.judged(t, streamOf(t, &p.feed, tapeRequest))
	assert.NotZero(t, j.thrownAway, "nothing was dropped: the test shows nothing")
}

// TestStreamSilences is TestStreamDisconnects with connections whose other end
// vanished, on virtual time, since it takes a while to find that out.
func TestStreamSilences(t *testing.T) {
	p := newTape(200, func(n int) bool { return n%2 == 0 })
	inBubble(t, &p.feed, func(t *testing.T, cfg predictmeta.Config) {
		p.ended = make(chan struct{}) // of the bubble
		p.judged(t, started(t, cfg, tapeRequest))
	})
}

var tapeRequest = predictmeta.StreamRequest{
	Subscriptions: []predictmeta.Subscription{
		{Channel: predictmeta.ChannelMarket, Ticker: "A"}, {Channel: predictmeta.ChannelOrderBook, Ticker: "B"}, {Channel: predictmeta.ChannelTrades, Ticker: "C"},
	},
	QueueLen: 64, PingInterval: 20 * time.Millisecond, MinBackoff: time.Microsecond, MaxBackoff: time.Microsecond,
}

// judged holds all that s delivers of the tape against its log.
func (p *tape) judged(t *testing.T, s *predictmeta.Stream) *judge {
	t.Helper()
	j := &judge{tape: p, last: -1}
	link := new(linkJudge)
	for events := 0; j.last != p.final() || j.last < 0; events++ {
		event, err := s.Recv(t.Context())
		require.NoError(t, err)
		link.saw(t, event)
		switch e := event.(type) {
		case *predictmeta.Gap:
			j.gaps = append(j.gaps, e)
			j.allGaps++
		case *predictmeta.Dropped:
			j.dropped += e.Count
			j.thrownAway += e.Count
		case *predictmeta.Connected, *predictmeta.Disconnected, *predictmeta.RetryFailed:
		default:
			j.delivered(t, numberOf(t, event))
		}
		if events%2 == 0 {
			require.NoError(t, s.Subscribe(predictmeta.ChannelTrades, "D"))
		} else {
			require.NoError(t, s.Unsubscribe(predictmeta.ChannelTrades, "D"))
		}
		if events%2000 == 1999 {
			p.waitFor(j.last + 500) // the consumer falls behind
		}
	}
	require.NoError(t, s.Unsubscribe(predictmeta.ChannelTrades, "D"))
	require.NoError(t, s.Unsubscribe(predictmeta.ChannelMarket, "A"))
	require.NoError(t, s.Subscribe(predictmeta.ChannelMarket, "END"))
	<-p.ended
	assert.Equal(t, map[asked]bool{
		{Channel: "orderbook", Ticker: "B"}: true, {Channel: "trades", Ticker: "C"}: true, {Channel: "market", Ticker: "END"}: true,
	}, p.wants)
	require.NoError(t, s.Close())
	t.Logf("%d messages, %d missing, %d of them in gaps; %d gaps, %d dropped, %d times without a connection, %d times back",
		len(p.log), j.missed, j.excused, j.allGaps, j.thrownAway, link.downs, link.ups)
	assert.True(t, link.up)
	assert.Equal(t, link.downs+1, link.ups)
	assert.NotZero(t, j.excused, "nothing was lost in a gap: the test shows nothing")
	assert.Greater(t, len(p.Handshakes()), p.drops)
	return j
}
