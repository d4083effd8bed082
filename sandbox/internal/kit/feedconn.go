package kit

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// FeedConn is one connection of a feed.
type FeedConn struct {
	core   *Core
	feed   *Feed
	Number int    // 1 for the feed's first connection
	Client string // as it names itself, if it does
	tenant string // whose it is
	socket *websocket.Conn
	link   *feedLink     // what the socket writes to
	queue  chan feedItem // what is to be written, in order
	closed bool
	stuck  bool // the client read too slowly and was disconnected

	mu      sync.Mutex // held over a write and its entry in the record
	written int64      // messages
}

// feedItem is something to write: a message, or bytes that go past the
// WebSocket's own framing, or a close.
type feedItem struct {
	text   []byte
	frames []byte
	close  []byte // the payload of a close frame
}

const (
	// FeedQueue is how many messages may wait for a client before the writer
	// waits, and feedPatience how long: Advance writes faster than clients
	// read.
	FeedQueue    = 1024
	feedPatience = time.Second
	// feedDeadline bounds one write.
	feedDeadline = 5 * time.Second
)

// Violate records a violation by the connection's client.
func (f *FeedConn) Violate(v play.Violation) {
	v.Tenant = f.tenant
	f.core.Report(v, f.Client)
}

// Push writes a message as JSON. A client that does not read is dropped.
func (f *FeedConn) Push(v any) { f.PushRaw(MustJSON(v)) }

// PushRaw writes a message, in the words of the service's deployment.
func (f *FeedConn) PushRaw(message []byte) {
	if f.feed.dialect != nil {
		message = f.feed.dialect.Tell(message)
	}
	f.enqueue(feedItem{text: message})
}

func (f *FeedConn) enqueue(item feedItem) {
	if f.closed || f.stuck {
		return
	}
	f.core.told++
	select {
	case f.queue <- item:
		return
	default:
	}
	patience := time.NewTimer(feedPatience)
	defer patience.Stop()
	select {
	case f.queue <- item:
	case <-patience.C:
		f.stuck = true
		f.socket.Close()
	}
}

// write sends what is queued, in order, until the connection ends.
func (f *FeedConn) write() {
	for item := range f.queue {
		if f.carry(item) != nil {
			f.socket.Close()
		}
	}
}

func (f *FeedConn) carry(item feedItem) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	switch {
	case item.frames != nil:
		f.link.SetWriteDeadline(now.Add(feedDeadline))
		_, err := f.link.Write(item.frames)
		return err
	case item.close != nil:
		f.link.SetReadDeadline(now.Add(feedPatience)) // for the client's own close
		return f.socket.WriteControl(websocket.CloseMessage, item.close, now.Add(feedDeadline))
	}
	recorded := f.feed.record.on.Load()
	f.socket.SetWriteDeadline(now.Add(feedDeadline))
	if err := f.socket.WriteMessage(websocket.TextMessage, item.text); err != nil {
		return err
	}
	f.written++
	if recorded {
		f.note(now, item.text)
	}
	if n := f.feed.trouble.cutAfter.Load(); n > 0 && f.written >= n {
		f.link.Close()
	}
	return nil
}

// note records a written message.
func (f *FeedConn) note(at time.Time, text []byte) {
	r := &f.feed.record
	r.mu.Lock()
	defer r.mu.Unlock()
	message := play.FeedMessage{Connection: f.Number, Sequence: f.written, Time: at, Text: string(text)}
	r.messages = Newest(append(r.messages, message), mostRecorded)
}

// settle waits until no write is under way, so that the record has whatever a
// client may have read.
func (f *FeedConn) settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
}

// feedLink is the network connection under a feed. It can become silent, like a
// half-open connection, and it can be slow.
type feedLink struct {
	net.Conn
	trouble *feedTrouble
	silent  atomic.Bool
	once    sync.Once
	closed  chan struct{}
}

// feedPace is how slow a connection is: after each chunk of bytes it pauses.
type feedPace struct {
	chunk int
	pause time.Duration
}

// feedHijacker wraps the hijacked connection of a handshake in a feedLink.
type feedHijacker struct {
	http.ResponseWriter
	trouble *feedTrouble
}

// Hijack implements http.Hijacker.
func (h feedHijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	return &feedLink{Conn: conn, trouble: h.trouble, closed: make(chan struct{})}, buffers, nil
}

// Read discards everything that arrives while the link is silent.
func (l *feedLink) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	for err == nil && l.silent.Load() {
		n, err = l.Conn.Read(p)
	}
	if l.silent.Load() {
		n = 0
	}
	return n, err
}

// Write discards everything while the link is silent and reports success.
func (l *feedLink) Write(p []byte) (int, error) {
	select {
	case <-l.closed: // a link that was cut takes nothing, silent or not
		return 0, io.ErrClosedPipe
	default:
	}
	if l.silent.Load() {
		return len(p), nil
	}
	pace := l.trouble.pace.Load()
	if pace == nil {
		return l.Conn.Write(p)
	}
	written := 0
	for written < len(p) {
		if written > 0 && !l.rest(pace.pause) {
			return written, io.ErrClosedPipe
		}
		l.Conn.SetWriteDeadline(time.Now().Add(feedDeadline))
		n, err := l.Conn.Write(p[written:min(written+pace.chunk, len(p))])
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// rest waits for d. It returns false if the link is closed first.
func (l *feedLink) rest(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-l.closed:
		return false
	}
}

// Close cuts the connection.
func (l *feedLink) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Conn.Close()
}
