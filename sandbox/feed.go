package sandbox

import (
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/predictmeta"
)

// FeedHandle makes trouble for the WebSocket of predictmeta, and tells what it
// wrote and to whom.
type FeedHandle struct {
	core    *kit.Core
	service *predictmeta.Service
}

// FeedMessage is a message that the WebSocket wrote to one connection.
type FeedMessage struct {
	// Connection counts the connections from 1, in the order in which they
	// were made.
	Connection int
	// Sequence counts the connection's messages from 1. A client has always
	// received the first so many of them.
	Sequence int64
	// Time is when the write began, by real time: the clock that clients have.
	Time time.Time
	// Text is the message as it was written.
	Text string
}

// FeedSubscription is a subscription of a WebSocket connection.
type FeedSubscription struct {
	Connection int    // as in FeedMessage
	Channel    string // "market", "orderbook" or "trades"
	Ticker     string
}

// Subscriptions returns the subscriptions of the connections that are up, by
// connection, each in the order in which it subscribed.
func (f FeedHandle) Subscriptions() []FeedSubscription {
	var all []FeedSubscription
	for _, s := range f.service.FeedSubscriptions() {
		all = append(all, FeedSubscription(s))
	}
	return all
}

// Record begins to keep every message that the WebSocket writes, for Log.
func (f FeedHandle) Record() { f.core.RecordFeeds() }

// Log returns every message that the WebSocket wrote since Record, in the order
// in which the writes began. Whatever a client has read is in the log. For a
// connection that failed it has only what the network took; on a silent
// connection that is everything, as it is for a real server.
func (f FeedHandle) Log() []FeedMessage {
	var all []FeedMessage
	for _, m := range f.core.FeedLog() {
		all = append(all, FeedMessage(m))
	}
	return all
}

// Drop cuts every connection without a close frame, as a network does. It
// returns how many there were.
func (f FeedHandle) Drop() int { return f.core.DropFeeds() }

// Close ends every connection in good order, after the messages that are still
// to be written: with a close frame of that code (1001 going away, 1008 policy
// violation, 1012 service restart) and reason. It returns how many there were.
func (f FeedHandle) Close(code int, reason string) int { return f.core.CloseFeeds(code, reason) }

// Silence makes every present connection half-open: it stays established, but
// nothing gets through in either direction, pings and pongs included.
// Connections made later are sound. It returns how many there were.
func (f FeedHandle) Silence() int { return f.core.SilenceFeeds() }

// Push writes a text to every connection as it is, such as one that no client
// should choke on.
func (f FeedHandle) Push(text string) { f.core.PushFeeds(text) }

// PushFrames writes bytes to every connection past the framing, such as a frame
// with a reserved opcode (0x83 0x00) or one that promises more than follows
// (0x81 0x05 'h').
func (f FeedHandle) PushFrames(frames []byte) { f.core.PushFeedFrames(frames) }

// Slow makes every connection, present and later ones, write chunk bytes at a
// time (at least 1) with a pause of real time in between, until the result is
// called.
func (f FeedHandle) Slow(chunk int, pause time.Duration) (restore func()) {
	return f.core.SlowFeeds(chunk, pause)
}

// CutAfter cuts every connection, present and later ones, without a close frame
// as soon as it has been written that many messages (at least 1), until the
// result is called.
func (f FeedHandle) CutAfter(messages int) (restore func()) { return f.core.CutFeedsAfter(messages) }
