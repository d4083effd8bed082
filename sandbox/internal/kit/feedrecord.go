package kit

import (
	"slices"
	"time"
)

// FeedMessage is a message that a WebSocket wrote to one connection.
type FeedMessage struct {
	// Connection counts the connections from 1, in the order in which they
	// were made.
	Connection int
	// Sequence counts the connection's messages from 1. What a client got is
	// always the first so many of them.
	Sequence int64
	// Time is when the write began, by real time: the one that clients have.
	Time time.Time
	// Text is the message as it was written.
	Text string
}

// RecordFeeds begins to keep every message that the WebSockets write, for
// FeedLog. Nothing is kept without it.
func (s *Core) RecordFeeds() {
	s.Lock()
	defer s.Unlock()
	for f := range s.feeds() {
		f.record.on.Store(true)
	}
}

// FeedLog returns every message that the WebSockets wrote since RecordFeeds, in
// the order in which the writes began. A message is entered under the lock under which it
// was written, so that whatever a client has read is in the log. Of what a
// failed connection was sent, only what the network took is in it; on a silent
// connection that is everything, as it is for a real server.
func (s *Core) FeedLog() []FeedMessage {
	var conns []*FeedConn
	s.eachFeedConn(func(conn *FeedConn) { conns = append(conns, conn) })
	for _, conn := range conns { // without the lock: a slow write takes its time
		conn.settle()
	}
	s.Lock()
	defer s.Unlock()
	var log []FeedMessage
	for f := range s.feeds() {
		f.record.mu.Lock()
		log = append(log, f.record.messages...)
		f.record.mu.Unlock()
	}
	slices.SortStableFunc(log, func(a, b FeedMessage) int { return a.Time.Compare(b.Time) })
	return log
}
