package observe

import "time"

// FeedConnected says that a WebSocket can be used.
type FeedConnected struct {
	Service string // "predictmeta", or "rpcnode" for a node's notifications
}

// FeedDisconnected says that a connection was lost, or that a further attempt to
// connect failed.
type FeedDisconnected struct {
	Service string
	Err     error
	RetryIn time.Duration
}

// FeedGap is a stretch of time in which messages may have been lost. It comes when
// the new connection can be used.
type FeedGap struct {
	Service  string
	From, To time.Time
}

// FeedDropped says that the consumer was too slow, so that the queue discarded its
// oldest events.
type FeedDropped struct {
	Service string
	Events  int
}

// FeedLag is how far the consumer is from the newest message, at most once a second
// and while it receives.
type FeedLag struct {
	Service string
	Events  int           // in the queue
	Oldest  time.Duration // how long the event that was just received was in the queue
}

func (FeedConnected) event()    {}
func (FeedDisconnected) event() {}
func (FeedGap) event()          {}
func (FeedDropped) event()      {}
func (FeedLag) event()          {}
