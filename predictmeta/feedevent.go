package predictmeta

import (
	"time"

	"github.com/walletfi/walletfi-go"
)

// FeedEvent is an event of a [Stream]. It is one of
//
//   - [*PriceUpdate], [*BookUpdate] and [*TradeUpdate]: a message of the service;
//   - [*UnknownMessage]: a message that this package does not understand;
//   - [*Disconnected] and [*Gap]: the connection was lost, and is back;
//   - [*Dropped]: the consumer was too slow;
//   - [*BookRefresh]: an order book that was fetched because of a gap.
//
// Further types may be added: a switch over them needs a default.
type FeedEvent interface{ feedEvent() }

// PriceUpdate has a market's prices, from [ChannelMarket].
type PriceUpdate struct {
	Ticker    string           `json:"ticker" wire:"required"`
	YesPrice  walletfi.Decimal `json:"yes_price"` // 0 to 1
	NoPrice   walletfi.Decimal `json:"no_price"`  // 0 to 1
	Timestamp walletfi.Time    `json:"timestamp"`

	Skipped int               `json:"-"` // earlier updates of this ticker that KeepLatest left out
	Raw     walletfi.Document `json:"-"` // the message, with StreamRequest.KeepRaw or if a part of it could not be read
}

// BookUpdate is a message about a market's order book, from [ChannelOrderBook].
// Whether it shows the whole book or a difference is not documented, nor is the
// order of the levels. A side that the message does not have is nil.
type BookUpdate struct {
	Ticker    string        `json:"ticker" wire:"required"`
	Bids      []Level       `json:"bids"`
	Asks      []Level       `json:"asks"`
	Timestamp walletfi.Time `json:"timestamp"`

	Skipped int               `json:"-"` // earlier updates of this ticker that KeepLatest left out
	Raw     walletfi.Document `json:"-"` // the message, with StreamRequest.KeepRaw or if a part of it could not be read
}

// OrderBook returns the book that this one message shows.
func (u *BookUpdate) OrderBook() *OrderBook {
	return NewOrderBook(u.Ticker, u.Timestamp.Time, u.Bids, u.Asks)
}

// TradeUpdate is a trade, from [ChannelTrades].
type TradeUpdate struct {
	Ticker    string           `json:"ticker" wire:"required"`
	Price     walletfi.Decimal `json:"price"` // 0 to 1
	Quantity  uint64           `json:"quantity"`
	Side      Side             `json:"side"`
	Timestamp walletfi.Time    `json:"timestamp"`

	Skipped int               `json:"-"` // earlier updates of this ticker that KeepLatest left out
	Raw     walletfi.Document `json:"-"` // the message, with StreamRequest.KeepRaw or if a part of it could not be read
}

// UnknownMessage is a message of a type that is not documented, or that could
// not be decoded.
type UnknownMessage struct {
	Type string            // as the message names it; empty if it names no type
	Raw  walletfi.Document // the message, even if it is not JSON
	// Err is a [*walletfi.RecordError] if the message could not be decoded, nil if
	// its type is unknown.
	Err error
}

// Disconnected means that there is no connection. The [Gap] that follows ends
// it. Of several failed attempts in a row only the last is kept.
type Disconnected struct {
	At      time.Time     // by the local clock
	Err     error         // why; errors.Is finds the sentinels of package walletfi
	RetryIn time.Duration // until the next attempt
}

// Gap is a period, by the local clock, in which the service may have sent
// messages that never arrived. It comes before the first message of the new
// connection. From is cautious: everything that was sent before it was delivered.
type Gap struct {
	From, To time.Time
	Reason   string // why the connection was lost
}

// Dropped says how many messages were discarded, oldest first, because the
// consumer was too slow. It comes in their place.
type Dropped struct {
	Count int // includes those that KeepLatest had left out
}

// BookRefresh is an order book that was fetched after a [Gap]; see RefreshBooks
// in [StreamRequest]. Updates that arrived in the meantime may be older or newer:
// only the timestamps tell.
type BookRefresh struct {
	Ticker string
	Book   *BookSnapshot // nil if it could not be fetched
	Err    error         // why it could not be fetched
}

func (*PriceUpdate) feedEvent()    {}
func (*BookUpdate) feedEvent()     {}
func (*TradeUpdate) feedEvent()    {}
func (*UnknownMessage) feedEvent() {}
func (*Disconnected) feedEvent()   {}
func (*Gap) feedEvent()            {}
func (*Dropped) feedEvent()        {}
func (*BookRefresh) feedEvent()    {}
