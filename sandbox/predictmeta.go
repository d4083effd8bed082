package sandbox

import (
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// PredictMetaHandle controls the prediction market service.
type PredictMetaHandle struct {
	core    *kit.Core
	service *predictmeta.Service
}

// PredictMeta returns the handle of the prediction market service.
func (s *Sandbox) PredictMeta() PredictMetaHandle {
	return PredictMetaHandle{s.world().Core, s.world().PredictMeta}
}

// WSURL returns the base URL of the WebSocket, without the path.
func (h PredictMetaHandle) WSURL() string {
	return strings.Replace(h.core.HostURL(PredictMeta, "ws"), "http://", "ws://", 1)
}

// LiveMarket is a prediction market that trades.
type LiveMarket = play.LiveMarket

// LiveMarket returns the market that trades now and closes last. If none trades, a
// new round of markets opens first.
func (h PredictMetaHandle) LiveMarket() LiveMarket {
	h.core.Lock()
	defer h.core.Unlock()
	ticker, event, yes, no, closes := h.service.LiveMarket()
	return LiveMarket{Ticker: ticker, Event: event, Yes: yes, No: no, Closes: time.Unix(closes, 0).UTC()}
}

// Feed returns the handle of the WebSocket.
func (h PredictMetaHandle) Feed() FeedHandle { return FeedHandle(h) }

// FeedHandle disturbs the WebSocket of predictmeta and logs what was written to
// each connection.
type FeedHandle struct {
	core    *kit.Core
	service *predictmeta.Service
}

// FeedMessage is a message that the WebSocket wrote to one connection.
type FeedMessage = play.FeedMessage

// FeedSubscription is a subscription of a WebSocket connection.
type FeedSubscription = play.FeedSubscription

// Subscriptions returns the subscriptions of the connections that are up, by
// connection, each in the order in which it subscribed.
func (f FeedHandle) Subscriptions() []FeedSubscription { return f.service.FeedSubscriptions() }

// Record begins to keep every message that the WebSocket writes, for Log.
func (f FeedHandle) Record() { f.core.RecordFeeds() }

// Log returns every message that the WebSocket wrote since Record, in the order
// in which the writes began: the newest, 100,000 or a few more at most. Whatever a
// client has read is in the log. For a failed connection it has only what the network
// accepted; a silent connection accepts everything, as it does for a real server.
func (f FeedHandle) Log() []FeedMessage { return f.core.FeedLog() }

// Drop cuts every connection without a close frame, as a network failure does.
// It returns their number.
func (f FeedHandle) Drop() int { return f.core.DropFeeds() }

// Close ends every connection cleanly, after the queued messages, with a close
// frame of that code (1001 going away, 1008 policy violation, 1012 service
// restart) and reason. It returns their number.
func (f FeedHandle) Close(code int, reason string) int { return f.core.CloseFeeds(code, reason) }

// Silence makes every present connection half-open: it stays established, but
// nothing gets through in either direction, pings and pongs included. Later
// connections are not affected. It returns their number.
func (f FeedHandle) Silence() int { return f.core.SilenceFeeds() }

// Push writes a text to every connection unchanged, for example to test how a
// client handles an unknown message.
func (f FeedHandle) Push(text string) { f.core.PushFeeds(text) }

// PushFrames writes bytes to every connection past the framing, such as a frame
// with a reserved opcode (0x83 0x00) or a frame that announces more bytes than
// follow (0x81 0x05 'h').
func (f FeedHandle) PushFrames(frames []byte) { f.core.PushFeedFrames(frames) }

// Slow makes every connection, present and later ones, write chunk bytes at a
// time (at least 1) with a pause of real time in between, until restore is
// called.
func (f FeedHandle) Slow(chunk int, pause time.Duration) (restore func()) {
	return f.core.SlowFeeds(chunk, pause)
}

// CutAfter cuts every connection, present and later ones, without a close frame
// as soon as that many messages (at least 1) were written to it, until restore
// is called.
func (f FeedHandle) CutAfter(messages int) (restore func()) { return f.core.CutFeedsAfter(messages) }
