package predictmeta

import (
	"encoding/json"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
)

// FeedEvent is an event of a [Stream]. It is one of
//
//   - [*PriceUpdate], [*BookUpdate] and [*TradeUpdate]: a message of the service;
//   - [*UnknownMessage]: a message that this package does not understand;
//   - [*Connected], [*Disconnected] and [*RetryFailed]: the state of the connection;
//   - [*Gap]: what may have been missed;
//   - [*Dropped]: the consumer was too slow;
//   - [*BookRefresh]: an order book that was fetched.
//
// Further types may be added: a switch over them needs a default.
type FeedEvent interface{ feedEvent() }

// PriceUpdate has a market's prices, from [ChannelMarket].
type PriceUpdate struct {
	Ticker    string           `json:"ticker" wire:"required"`
	YesPrice  walletfi.Decimal `json:"yes_price" wire:"once,said,min=0,max=1"` // 0 to 1
	NoPrice   walletfi.Decimal `json:"no_price" wire:"once,said,min=0,max=1"`  // 0 to 1
	Timestamp walletfi.Time    `json:"timestamp" wire:"said"`

	Skipped int               `json:"-"` // earlier updates of this ticker that KeepLatest left out
	Raw     walletfi.Document `json:"-"` // the message, with StreamRequest.KeepRaw or if a part of it could not be read
}

// BookUpdate is a message about a market's order book, from [ChannelOrderBook].
// Whether it shows the whole book or a difference is not documented, nor is the
// order of the levels. A side that the message does not have is nil.
type BookUpdate struct {
	Ticker    string        `json:"ticker" wire:"required"`
	Bids      []Level       `json:"bids" wire:"once"`
	Asks      []Level       `json:"asks" wire:"once"`
	Timestamp walletfi.Time `json:"timestamp" wire:"said"`

	Skipped int               `json:"-"` // earlier updates of this ticker that KeepLatest left out
	Raw     walletfi.Document `json:"-"` // the message, with StreamRequest.KeepRaw or if a part of it could not be read
}

// isCrossed reports a best bid above the best ask: neither a book nor a difference has both.
func (u *BookUpdate) isCrossed() bool { return isCrossed(best(u.Bids, 1), best(u.Asks, -1)) }

// OrderBook returns the book that this one message shows.
func (u *BookUpdate) OrderBook() *OrderBook {
	return NewOrderBook(u.Ticker, u.Timestamp.Time, u.Bids, u.Asks)
}

