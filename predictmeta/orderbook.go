package predictmeta

import (
	"math"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
)

// OrderBook is an order book in memory: the levels of one snapshot or one update
// of the feed, sorted, best level first. It never changes. Two books cannot be
// merged: the feed does not say whether an update is a difference.
//
// It leaves out levels of quantity 0 and levels without a price, since nothing can
// be traded on them.
type OrderBook struct {
	ticker string
	at     time.Time
	bids   []Level
	asks   []Level
}

// NewOrderBook makes a book from a copy of the levels, which may have any order.
func NewOrderBook(ticker string, at time.Time, bids, asks []Level) *OrderBook {
	return &OrderBook{ticker, at, sorted(bids, -1), sorted(asks, +1)}
}

// Ticker returns the market's ticker.
func (b *OrderBook) Ticker() string { return b.ticker }

// Timestamp returns the time of the book by the service's clock, zero if the
// service did not say.
func (b *OrderBook) Timestamp() time.Time { return b.at }

// Bids returns a copy of the bids, highest price first.
func (b *OrderBook) Bids() []Level { return slices.Clone(b.bids) }

// Asks returns a copy of the asks, lowest price first.
func (b *OrderBook) Asks() []Level { return slices.Clone(b.asks) }

// BestBid returns the highest bid, and false if there is no bid.
func (b *OrderBook) BestBid() (Level, bool) { return first(b.bids) }

// BestAsk returns the lowest ask, and false if there is no ask.
func (b *OrderBook) BestAsk() (Level, bool) { return first(b.asks) }

func first(levels []Level) (Level, bool) {
	if len(levels) == 0 {
		return Level{}, false
	}
	return levels[0], true
}

// Spread returns the best ask minus the best bid, exactly, and false if a side is
// empty. It is negative if the book is crossed.
func (b *OrderBook) Spread() (walletfi.Decimal, bool) {
	bid, hasBid := b.BestBid()
	ask, hasAsk := b.BestAsk()
	return ask.Price.Sub(bid.Price), hasBid && hasAsk
}

var half = walletfi.MustDecimal("0.5")

// Mid returns the middle between the best bid and the best ask, exactly, and
// false if a side is empty.
func (b *OrderBook) Mid() (walletfi.Decimal, bool) {
	bid, hasBid := b.BestBid()
	ask, hasAsk := b.BestAsk()
	return ask.Price.Add(bid.Price).Mul(half), hasBid && hasAsk
}

// BidDepth returns how much can be sold at the price limit or better. The zero
// limit means any price.
func (b *OrderBook) BidDepth(limit walletfi.Decimal) uint64 { return depth(b.bids, limit, -1) }

// AskDepth returns how much can be bought at the price limit or better. The zero
// limit means any price.
func (b *OrderBook) AskDepth(limit walletfi.Decimal) uint64 { return depth(b.asks, limit, +1) }

// depth adds up quantities, to the largest uint64 at most.
func depth(levels []Level, limit walletfi.Decimal, direction int) uint64 {
	var sum uint64
	for _, level := range levels {
		if !limit.IsZero() && level.Price.Cmp(limit)*direction > 0 {
			break
		}
		sum += min(level.Quantity, math.MaxUint64-sum)
	}
	return sum
}

// sorted copies the levels that can be traded on, by rising price if direction is
// +1, by falling price if it is -1.
func sorted(levels []Level, direction int) []Level {
	kept := make([]Level, 0, len(levels))
	for _, level := range levels {
		if level.Quantity > 0 && level.Price.Valid() {
			kept = append(kept, level)
		}
	}
	byPrice := func(a, b Level) int { return a.Price.Cmp(b.Price) * direction }
	if !slices.IsSortedFunc(kept, byPrice) {
		slices.SortStableFunc(kept, byPrice)
	}
	return kept
}
