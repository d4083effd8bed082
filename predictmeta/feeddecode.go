package predictmeta

import (
	"cmp"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/dialect"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/predictmeta/internal/feedtext"
)

// The types of the feed's messages.
const (
	typePrice = "price_update"
	typeBook  = "orderbook_update"
	typeTrade = "trade"
)

// feedDecoder turns messages into events. It is used by one goroutine.
//
// plain reads the messages that the service usually sends, without reflection.
// readLenient reads everything else with encoding/json, as leniently as any answer.
// What plain accepts, it reads as encoding/json does.
type feedDecoder struct {
	feed    *dialect.Operation // nil if the feed is as documented
	keepRaw bool
	waive   func(wire.Breach) bool // nil if no breach is let through

	levels []Level // of the current message
	texts  feedtext.Texts
	prices feedtext.Prices
}

// decode returns the event of a message. It does not keep the message's bytes.
func (d *feedDecoder) decode(message []byte) FeedEvent {
	text := message
	if d.feed != nil {
		neutral, err := d.feed.Told(message)
		if err != nil {
			raw := clone(message)
			return &UnknownMessage{Raw: raw, Err: &walletfi.RecordError{Raw: raw, Err: err}}
		}
		text = neutral
	}
	event, ok := d.plain(text)
	if !ok {
		event = readLenient(text, d.waive)
		if e, unknown := event.(*UnknownMessage); unknown {
			e.Raw = clone(message)
			if e.Err != nil {
				e.Err = &walletfi.RecordError{Raw: e.Raw, Err: e.Err}
			}
			return event
		}
	}
	if d.keepRaw {
		event.(update).keep(clone(message))
	}
	return event
}

// feedHead holds the members of all messages.
type feedHead struct {
	Type string `json:"type" wire:"strict"`
}

// readLenient reads any message. An update without a ticker belongs to no market, and one
// without a price says nothing: it is an UnknownMessage.
func readLenient(text []byte, waive func(wire.Breach) bool) FeedEvent {
	var head feedHead
	if err := wire.Unmarshal(text, &head); err != nil {
		return &UnknownMessage{Err: err}
	}
	var event FeedEvent
	switch head.Type {
	case typePrice:
		event = new(PriceUpdate)
	case typeBook:
		event = new(BookUpdate)
	case typeTrade:
		event = new(TradeUpdate)
	default:
		return &UnknownMessage{Type: head.Type}
	}
	err := wire.UnmarshalWaiving(text, event, waive)
	if err = cmp.Or(err, refused(text, event.(update))); err != nil {
		return &UnknownMessage{Type: head.Type, Err: err}
	}
	return event
}

var (
	errSaysNo  = fmt.Errorf("%w: the message says that it is none", walletfi.ErrDecode)
	errNoSide  = fmt.Errorf("%w: the message has neither bids nor asks", walletfi.ErrDecode)
	errCrossed = fmt.Errorf("%w: %w", walletfi.ErrDecode, ErrBookCrossed)
	errFar     = fmt.Errorf("%w: field timestamp: is out of range", walletfi.ErrDecode)
)

// refused is the error of a message that could be read and says nothing of its market: there is
// an error in it, it has no side of the book, or its time is that of no feed.
func refused(text []byte, u update) error {
	book, isBook := u.(*BookUpdate)
	switch {
	case declared.SaysNo(text):
		return errSaysNo
	case isBook && book.Bids == nil && book.Asks == nil:
		return errNoSide
	case isBook && book.isCrossed():
		return errCrossed
	case !feedtext.IsOrdinary(u.at()):
		return errFar
	}
	return nil
}

func clone(message []byte) walletfi.Document { return append(walletfi.Document{}, message...) }

// update is an event of a market.
type update interface {
	FeedEvent
	keep(raw walletfi.Document)
	key() feedKey
	channel() Channel
	skipped() *int
	at() walletfi.Time
}

// feedKey names what KeepLatest keeps the newest event of.
type feedKey struct{ kind, ticker string }

func (u *PriceUpdate) key() feedKey { return feedKey{typePrice, u.Ticker} }
func (u *BookUpdate) key() feedKey  { return feedKey{typeBook, u.Ticker} }
func (u *TradeUpdate) key() feedKey { return feedKey{typeTrade, u.Ticker} }

func (u *PriceUpdate) channel() Channel { return ChannelMarket }
func (u *BookUpdate) channel() Channel  { return ChannelOrderBook }
func (u *TradeUpdate) channel() Channel { return ChannelTrades }

func (u *PriceUpdate) skipped() *int { return &u.Skipped }
func (u *BookUpdate) skipped() *int  { return &u.Skipped }
func (u *TradeUpdate) skipped() *int { return &u.Skipped }

func (u *PriceUpdate) at() walletfi.Time { return u.Timestamp }
func (u *BookUpdate) at() walletfi.Time  { return u.Timestamp }
func (u *TradeUpdate) at() walletfi.Time { return u.Timestamp }

func (u *PriceUpdate) keep(raw walletfi.Document) { u.Raw = raw }
func (u *BookUpdate) keep(raw walletfi.Document)  { u.Raw = raw }
func (u *TradeUpdate) keep(raw walletfi.Document) { u.Raw = raw }
