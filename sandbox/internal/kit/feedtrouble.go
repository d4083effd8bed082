package kit

import (
	"iter"
	"time"

	"github.com/gorilla/websocket"
)

// feeds yields the WebSocket of each service that has one.
func (s *Core) feeds() iter.Seq[*Feed] {
	return func(yield func(*Feed) bool) {
		for _, v := range s.services {
			if v.Feed != nil && !yield(v.Feed) {
				return
			}
		}
	}
}

// eachFeedConn calls do with every WebSocket connection and returns their
// number.
func (s *Core) eachFeedConn(do func(*FeedConn)) int {
	s.Lock()
	defer s.Unlock()
	n := 0
	for f := range s.feeds() {
		for _, conn := range f.Conns {
			do(conn)
			n++
		}
	}
	return n
}

// DropFeeds cuts every WebSocket connection without a close frame, as a network
// failure does. It returns their number.
func (s *Core) DropFeeds() int {
	return s.eachFeedConn(func(conn *FeedConn) { conn.link.Close() })
}

// CloseFeeds ends every WebSocket connection cleanly, after the queued
// messages, with a close frame of that code (1001 going away, 1008 policy
// violation, 1012 service restart) and reason. It returns their number.
func (s *Core) CloseFeeds(code int, reason string) int {
	payload := websocket.FormatCloseMessage(code, reason)
	return s.eachFeedConn(func(conn *FeedConn) { conn.enqueue(feedItem{close: payload}) })
}

// SilenceFeeds makes every present WebSocket connection half-open: it stays
// established, but nothing gets through in either direction, pings and pongs
// included. Later connections are not affected. It returns their number.
func (s *Core) SilenceFeeds() int {
	return s.eachFeedConn(func(conn *FeedConn) { conn.link.silent.Store(true) })
}

// PushFeeds writes a text to every WebSocket connection unchanged, for example
// to test how a client handles an unknown message.
func (s *Core) PushFeeds(text string) {
	s.eachFeedConn(func(conn *FeedConn) { conn.enqueue(feedItem{text: []byte(text)}) })
}

// PushFeedFrames writes bytes to every WebSocket connection past the framing,
// such as a frame with a reserved opcode (0x83 0x00) or a frame that announces
// more bytes than follow (0x81 0x05 'h').
func (s *Core) PushFeedFrames(frames []byte) {
	s.eachFeedConn(func(conn *FeedConn) { conn.enqueue(feedItem{frames: append([]byte{}, frames...)}) })
}

// SlowFeeds makes every WebSocket connection, present and later ones, write
// chunk bytes at a time (at least 1) with a pause of real time in between,
// until restore is called.
func (s *Core) SlowFeeds(chunk int, pause time.Duration) (restore func()) {
	pace := &feedPace{chunk: max(chunk, 1), pause: pause}
	return s.troubleFeeds(
		func(t *feedTrouble) { t.pace.Store(pace) },
		func(t *feedTrouble) { t.pace.CompareAndSwap(pace, nil) },
	)
}

// CutFeedsAfter cuts every WebSocket connection, present and later ones,
// without a close frame as soon as that many messages (at least 1) were written
// to it, until restore is called.
func (s *Core) CutFeedsAfter(messages int) (restore func()) {
	return s.troubleFeeds(
		func(t *feedTrouble) { t.cutAfter.Store(int64(max(messages, 1))) },
		func(t *feedTrouble) { t.cutAfter.Store(0) },
	)
}

// troubleFeeds applies begin to every feed. restore applies end.
func (s *Core) troubleFeeds(begin, end func(*feedTrouble)) (restore func()) {
	all := func(do func(*feedTrouble)) {
		s.Lock()
		defer s.Unlock()
		for f := range s.feeds() {
			do(&f.trouble)
		}
	}
	all(begin)
	return func() { all(end) }
}