// TradeUpdate is a trade, from [ChannelTrades].
type TradeUpdate struct {
	Ticker    string           `json:"ticker" wire:"required"`
	Price     walletfi.Decimal `json:"price" wire:"once,said,min=0,max=1"` // 0 to 1
	Quantity  uint64           `json:"quantity" wire:"present"`
	Side      Side             `json:"side" wire:"once,said"`
	Timestamp walletfi.Time    `json:"timestamp" wire:"said"`

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

// Connected means that the feed can be used, for the first time or again: all
// subscriptions were sent, and the service answered a ping that was sent after
// them. The service acknowledges no subscription, so no more can be known. If the
// service sends a message first, Connected comes at once, before that message;
// the last subscriptions may be under way then, and a second [Gap] ends with them.
//
// Connected and [Disconnected] alternate. Everything that a connection delivers comes
// after its Connected, and what was missed before it, as a [Gap], comes before it.
type Connected struct {
	At time.Time // by the local clock
}

// Disconnected means that there is no connection: it was lost, or the first attempt
// to make one failed. The next [Connected] ends it. If the service refuses for
// good, the stream ends instead.
type Disconnected struct {
	At      time.Time     // by the local clock
	Err     error         // why; errors.Is finds the sentinels of package walletfi
	RetryIn time.Duration // until the next attempt
}

// RetryFailed means that a further attempt to connect failed after [Disconnected],
// or that the connection was lost before it could be used. Of several in a row only
// the last is kept.
type RetryFailed struct {
	At      time.Time     // by the local clock
	Err     error         // why; errors.Is finds the sentinels of package walletfi
	RetryIn time.Duration // until the next attempt
}

// Gap is a period, by the local clock, in which the service may have sent
// messages that never arrived. It comes before [Connected] of the new connection,
// and if that delivered a message before it had all subscriptions, once more when it
// has them. From is cautious: everything that was sent before it was delivered.
type Gap struct {
	From, To time.Time
	Reason   string // why the connection was lost
}

// Dropped says how many messages of a channel were discarded, oldest first, because
// the consumer was too slow. It comes in their place.
type Dropped struct {
	// Channel is that of the messages. It is empty for messages that this package
	// does not understand. A BookRefresh counts for ChannelOrderBook.
	Channel Channel
	Count   int // includes those that KeepLatest had left out

	newest walletfi.Time // of the book updates that were discarded so far
}

// BookRefresh is an order book that was fetched because of BookOnSubscribe or
// RefreshBooks in [StreamRequest], by [Client.GetOrderBook]. The request was sent
// after the service had taken the subscription, so that no later change is missing
// from the feed. The answer has no place among the feed's messages:
//
//   - A [BookUpdate] that comes after it may be older than the book. Discard it
//     if its Timestamp is before the book's.
//   - A [BookUpdate] that came before it may be newer. Discard the book if its
//     Timestamp is before that of the last update.
//
// If the timestamps are equal, either can be taken. A failed request does not end
// the stream and is not repeated beyond RetryPolicy in [walletfi.Options]: call
// [Client.GetOrderBook] for another attempt.
type BookRefresh struct {
	Ticker string
	Book   *BookSnapshot // nil if it could not be fetched
	Err    error         // why it could not be fetched

	number uint64 // of the fetch, in the order in which they began
}

func (*PriceUpdate) feedEvent()    {}
func (*BookUpdate) feedEvent()     {}
func (*TradeUpdate) feedEvent()    {}
func (*UnknownMessage) feedEvent() {}
func (*Connected) feedEvent()      {}
func (*Disconnected) feedEvent()   {}
func (*RetryFailed) feedEvent()    {}
func (*Gap) feedEvent()            {}
func (*Dropped) feedEvent()        {}
func (*BookRefresh) feedEvent()    {}

// errNotStored is the answer of events with an error to encoding/json, which would write
// the error as {}.
var errNotStored = errors.New(
	"predictmeta: an event with an error is not stored: keep Err.Error() and the fields that you need",
)

// MarshalJSON refuses, since Err would be lost.
func (Disconnected) MarshalJSON() ([]byte, error) { return nil, errNotStored }

// MarshalJSON refuses, since Err would be lost.
func (RetryFailed) MarshalJSON() ([]byte, error) { return nil, errNotStored }

// MarshalJSON refuses, since Err would be lost. Book survives JSON by itself.
func (BookRefresh) MarshalJSON() ([]byte, error) { return nil, errNotStored }

// storedUnknown is an UnknownMessage in JSON. Its message may be no JSON, so that
// Raw is text, or base64 if it is no text either.
type storedUnknown struct {
	Type     string  `json:"type,omitempty"`
	Raw      *string `json:"raw,omitempty"`
	RawBytes []byte  `json:"rawBytes,omitempty"`
	Err      *string `json:"error,omitempty"`
}

// MarshalJSON writes the message, whatever its bytes are, and the text of the error.
func (m UnknownMessage) MarshalJSON() ([]byte, error) {
	s := storedUnknown{Type: m.Type}
	if text := string(m.Raw); utf8.ValidString(text) {
		if m.Raw != nil {
			s.Raw = &text
		}
	} else {
		s.RawBytes = m.Raw
	}
	if m.Err != nil {
		why := m.Err.Error()
		if record, ok := errors.AsType[*walletfi.RecordError](m.Err); ok && record.Err != nil {
			why = record.Err.Error()
		}
		s.Err = &why
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads what MarshalJSON wrote. Err is a [*walletfi.RecordError] again.
func (m *UnknownMessage) UnmarshalJSON(b []byte) error {
	var s storedUnknown
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*m = UnknownMessage{Type: s.Type, Raw: s.RawBytes}
	if s.Raw != nil {
		m.Raw = walletfi.Document(*s.Raw)
	}
	if s.Err != nil {
		m.Err = &walletfi.RecordError{Raw: m.Raw, Err: errors.New(*s.Err)}
	}
	return nil
}
