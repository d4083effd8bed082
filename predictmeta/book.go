package predictmeta

import (
	"errors"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// BookUpdates says what a [BookUpdate] of the feed means. The documentation does not:
// ask the vendor, or compare a few updates with [Client.GetOrderBook].
type BookUpdates string

// The meanings.
const (
	// UpdatesReplace: an update is the whole book.
	UpdatesReplace BookUpdates = "replace"
	// UpdatesChange: an update has the levels that changed, each with its new
	// quantity, 0 if it is gone. The others stay.
	UpdatesChange BookUpdates = "change"
)

// Book is a market's order book at one moment, as [Books] keeps it.
type Book struct {
	*OrderBook // as far as it is known; never nil

	// Stale says why the book must not be traded on: there is no connection, no
	// snapshot yet, an update was lost, unreadable or out of order, or it is
	// [ErrBookCrossed]. Nil means that the book is up to date as far as the feed has
	// said: a connection that falls silent is believed for two ping intervals.
	Stale error
	// Skipped is how many changes of this book came between the one before it in
	// Changes and this one.
	Skipped int
}

var (
	// ErrBookCrossed says that the best bid of a book is not below its best ask. No
	// market is like that: an update is missing, or is not what Updates in
	// [BooksRequest] says.
	ErrBookCrossed = errors.New("predictmeta: the order book is crossed")

	errNotConnected = errors.New("predictmeta: the feed is not connected yet")
	errNoSnapshot   = errors.New("predictmeta: the order book was not fetched yet")
	errMissed       = errors.New("predictmeta: an update of the order book may be missing")
	errOrder        = errors.New("predictmeta: an update of the order book came out of order")
	errBehind       = errors.New("predictmeta: the feed contradicts the order book that was fetched, which is newer")
	errUnreadable   = errors.New("predictmeta: an update of the order book could not be read")
	errExhausted    = errors.New("predictmeta: all levels that were fetched of the order book are gone")
)

// BooksRequest says which books to keep, and how.
type BooksRequest struct {
	Tickers []string    // of the markets; at least one
	Updates BookUpdates // required
	// Depth is how many levels of a side are fetched, at least 1; nil means DefaultOrderBookDepth.
	// Under UpdatesChange no more are known: worse prices are left out, and the book is
	// fetched again when half the levels of a side are gone.
	Depth *int
	// Stream says how the connection is kept. What it says of subscriptions, slow
	// consumers, books and Raw must be empty: Books decides that.
	Stream StreamRequest
}

func (r BooksRequest) problem() error {
	s := r.Stream
	own := len(s.Subscriptions) == 0 && s.Slow == "" && len(s.SlowChannels) == 0 &&
		!s.BookOnSubscribe && !s.RefreshBooks && s.RefreshDepth == nil && !s.KeepRaw
	return check.All(
		check.That(len(r.Tickers) > 0, "tickers", "is required"),
		check.OneOf("updates", r.Updates, UpdatesReplace, UpdatesChange),
		check.That(r.Depth == nil || *r.Depth > 0, "depth", "must be at least 1"),
		check.That(own, "stream", "must say nothing of subscriptions, slow consumers, books and Raw"),
	)
}

// stream is the request of the stream below.
func (r BooksRequest) stream() StreamRequest {
	s := r.Stream
	for _, ticker := range r.Tickers {
		s.Subscriptions = append(s.Subscriptions, Subscription{ChannelOrderBook, ticker})
	}
	if r.Updates == UpdatesReplace {
		s.Slow = KeepLatest
	}
	s.BookOnSubscribe, s.RefreshDepth = true, r.Depth
	return s
}

// isReadable reports whether all that an update should say is in it.
func (r BookUpdates) isReadable(u *BookUpdate) bool {
	if u.Bids == nil && u.Asks == nil || r == UpdatesReplace && (u.Bids == nil || u.Asks == nil) {
		return false
	}
	return arePrices(u.Bids) && arePrices(u.Asks)
}

var one = walletfi.MustDecimal("1")

// arePrices reports whether levels have a price each that no other has.
func arePrices(levels []Level) bool {
	for _, level := range levels {
		if p := level.Price; p.String() == "" || !p.Valid() || p.Sign() < 0 || p.Cmp(one) > 0 {
			return false
		}
	}
	sorted := slices.SortedFunc(slices.Values(levels), byPrice)
	return len(slices.CompactFunc(sorted, func(a, b Level) bool { return byPrice(a, b) == 0 })) == len(levels)
}

func byPrice(a, b Level) int { return a.Price.Cmp(b.Price) }

// isBefore reports whether a time by the service's clock is known to be before another.
func isBefore(a, b walletfi.Time) bool { return !a.IsZero() && !b.IsZero() && a.Before(b.Time) }

// isOlder is isBefore for a time of the feed and one of a book that was fetched, of which
// one may have whole seconds only: they are compared in the coarser unit.
func isOlder(a, b walletfi.Time) bool {
	unit := max(unitOf(a), unitOf(b))
	return isBefore(walletfi.Time{Time: a.Truncate(unit)}, walletfi.Time{Time: b.Truncate(unit)})
}

func unitOf(t walletfi.Time) time.Duration {
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
		if t.Nanosecond()%int(unit) == 0 {
			return unit
		}
	}
	return time.Nanosecond
}

// retryBookLeast and retryBookMost bound the wait before a book is fetched again that
// could not be fetched, is crossed, or contradicts the feed.
const retryBookLeast, retryBookMost = time.Second, time.Minute
