package predictmeta

import (
	"cmp"

	"github.com/walletfi/walletfi-go"
)

// maxPending is how many updates of a book are kept while it is being fetched.
const maxPending = 4096

// liveBook merges what the feed says of one market into its book. It is used under the
// lock of Books.
type liveBook struct {
	ticker     string
	updates    BookUpdates
	depth      int
	bids, asks bookSide
	at         walletfi.Time // of what was taken last
	snapshot   walletfi.Time // of the book that was fetched last

	why     error         // why there is no whole book; nil if there is one
	asked   uint64        // only a fetch with a higher number shows what was asked for
	waits   bool          // for that fetch
	pending []*BookUpdate // since it waits
	before  walletfi.Time // of what came before them
	missed  bool          // pending was full
	lost    walletfi.Time // the time of the last update that it lost

	stale    error
	version  int                   // counts the changes
	failures int                   // fetches in a row that did not help
	retry    func() (stopped bool) // nil before the first
}

func newLiveBook(ticker string, r BooksRequest) *liveBook {
	depth := DefaultOrderBookDepth
	if r.Depth != nil {
		depth = *r.Depth
	}
	return &liveBook{
		ticker: ticker, updates: r.Updates, depth: depth,
		bids: bookSide{direction: -1}, asks: bookSide{direction: +1},
		why: errNoSnapshot, waits: true, stale: errNotConnected,
	}
}

// distrust says that the book is not whole until it is fetched again, or replaced.
func (l *liveBook) distrust(why error) {
	l.why, l.waits = why, false
	l.forget()
}

// wait begins to keep the updates that may be newer than the book to come.
func (l *liveBook) wait() {
	if !l.waits {
		l.waits, l.before = true, l.at
	}
}

func (l *liveBook) forget() { l.pending, l.missed, l.lost = nil, false, walletfi.Time{} }

// update takes an update that could be read.
func (l *liveBook) update(u *BookUpdate) (changed bool) {
	if l.updates == UpdatesReplace {
		if l.why == nil && isBefore(u.Timestamp, l.snapshot) {
			return false
		}
		l.why, l.at = nil, u.Timestamp
		return l.replace(u.Bids, u.Asks, 0)
	}
	if l.waits {
		l.hold(u)
	}
	return l.why == nil && l.change(u)
}

func (l *liveBook) replace(bids, asks []Level, most int) bool {
	bidsChanged := l.bids.replace(bids, most)
	return l.asks.replace(asks, most) || bidsChanged
}

func (l *liveBook) change(u *BookUpdate) bool {
	if isBefore(u.Timestamp, l.snapshot) {
		return false
	}
	l.at = u.Timestamp
	bidsChanged := l.bids.change(u.Bids)
	return l.asks.change(u.Asks) || bidsChanged
}

// hold keeps an update, which may be newer than the book that is being fetched.
func (l *liveBook) hold(u *BookUpdate) {
	if len(l.pending) == maxPending {
		l.missed, l.lost = true, l.pending[0].Timestamp
		l.pending = l.pending[1:]
	}
	l.pending = append(l.pending, u)
}

// fetched takes a book that was fetched, and what came since it was asked for.
func (l *liveBook) fetched(s *BookSnapshot) (changed bool) {
	l.waits = false
	isOld := isBefore(s.Timestamp, l.before) || l.updates == UpdatesReplace && isBefore(s.Timestamp, l.at)
	switch {
	case isOld && l.why == nil && l.updates == UpdatesReplace:
		return false // the next update has all
	case isOld || l.missed && !isBefore(l.lost, s.Timestamp):
		l.distrust(errMissed)
		return false
	}
	l.why, l.snapshot, l.at = nil, s.Timestamp, s.Timestamp
	most := 0
	if l.updates == UpdatesChange {
		most = l.depth
	}
	changed = l.replace(s.Bids, s.Asks, most)
	for _, u := range l.pending {
		changed = l.change(u) || changed
	}
	l.forget()
	return changed
}

// isCrossed reports whether the best bid is not below the best ask.
func (l *liveBook) isCrossed() bool {
	bid, hasBid := first(l.bids.levels)
	ask, hasAsk := first(l.asks.levels)
	return hasBid && hasAsk && comparePrices(bid.Price, ask.Price) >= 0
}

// needsFetch reports whether the book should be fetched again.
func (l *liveBook) needsFetch() bool {
	return l.why != nil || l.isCrossed() || l.bids.isThin() || l.asks.isThin()
}

// judge says whether the book can be traded on. down is why there is no connection.
func (l *liveBook) judge(down error, changed bool) (told bool) {
	stale := cmp.Or(down, l.why)
	switch {
	case stale != nil:
	case l.isCrossed():
		stale = ErrBookCrossed
	case l.bids.isExhausted() || l.asks.isExhausted():
		stale = errExhausted
	}
	if !changed && stale == l.stale {
		return false
	}
	l.stale = stale
	l.version++
	return true
}

// book is a copy for the caller.
func (l *liveBook) book() Book {
	return Book{OrderBook: NewOrderBook(l.ticker, l.at.Time, l.bids.levels, l.asks.levels), Stale: l.stale}
}
