package predictmeta

import (
	"time"

	"github.com/walletfi/walletfi-go"
)

// FeedEvent is what a Stream brings. It is one of
//
//   - *PriceUpdate, *BookUpdate and *TradeUpdate: what the service sent;
//   - *UnknownMessage: what it sent and we do not understand;
//   - *Disconnected and *Gap: the connection was lost, and is back;
//   - *Dropped: the consumer was too slow;
//   - *BookRefresh: an order book that was fetched because of a gap.
//
// Further types may be added: a switch over them needs a default.
type FeedEvent interface{ feedEvent() }

// PriceUpdate is a market's prices, from ChannelMarket.
type PriceUpdate struct {
	Ticker    string           `json:"ticker" wire:"required"`
	YesPrice  walletfi.Decimal `json:"yes_price"` // 0 to 1
	NoPrice   walletfi.Decimal `json:"no_price"`  // 0 to 1
	Timestamp walletfi.Time    `json:"timestamp"`

	Skipped int               `json:"-"` // older ones of this ticker that KeepLatest left out
	Raw     walletfi.Document `json:"-"` // the message, with StreamRequest.KeepRaw
}

// BookUpdate is a message on a market's order book, from ChannelOrderBook.
// Whether it shows the whole book or what changed is not documented, nor is the
// order of the levels. A side is nil where the message has none.
type BookUpdate struct {
	Ticker    string        `json:"ticker" wire:"required"`
	Bids      []Level       `json:"bids"`
	Asks      []Level       `json:"asks"`
	Timestamp walletfi.Time `json:"timestamp"`

	Skipped int               `json:"-"` // older ones of this ticker that KeepLatest left out
	Raw     walletfi.Document `json:"-"` // the message, with StreamRequest.KeepRaw
}

// OrderBook returns what this one message shows as a book in memory.
func (u *BookUpdate) OrderBook() *OrderBook {
	return NewOrderBook(u.Ticker, u.Timestamp.Time, u.Bids, u.Asks)
}

// TradeUpdate is a trade, from ChannelTrades.
type TradeUpdate struct {
	Ticker    string           `json:"ticker" wire:"required"`
	Price     walletfi.Decimal `json:"price"` // 0 to 1
	Quantity  uint64           `json:"quantity"`
	Side      Side             `json:"side"`
	Timestamp walletfi.Time    `json:"timestamp"`

	Skipped int               `json:"-"` // older ones of this ticker that KeepLatest left out
	Raw     walletfi.Document `json:"-"` // the message, with StreamRequest.KeepRaw
}

// UnknownMessage is a message of a type that is not documented, or one that
// could not be read.
type UnknownMessage struct {
	Type string            // as the message names it, empty where it names none
	Raw  walletfi.Document // as it came, also where it is not JSON
	Err  error             // why a message of a known type, or no JSON, could not be read
}

// Disconnected says that there is no connection. It comes before the Gap that
// ends it; of several failed attempts in a row, the last one's stays.
type Disconnected struct {
	At      time.Time     // by the local clock
	Err     error         // why; answers to the sentinels of package walletfi
	RetryIn time.Duration // until the next attempt
}

// Gap is a stretch of time, by the local clock, in which the service may have
// sent what never arrived. It stands before the first message of the new
// connection, and From is cautious: what was sent before it was delivered.
type Gap struct {
	From, To time.Time
	Reason   string // why the connection was lost
}

// Dropped says how many messages were thrown away, oldest first, because the
// consumer had not taken them. It stands in their place.
type Dropped struct {
	Count int // those that KeepLatest had left out before are counted too
}

// BookRefresh is an order book that was fetched after a Gap, for each ticker
// of ChannelOrderBook; see StreamRequest.RefreshBooks. Updates that arrived in
// the meantime may be older or newer: only the timestamps tell.
type BookRefresh struct {
	Ticker string
	Book   *BookSnapshot // nil where it could not be had
	Err    error         // why not
}

func (*PriceUpdate) feedEvent()    {}
func (*BookUpdate) feedEvent()     {}
func (*TradeUpdate) feedEvent()    {}
func (*UnknownMessage) feedEvent() {}
func (*Disconnected) feedEvent()   {}
func (*Gap) feedEvent()            {}
func (*Dropped) feedEvent()        {}
func (*BookRefresh) feedEvent()    {}
