package kit

import (
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// mostRecorded is about how many messages are kept, the newest.
const mostRecorded = 100_000

// RecordFeeds begins to keep every message that the WebSockets write, for
// FeedLog. Before this call nothing is kept.
func (s *Core) RecordFeeds() {
	s.Lock()
	defer s.Unlock()
	for f := range s.feeds() {
		f.record.on.Store(true)
	}
}

// FeedLog returns what sandbox.FeedHandle.Log says. Each message is recorded under the
// lock that guards its write, so that every message that a client has read is in it.
func (s *Core) FeedLog() []play.FeedMessage {
	var conns []*FeedConn
	s.eachFeedConn(func(conn *FeedConn) { conns = append(conns, conn) })
	for _, conn := range conns { // without the lock: a write may be slow
		conn.settle()
	}
	s.Lock()
	defer s.Unlock()
	var log []play.FeedMessage
	for f := range s.feeds() {
		f.record.mu.Lock()
		log = append(log, f.record.messages...)
		f.record.mu.Unlock()
	}
	slices.SortStableFunc(log, func(a, b play.FeedMessage) int { return a.Time.Compare(b.Time) })
	return log
}
