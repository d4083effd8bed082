package kit

import (
	"iter"
	"slices"
	"time"

	"github.com/gorilla/websocket"

	"github.com/walletfi/walletfi-go/sandbox/play"
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

// eachFeed calls do with every WebSocket.
func (s *Core) eachFeed(do func(*Feed)) {
	s.Lock()
	defer s.Unlock()
	for f := range s.feeds() {
		do(f)
	}
}

// eachFeedConn calls do with every WebSocket connection and returns their
// number.
func (s *Core) eachFeedConn(do func(*FeedConn)) (n int) {
	s.eachFeed(func(f *Feed) { n += f.each(do) })
	return n
}

// DropFeeds does what sandbox.FeedHandle.Drop says.
func (s *Core) DropFeeds() int { return s.eachFeedConn(func(conn *FeedConn) { conn.link.Close() }) }

// CloseFeeds does what sandbox.FeedHandle.Close says.
func (s *Core) CloseFeeds(code int, reason string) int {
	payload := websocket.FormatCloseMessage(code, reason)
	return s.eachFeedConn(func(conn *FeedConn) { conn.enqueue(feedItem{close: payload}) })
}

// SilenceFeeds does what sandbox.FeedHandle.Silence says.
func (s *Core) SilenceFeeds() int {
	return s.eachFeedConn(func(conn *FeedConn) { conn.link.silent.Store(true) })
}

// PushFeeds does what sandbox.FeedHandle.Push says.
func (s *Core) PushFeeds(text string) {
	s.eachFeedConn(func(conn *FeedConn) { conn.enqueue(feedItem{text: []byte(text)}) })
}

// PushFeedFrames does what sandbox.FeedHandle.PushFrames says.
func (s *Core) PushFeedFrames(frames []byte) {
	s.eachFeedConn(func(conn *FeedConn) { conn.enqueue(feedItem{frames: append([]byte{}, frames...)}) })
}

// SlowFeeds does what sandbox.FeedHandle.Slow says.
func (s *Core) SlowFeeds(chunk int, pause time.Duration) (restore func()) {
	pace := &feedPace{chunk: max(chunk, 1), pause: pause}
	return s.troubleFeeds(
		func(t *feedTrouble) { t.pace.Store(pace) },
		func(t *feedTrouble) { t.pace.CompareAndSwap(pace, nil) },
	)
}

// CutFeedsAfter does what sandbox.FeedHandle.CutAfter says.
func (s *Core) CutFeedsAfter(messages int) (restore func()) {
	return s.troubleFeeds(
		func(t *feedTrouble) { t.cutAfter.Store(int64(max(messages, 1))) },
		func(t *feedTrouble) { t.cutAfter.Store(0) },
	)
}

// troubleFeeds applies begin to every feed. restore applies end.
func (s *Core) troubleFeeds(begin, end func(*feedTrouble)) (restore func()) {
	s.eachFeed(func(f *Feed) { begin(&f.trouble) })
	return func() { s.eachFeed(func(f *Feed) { end(&f.trouble) }) }
}

// mostRecorded is about how many messages are kept, the newest.
const mostRecorded = 100_000

// RecordFeeds does what sandbox.FeedHandle.Record says.
func (s *Core) RecordFeeds() { s.eachFeed(func(f *Feed) { f.record.on.Store(true) }) }

// FeedLog returns what sandbox.FeedHandle.Log says. Each message is recorded under the
// lock that guards its write, so that every message that a client has read is in it.
func (s *Core) FeedLog() (log []play.FeedMessage) {
	var conns []*FeedConn
	s.eachFeedConn(func(conn *FeedConn) { conns = append(conns, conn) })
	for _, conn := range conns { // without the lock: a write may be slow
		conn.settle()
	}
	s.eachFeed(func(f *Feed) {
		f.record.mu.Lock()
		defer f.record.mu.Unlock()
		log = append(log, f.record.messages...)
	})
	slices.SortStableFunc(log, func(a, b play.FeedMessage) int { return a.Time.Compare(b.Time) })
	return log
}
