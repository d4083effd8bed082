package play

import "time"

// FeedMessage is a message that the WebSocket wrote to one connection.
type FeedMessage struct {
	// Connection counts the connections from 1, in the order in which they
	// were made.
	Connection int
	// Sequence counts the connection's messages from 1. A client has always
	// received a prefix of them.
	Sequence int64
	// Time is when the write began, by the real clock, which clients share.
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

// LiveMarket is a prediction market that trades.
type LiveMarket struct {
	Ticker string    `json:"ticker"`
	Event  string    `json:"event"`   // ticker of its event
	Yes    string    `json:"yesMint"` // base58
	No     string    `json:"noMint"`  // base58
	Closes time.Time `json:"closes"`  // by the sandbox's clock
}
