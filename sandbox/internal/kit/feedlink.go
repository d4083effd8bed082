package kit

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

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
